"""Counting at choke points: what most probes of a loop of which nothing is known have in common."""

from __future__ import annotations

from labkit.measure.choke import ChokePoints
from labkit.measure.late import LatePoints
from labkit.measure.places import Places
from labkit.measure.tally import Tallied


class CountingProbe(Tallied):
    """A probe that books time at choke points and counts what passes; the base of those that do.

    Args:
        places: The stopwatch.

    Its choke points are hooked into `points`, those of packages that may never be imported into
    `late`.
    """

    def __init__(self, places: Places) -> None:
        super().__init__(places.board)
        self.points = ChokePoints(places)
        self.late = LatePoints(places)

    @property
    def missing(self) -> list[str]:
        """The names that the installed packages do not have."""
        return self.points.missing + self.late.missing

    def count(self, arguments: tuple[object, ...], result: object) -> None:
        """Count one in the first column; to be called after what is counted."""
        self.values[self.first] += 1

    def close(self) -> None:
        self.late.close()
        self.points.close()
