"""Counters that the loop itself holds: how many holes, how many saves, how long the history."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from labkit.measure.probe import Row
from labkit.record import Column


class LoopCounters:
    """Reads what a loop counts about itself, after every step.

    Args:
        columns: What the cause declares.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = tuple(columns)
        self._readers: list[Callable[[], float]] = []

    def attach(self, readers: Mapping[str, Callable[[], float]]) -> None:
        """Take the loop's readers, once the loop is built.

        Raises:
            KeyError: If a declared counter has no reader.
        """
        self._readers = [readers[column.name] for column in self.columns]

    def read(self, row: Row, place: int) -> None:
        for offset, reader in enumerate(self._readers):
            row[place + offset] = float(reader())

    def close(self) -> None:
        """Nothing is held."""
