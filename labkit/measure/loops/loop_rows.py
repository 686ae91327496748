"""Rows of loops: where one ends and the next begins, and whose turn each is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from labkit.measure.clock.open_recorder import OpenRecorder
from labkit.measure.clock.probe import Row
from labkit.measure.loops.open_loop import OpenLoop, innermost
from labkit.record.loop import BEGINS, LOOP, OUTER, OUTSIDE

# What is done once an epoch is done few times, and those that are looked at closely are not judged.
LOOKED_AT_BETWEEN = 4


class LoopRows:
    """Cuts what a recorder times into rows; itself the probe that says whose each row is.

    Attributes:
        after_row: Called after each row, with whether that is between two steps: where the turn of
            a loop that trains begins; anywhere, where nothing is known to train.
    """

    columns = (LOOP, OUTER, BEGINS)

    def __init__(self) -> None:
        self._recorder: OpenRecorder | None = None
        self._tags = [0.0, 0.0, 0.0]
        self._inner: OpenLoop | None = None
        self._between = 0
        self._stopped = self._trained = False
        self.after_row: Callable[[bool], object] = lambda between_steps: None

    def record(self, begin: Callable[[], OpenRecorder]) -> None:
        """Record from now on, if nobody does; `begin` returns what takes a row for each turn."""
        if self._recorder is None:
            self._recorder = begin()

    def stop(self) -> None:
        """Record nothing more."""
        self._stopped = True
        if self._recorder is not None:
            self._recorder.forget()
            self._recorder = None

    def outside(self) -> bool:
        """Tell whether what is done now is in no row, though rows are looked for."""
        return not self._stopped and (self._recorder is None or not self._recorder.begun())

    def train_outside(self) -> bool:
        """Note that something is trained; return whether in no row."""
        self._trained = True
        return self.outside()

    def left_alone(self) -> bool:
        """Tell whether what is recorded next lies between turns, and is not to be looked at."""
        return not self._tags[2] and self._between % LOOKED_AT_BETWEEN != 0

    def read(self, row: Row, place: int) -> None:
        row[place], row[place + 1], row[place + 2] = self._tags

    def next(self, loops: Sequence[OpenLoop], loop: OpenLoop, *, begins: bool) -> None:
        """End the row that goes on, and begin one.

        Args:
            loops: Those that are open, the innermost last.
            loop: Which of them turns, or was left.
            begins: Whether a turn of it begins.
        """
        recorder = self._recorder
        if recorder is None or (recorder.begun() and self._looks_on(loops, loop)):
            return
        if recorder.begun():
            recorder.end()
            self.after_row((begins and loop.trains) or not self._trained)
        self._take_for(loops, begins=begins)
        self._between += not begins
        if self._tags[0] != OUTSIDE:
            recorder.begin()

    def _looks_on(self, loops: Sequence[OpenLoop], loop: OpenLoop) -> bool:
        """Tell whether a loop trains nothing, and is of another task than one that trains.

        What it takes is time of that one's turn, which would be over where a monitor wakes up.
        """
        inner = self._inner
        if inner is None or inner is loop or not inner.trains or loop.trains:
            return False
        return inner not in loops

    def belong_to(self, loops: Sequence[OpenLoop]) -> None:
        """Say that the row that goes on is of one of these, for something was trained in it.

        A task that awaits something within its step finds the row of a monitor when it goes on.
        """
        for each in loops:
            each.trains = True
        if not any(each.number == self._tags[0] for each in loops):
            self._take_for(loops, begins=False)

    def take_back(self, loops: Sequence[OpenLoop]) -> bool:
        """Say of the row that goes on that no turn began with it: it is of the loops around.

        Returns:
            Whether any goes on.
        """
        begun = self._recorder is not None and self._recorder.begun()
        if begun:
            self._take_for(loops, begins=False)
        return begun

    def _take_for(self, loops: Sequence[OpenLoop], *, begins: bool) -> None:
        self._tags[:] = *innermost(loops), begins
        self._inner = next((each for each in loops if each.number == self._tags[0]), None)
