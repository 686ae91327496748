"""The counter buffer: what probes count stands side by side, and is read all at once.

To ask each of a dozen probes costs half a microsecond a probe, and three in a step that has emptied
the caches; to copy a dozen numbers that stand side by side costs as much as one.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable

from labkit.measure.clock.probe import Row
from labkit.record import Column


class CounterBuffer:
    """Where the numbers of several probes stand, in the order in which the probes were made.

    ``gathering`` is called before they are read, and before they start anew: by it what is counted
    apart, or must be looked at, comes onto the board. Empty in most loops.
    """

    def __init__(self) -> None:
        self.values = array("d")
        self.gathering: list[Callable[[], object]] = []

    def gather(self) -> None:
        """Bring what was counted apart onto the board."""
        for gather in self.gathering:
            gather()


class BufferedProbe:
    """A probe that only counts; the base of those whose numbers stand on a board.

    Args:
        board: Takes its numbers, from `first` on: one for each of its `columns`.

    `anew` names the columns that count from the beginning of each step.
    """

    columns: tuple[Column, ...] = ()
    anew: tuple[str, ...] = ()

    def __init__(self, board: CounterBuffer) -> None:
        self.board = board
        # Held apart: each hook that counts needs it, and one look less is a tenth of its cost.
        self.values = board.values
        self.first = len(board.values)
        self.values.extend([0.0] * len(self.columns))
        self.restarts = tuple(map(self.at, self.anew))

    @property
    def end(self) -> int:
        """Where the numbers of the next probe on the board begin."""
        return self.first + len(self.columns)

    def at(self, name: str) -> int:
        """Return where the number of a column stands."""
        return self.first + [column.name for column in self.columns].index(name)

    def give_up(self, name: str) -> None:
        """Record a column as not measured (NaN): counted nowhere, zero would be a lie.

        To be called before a recorder is made, which learns then what starts anew.
        """
        at = self.at(name)
        self.values[at] = math.nan
        self.restarts = tuple(start for start in self.restarts if start != at)

    def begin(self) -> None:
        self.board.gather()
        for at in self.restarts:
            self.values[at] = 0.0

    def read(self, row: Row, place: int) -> None:
        self.board.gather()
        row[place : place + len(self.columns)] = self.values[self.first : self.end]

    def close(self) -> None:
        """Nothing is held."""
