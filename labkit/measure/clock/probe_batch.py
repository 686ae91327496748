"""Probes that are read as one: neighbours in a counter buffer, and the timers that follow them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labkit.measure.clock.counter_buffer import BufferedProbe
from labkit.measure.clock.probe import Probe
from labkit.measure.clock.timers import Timers


class ProbeBatch(BufferedProbe):
    """Neighbours in a counter buffer, read as one.

    Args:
        neighbours: Each begins where the one before ends.
    """

    def __init__(self, neighbours: Sequence[BufferedProbe]) -> None:
        self.board = neighbours[0].board
        self.values = self.board.values
        self.first = neighbours[0].first
        self.columns = tuple(column for probe in neighbours for column in probe.columns)
        self.restarts = tuple(at for probe in neighbours for at in probe.restarts)


class ProbeBatchWithTimers:
    """Neighbours in the timers' counter buffer and the timers themselves, read as one.

    Args:
        counts: What stands in the buffer.
        timers: Are read right after it.
    """

    def __init__(self, counts: BufferedProbe, timers: Timers) -> None:
        self.columns = counts.columns + timers.columns
        self.begin, self.read = timers.with_counts(counts.first, counts.end, counts.restarts)

    def close(self) -> None:
        """Nothing is held: each of them is closed by itself."""


def joined(probes: Sequence[Probe]) -> Iterator[Probe]:
    """Return the probes, in order, with neighbours on a board joined to one; columns stay alike."""
    neighbours: list[BufferedProbe] = []
    for probe in probes:
        if neighbours and isinstance(probe, Timers) and probe.board is neighbours[0].board:
            yield ProbeBatchWithTimers(_one(neighbours), probe)
            neighbours = []
            continue
        # One with a reading of its own must be asked for it.
        plain = isinstance(probe, BufferedProbe) and type(probe).read is BufferedProbe.read
        if neighbours and not (plain and _beside(neighbours[-1], probe)):
            yield _one(neighbours)
            neighbours = []
        if isinstance(probe, BufferedProbe) and plain:
            neighbours.append(probe)
        else:
            yield probe
    if neighbours:
        yield _one(neighbours)


def _beside(left: BufferedProbe, right: Probe) -> bool:
    return (
        isinstance(right, BufferedProbe) and right.board is left.board and right.first == left.end
    )


def _one(neighbours: Sequence[BufferedProbe]) -> BufferedProbe:
    return ProbeBatch(neighbours) if len(neighbours) > 1 else neighbours[0]
