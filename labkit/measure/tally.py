"""Tallies: what probes count, side by side, so that a recorder reads many of them as one.

To ask each of a dozen probes costs half a microsecond a probe in a step that has emptied the
caches; to copy a dozen numbers that stand side by side costs as much as one.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence

from labkit.measure.probe import Probe, Row
from labkit.record import Column


class Board:
    """Where the numbers of several probes stand, in the order in which the probes were made."""

    def __init__(self) -> None:
        self.values = array("d")


class Tallied:
    """A probe that only counts; the base of those whose numbers stand on a board.

    Args:
        board: Takes its numbers, from `first` on: one for each of its `columns`.

    `anew` names the columns that count from the beginning of each step.
    """

    columns: tuple[Column, ...] = ()
    anew: tuple[str, ...] = ()

    def __init__(self, board: Board) -> None:
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
        """Record a column as not measured (NaN): counted nowhere, zero would be a lie."""
        at = self.at(name)
        self.values[at] = math.nan
        self.restarts = tuple(each for each in self.restarts if each != at)

    def begin(self) -> None:
        for at in self.restarts:
            self.values[at] = 0.0

    def read(self, row: Row, place: int) -> None:
        row[place : place + len(self.columns)] = self.values[self.first : self.end]

    def close(self) -> None:
        """Nothing is held."""


class Tallies(Tallied):
    """Neighbours on a board, read as one.

    Args:
        neighbours: Each begins where the one before ends.
    """

    def __init__(self, neighbours: Sequence[Tallied]) -> None:
        self.board = neighbours[0].board
        self.values = self.board.values
        self.first = neighbours[0].first
        self.columns = tuple(column for each in neighbours for column in each.columns)
        self.restarts = tuple(at for each in neighbours for at in each.restarts)


def joined(probes: Sequence[Probe]) -> Iterator[Probe]:
    """Return the probes, in order, with neighbours on a board joined to one; columns stay alike."""
    neighbours: list[Tallied] = []
    for probe in probes:
        # One with a reading of its own must be asked for it.
        plain = isinstance(probe, Tallied) and type(probe).read is Tallied.read
        if neighbours and not (plain and _beside(neighbours[-1], probe)):
            yield _one(neighbours)
            neighbours = []
        if isinstance(probe, Tallied) and plain:
            neighbours.append(probe)
        else:
            yield probe
    if neighbours:
        yield _one(neighbours)


def _beside(left: Tallied, right: Probe) -> bool:
    return isinstance(right, Tallied) and right.board is left.board and right.first == left.end


def _one(neighbours: Sequence[Tallied]) -> Tallied:
    return Tallies(neighbours) if len(neighbours) > 1 else neighbours[0]
