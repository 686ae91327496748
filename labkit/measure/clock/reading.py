"""Reading: what is asked before a step and after it, and what only now and then."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence

from labkit.measure.clock.probe import Probe, ResumedProbe, Row, SeldomProbe, StepProbe
from labkit.record import Column

# The recorder's own come first: when the step started, and how long it took.
OWN_COLUMNS = (
    Column("start_seconds", "start of the step", "s", "clock"),
    Column("seconds", "time of the step", "s", "clock"),
)
# Of a step: time between two steps that is not worth a second reading of what counts from one
# step's end to the next one's.
NEXT_TO_NOTHING = 0.03


class Reading:
    """The calls that fill a row.

    Args:
        probes: In the order of their columns.

    Attributes:
        begins: Each is called before each step.
        resumes: Each is called before a step if more than next to nothing lies before it.
        reads: Each is called after that, with the rows and its place in the row.
        standing: What a row holds before anything is read into it.
    """

    def __init__(self, probes: Sequence[Probe]) -> None:
        self.begins: list[Callable[[], None]] = []
        self.resumes: list[Callable[[], None]] = []
        self.reads: list[tuple[Callable[[Row, int], None], int]] = []
        self._seldom: list[tuple[SeldomProbe, int]] = []
        place = len(OWN_COLUMNS)
        for probe in probes:
            if isinstance(probe, StepProbe):
                self.begins.append(probe.begin)
            if isinstance(probe, ResumedProbe):
                self.resumes.append(probe.resume)
            if isinstance(probe, SeldomProbe):
                self._seldom.append((probe, place))
            elif probe.columns:
                self.reads.append((probe.read, place))
            place += len(probe.columns)
        self.standing = array("d", [math.nan]) * place

    def seldom(self, rows: Row, at: int) -> float:
        """Ask those that are asked now and then, and return when the next of them is due.

        Args:
            rows: Where the row is.
            at: Where in there it begins.
        """
        for probe, place in self._seldom:
            probe.read(rows, at + place)
            if probe.lasting:
                probe.read(self.standing, place)
        return min((probe.due for probe, _ in self._seldom), default=math.inf)
