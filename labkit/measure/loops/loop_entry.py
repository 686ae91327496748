"""One time that a loop is gone through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labkit.measure.loops.open_loop import OpenLoop

if TYPE_CHECKING:
    from labkit.measure.loops.turns import Turns


class LoopEntry:
    """Tells the turns of a loop, as `going_through` asks; of one that dozes, now and then.

    Args:
        turns: Is told.
        loop: The loop.
    """

    __slots__ = ("_entry", "_loop", "_turns", "_waits")

    def __init__(self, turns: Turns, loop: OpenLoop) -> None:
        self._turns, self._loop = turns, loop
        self._entry: int | None = None
        self._waits = False

    def begins(self) -> bool:
        turns, loop = self._turns, self._loop
        if not turns.here:
            return False
        if turns.owed is not None:
            error, turns.owed = turns.owed, None
            raise error
        if self._entry is None:
            turns.enter(loop.number)
            self._entry = loop.entries
        elif loop.dozes:
            turns.look_again(loop)
            self._entry = loop.entries
        if loop.quiet:
            return False
        turns.turn(loop.number)
        self._waits = True
        return True

    def has_begun(self) -> None:
        self._waits = False

    def owes(self, error: BaseException) -> None:
        self._turns.owed = error

    def ends(self) -> None:
        # One that an error has ended may be let go when the loop goes on for the next time.
        if not self._turns.here or self._entry != self._loop.entries:
            return
        if self._waits and not self._loop.quiet:
            self._turns.not_begun(self._loop)
        self._turns.leave(self._loop.number)
