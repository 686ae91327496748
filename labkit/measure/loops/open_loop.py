"""The loops that a program is in: what is known of each, and whether its turns are worth a row."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar

from labkit.record.loop import OUTSIDE

# Telling of a turn costs 0.2 us, and a row 5: loops of shorter turns do no training, or not yet.
SHORTEST_TURN_SECONDS = 20e-6
TURNS_TO_TELL = 2_000
# A loop of few turns that is entered again and again within another is a part of that one's step:
# of two networks, of the layers of a model.
FEW_TURNS = 8
ENTRIES_TO_TELL = 10


class OpenLoop:
    """What is known of one loop."""

    __slots__ = (
        "active",
        "began",
        "dozes",
        "entries",
        "first_turn",
        "number",
        "of_fits",
        "quiet",
        "slept",
        "trains",
        "turns",
        "worked",
    )

    def __init__(self, number: int) -> None:
        self.number = number
        self.active = False  # TensorFlow has worked in one of its turns
        self.trains = False  # something was trained within it
        self.of_fits = False  # a turn of it calls Keras's fit, and is a step however few it has
        self.quiet = False  # nothing is to be told of it
        self.dozes = False  # for its turns were short, and TensorFlow worked in none of them so far
        self.turns = self.entries = self.first_turn = self.slept = 0
        self.began = 0.0
        self.worked = 0.0  # what TensorFlow had done when its last turn began


class OpenLoops:
    """The loops that a program is in, the innermost last.

    Each task of asyncio is in those that it was made in, and in its own. With one list for all, a
    monitor that wakes up left the loop of the task that trains.

    Attributes:
        latest: Those of the task that entered or left one last. A thread that trains for the
            program's own, while that waits, has none in its context.
    """

    def __init__(self) -> None:
        self._found: ContextVar[tuple[OpenLoop, ...]] = ContextVar("loops", default=())
        self.latest: tuple[OpenLoop, ...] = ()

    def __call__(self) -> tuple[OpenLoop, ...]:
        return self._found.get()

    def enter(self, loop: OpenLoop) -> None:
        """Note that a loop has begun within the others."""
        self._are((*self._found.get(), loop))

    def leave(self) -> None:
        """Note that the innermost one is over."""
        self._are(self._found.get()[:-1])

    def return_to(self, loop: OpenLoop) -> bool:
        """Forget the loops within one that were left without a word, as by a return.

        Returns:
            Whether that loop was entered at all.
        """
        found = self._found.get()
        if found and found[-1] is loop:
            return True
        if loop not in found:
            return False
        while found[-1] is not loop:
            found = found[:-1]
        self._are(found)
        return True

    def _are(self, found: tuple[OpenLoop, ...]) -> None:
        self._found.set(found)
        self.latest = found


def is_part_of_step(loop: OpenLoop, entered: Sequence[OpenLoop]) -> bool:
    """Tell whether a loop has few turns, and is within another that has many.

    Args:
        loop: One of those entered.
        entered: All that the program is in, from the outermost.
    """
    if loop.of_fits:
        return False
    outer = [each for each in entered if each is not loop and each.active]
    few = loop.turns < FEW_TURNS * loop.entries
    return few and bool(outer) and outer[-1].turns - outer[-1].first_turn >= ENTRIES_TO_TELL


def innermost(entered: Sequence[OpenLoop]) -> tuple[int, int]:
    """Return the numbers of the innermost recorded loop of some, and of the one around it."""
    active = [each.number for each in reversed(entered) if each.active and not each.quiet]
    inner, outer, *_ = *active, OUTSIDE, OUTSIDE
    return inner, outer
