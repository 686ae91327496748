"""A run that came to its end and could not be judged: it is kept all the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from labkit.record import LabkitError, Run


class UnjudgedError(LabkitError):
    """The judging of a run failed; the run itself is complete.

    Args:
        run: The run.
        fault: What was raised, such as a ``MemoryError``.
    """

    def __init__(self, run: Run, fault: Exception) -> None:
        self.run = run
        told = f"{type(fault).__name__}: {fault}" if str(fault) else type(fault).__name__
        super().__init__(
            f"The run ended after {len(run.steps):,} steps and could not be judged ({told}); save "
            "it (--save) and judge it where there is more memory, or record fewer steps."
        )


@contextmanager
def kept(run: Run) -> Iterator[None]:
    """Have a fault while a run is judged carry the run along.

    Raises:
        UnjudgedError: If anything fails.
    """
    try:
        yield
    except LabkitError:
        raise
    except Exception as fault:
        raise UnjudgedError(run, fault) from fault
