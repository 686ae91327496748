"""Probes that are read as one: neighbours on a board, and the stopwatch that follows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labkit.measure.places import Places
from labkit.measure.probe import Probe
from labkit.measure.tally import Tallied


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


class TalliesAndPlaces:
    """Neighbours on a stopwatch's board and the stopwatch itself, read as one.

    Args:
        tallies: What stands on the board.
        places: Is read right after them.
    """

    def __init__(self, tallies: Tallied, places: Places) -> None:
        self.columns = tallies.columns + places.columns
        self.begin, self.read = places.with_counts(tallies.first, tallies.end, tallies.restarts)

    def close(self) -> None:
        """Nothing is held: each of them is closed by itself."""


def joined(probes: Sequence[Probe]) -> Iterator[Probe]:
    """Return the probes, in order, with neighbours on a board joined to one; columns stay alike."""
    neighbours: list[Tallied] = []
    for probe in probes:
        if neighbours and isinstance(probe, Places) and probe.board is neighbours[0].board:
            yield TalliesAndPlaces(_one(neighbours), probe)
            neighbours = []
            continue
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
