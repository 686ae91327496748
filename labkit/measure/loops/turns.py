"""Turns: which of a program's loops is in which turn, and which of them are recorded.

A row is the time between two moments at which a loop is entered, turned or left. So where loops are
nested, the turn of an outer one is the sum of the rows within it, and what lies between two epochs
is a row of its own. Rows are recorded of loops in which TensorFlow works; all others are passed
through as quickly as can be.
"""

from __future__ import annotations

import builtins
import os
import threading
from collections.abc import Callable, Iterable
from typing import TypeVar

from labkit.measure.clock.open_recorder import OpenRecorder
from labkit.measure.clock.source_names import raised_by_kit
from labkit.measure.loops.going_through import MAP, NAP, going_through
from labkit.measure.loops.loop_entry import LoopEntry
from labkit.measure.loops.loop_rows import LoopRows
from labkit.measure.loops.mapping import MapItems, taken
from labkit.measure.loops.open_loop import (
    ENTRIES_TO_TELL,
    SHORTEST_TURN_SECONDS,
    TURNS_TO_TELL,
    OpenLoop,
    OpenLoops,
    is_part_of_step,
)
from labkit.measure.loops.source import ENTER, GO_THROUGH, GO_THROUGH_MAP, LEAVE, TURN

Item = TypeVar("Item")
# How often a loop is told as within itself. It may be there once, left by an error that is held.
MOST_WITHIN_ITSELF = 3
# One that dozes is looked at again where it is entered after such a while.
SHORTEST_NAP_SECONDS = 0.1


class Turns:
    """Follows the loops of this thread, and cuts rows at their turns.

    Args:
        clock: Returns seconds.

    It looks once it is told how to begin (`look`). Until then, and for what other threads and
    processes that are forked do, loops run as if nobody looked.

    Attributes:
        never_quiet: The numbers of loops that are recorded however few turns they have.
        rows: Where the rows are cut.
        failed: What made an end of recording that was a fault of ours, or of a program that closes
            all descriptors; it goes on all the same.
        after_loop: Called when the outermost loop that was recorded has ended, and before anything
            of it is let go.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._thread = threading.get_ident()
        self._loops: dict[int, OpenLoop] = {}
        self._open = OpenLoops()
        self._begin: Callable[[], OpenRecorder] | None = None
        self._done: Callable[[], float] = lambda: 0.0
        self.rows = LoopRows()
        self.never_quiet: set[int] = set()
        self.failed: Exception | None = None
        self.after_loop: Callable[[], object] = lambda: None
        self.owed: BaseException | None = None  # to be raised where a turn begins

    def look(self, begin: Callable[[], OpenRecorder], done: Callable[[], float]) -> None:
        """Look for loops to record from now on.

        Args:
            begin: Returns what takes a row for each turn; called when the first loop is found.
            done: Returns how much TensorFlow has done so far: a number that rises with each op.
        """
        self._begin, self._done = begin, done

    def stop(self) -> None:
        """Look no more, and record nothing."""
        self._thread = -1
        self._begin = None
        self.rows.stop()

    def install(self) -> None:
        """Let the loops of compiled files find this, in this process and in none that it forks."""
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.stop)
        for name, function in (
            (GO_THROUGH, self.go_through), (GO_THROUGH_MAP, self.go_through_map),
            (ENTER, self.enter), (TURN, self.turn), (LEAVE, self.leave),
        ):  # fmt: skip
            setattr(builtins, name, function)

    @property
    def here(self) -> bool:
        """Whether the program's own thread calls, and is looked at."""
        return threading.get_ident() == self._thread

    def unseen(self) -> bool:
        """Tell whether what is trained now is in no row; else see that its row is of its loop."""
        if self.rows.train_outside():
            return True
        self.rows.belong_to(self._open() if self.here else self._open.latest)
        return False

    # what the program's loops call

    def go_through(self, number: int, items: Iterable[Item]) -> Iterable[Item]:
        """Return what a loop goes through, so that its turns are told."""
        entry = self._entry(number)
        return items if entry is None else going_through(items, entry)

    def _entry(self, number: int) -> LoopEntry | None:
        if not self.here:
            return None
        loop = self._loop(number)
        # A function that calls itself goes through a loop as often as that is deep.
        if loop.dozes:
            # Entered a hundred thousand times a second, as for each line of a file, it is no epoch.
            now = self._clock()
            quiet, loop.began = now - loop.began < SHORTEST_NAP_SECONDS, now
        else:
            quiet = loop.quiet
        if quiet or self._open().count(loop) >= MOST_WITHIN_ITSELF:
            return None
        return LoopEntry(self, loop)

    def go_through_map(
        self, number: int, function: object, items: Iterable[Item]
    ) -> Iterable[Item]:
        """Return what ``map`` or a generator expression goes through, so that its turns are told.

        Args:
            number: Of the loop.
            function: What is called ``map``, or None; one of a program's own may do anything.
            items: What it goes through; asked for its iterator at once, as Python does.
        """
        own = function is not None and function is not MAP
        if own or (entry := self._entry(number)) is None:
            return items
        return MapItems(items, entry) if function is MAP else going_through(taken(items), entry)

    def enter(self, number: int) -> None:
        """Note that a loop begins."""
        if threading.get_ident() == self._thread:
            self._unharmed(self._enter, self._loop(number))

    def fit_begins(self) -> None:
        """Note that Keras's fit is called in the innermost loop."""
        if threading.get_ident() == self._thread and (entered := self._open()):
            entered[-1].of_fits = True

    def turn(self, number: int) -> None:
        """Note that a turn of a loop begins."""
        if threading.get_ident() == self._thread and (loop := self._loops.get(number)) is not None:
            self._unharmed(self._turn, loop)

    def leave(self, number: int) -> None:
        """Note that a loop has ended, in whatever way."""
        if threading.get_ident() == self._thread and (loop := self._loops.get(number)) is not None:
            self._unharmed(self._leave, loop)

    def _unharmed(self, note: Callable[[OpenLoop], None], loop: OpenLoop) -> None:
        """Note something; a fault of ours ends the recording, and never the program."""
        try:
            note(loop)
        except Exception as error:
            # It may also be the program's own, of a handler of signals that came meanwhile.
            if not raised_by_kit(error):
                raise
            self.failed = error
            self.stop()

    def look_again(self, loop: OpenLoop) -> None:
        """See whether TensorFlow has begun to work in a loop that dozes."""
        self._unharmed(self._look_again, loop)

    def _look_again(self, loop: OpenLoop) -> None:
        if self._begin is not None and self._done() != loop.worked:
            loop.quiet = loop.dozes = False
            if loop not in self._open():
                self._enter(loop)

    def _enter(self, loop: OpenLoop) -> None:
        if loop.quiet:
            if loop.dozes:  # what was done before is not this loop's
                loop.worked = self._done()
            return
        loop.entries += 1
        loop.first_turn = loop.turns
        loop.began = self._clock()
        self._open.enter(loop)
        if loop.entries > ENTRIES_TO_TELL and is_part_of_step(loop, self._open()):
            loop.quiet = loop.number not in self.never_quiet

    def _turn(self, loop: OpenLoop) -> None:
        if loop.dozes:
            loop.slept += 1
            if loop.slept % NAP == 0:
                self._look_again(loop)
        if loop.quiet or not self._open.return_to(loop):
            return
        loop.turns += 1
        if loop.active:
            self.rows.next(self._open(), loop, begins=True)
        elif self._begin is not None:
            self._look_at(loop)

    def _leave(self, loop: OpenLoop) -> None:
        if not self._open.return_to(loop):
            return
        self._open.leave()
        if loop.active and not loop.quiet:
            self.rows.next(self._open(), loop, begins=False)
            if not any(each.active for each in self._open()):
                self.after_loop()

    def not_begun(self, loop: OpenLoop) -> None:
        """Note that there was nothing left for the turn of a loop that began last."""
        self._unharmed(self._not_begun, loop)

    def _not_begun(self, loop: OpenLoop) -> None:
        """Take back a turn for which there was nothing left: it belongs to what comes after."""
        # A generator's own loop may have been left without a word: who goes through it is further.
        if loop.active and loop in (entered := self._open()):
            loop.turns -= self.rows.take_back(entered[: entered.index(loop)])

    # which loops are recorded

    def _loop(self, number: int) -> OpenLoop:
        found = self._loops.get(number)
        if found is None:
            found = self._loops[number] = OpenLoop(number)
        return found

    def _look_at(self, loop: OpenLoop) -> None:
        """Record a loop from now on if TensorFlow has worked in its last turn, or give it up."""
        worked = self._done()
        if loop.turns > loop.first_turn + 1 and worked != loop.worked:
            loop.active = True
            if self._begin is not None:
                self.rows.record(self._begin)
            self.rows.next(self._open(), loop, begins=True)
        elif loop.turns - loop.first_turn >= TURNS_TO_TELL:
            taken = (self._clock() - loop.began) / (loop.turns - loop.first_turn)
            short = taken < SHORTEST_TURN_SECONDS and loop.number not in self.never_quiet
            loop.quiet = loop.dozes = short
        loop.worked = worked
