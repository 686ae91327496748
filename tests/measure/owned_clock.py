"""A clock the test owns: it moves only when told to."""

from __future__ import annotations


class OwnedClock:
    """Returns seconds, like ``time.perf_counter``."""

    def __init__(self) -> None:
        self._milliseconds = 1_000.0

    def __call__(self) -> float:
        return self._milliseconds / 1e3

    def pass_ms(self, milliseconds: float) -> None:
        """Let time pass."""
        self._milliseconds += milliseconds
