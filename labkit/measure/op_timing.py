"""Timing ops: the wrapper of the two functions that run every eager op, told apart by name.

It is `timing`'s wrapper made as short as it goes: ops are the choke point that a step passes most
often. What it counts and books it keeps to itself until it is asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from labkit.measure.places import NONE, Places
from labkit.measure.timing import Timed, dressed


class OpTiming:
    """Times a function that runs ops.

    Args:
        original: Takes positional arguments only.
        places: The stopwatch.
        place: Where ops are booked, if no other place is open but those that surround all work.
        position: Which argument is the name of the op.
        others: For each name that is told apart, the number of its place, booked wherever it runs.

    Attributes:
        wrapper: What to put in the original's stead.
        take: Called with nothing; books what has gathered, and returns the number of ops that
            returned on the timed thread since it was last called.
    """

    def __init__(
        self,
        original: Timed,
        places: Places,
        place: int,
        *,
        position: int,
        others: Mapping[Any, int],
    ) -> None:
        wrapper, self.take = _watched(original, places, place, position, dict(others))
        self.wrapper = dressed(wrapper, original)


def _watched(
    original: Timed, places: Places, place: int, position: int, others: dict[Any, int]
) -> tuple[Timed, Callable[[], int]]:
    clock, thread, ident = places.clock, places.thread, threading.get_ident
    hand, around = places.hand, places.around
    # Variables of this call rather than elements of a list: half the price.
    gathered = 0.0
    count = 0

    def run(*args: Any) -> Any:
        nonlocal gathered, count
        if hand.place != NONE or args[position] in others or ident() != thread:
            return within(args)
        hand.place = place
        hand.since = clock()
        try:
            result = original(*args)
        except BaseException:
            gathered += clock() - hand.since
            hand.place = NONE
            raise
        gathered += clock() - hand.since
        hand.place = NONE
        count += 1
        return result

    def within(args: tuple[Any, ...]) -> Any:
        """Run an op inside another place, one of a place of its own, or one of another thread."""
        nonlocal count
        if ident() != thread:
            return original(*args)
        chosen = others.get(args[position], place)
        if chosen == place and hand.place != NONE and not around[hand.place]:
            result = original(*args)
        else:
            places.enter(chosen)
            try:
                result = original(*args)
            finally:
                places.leave()
        count += 1
        return result

    def take() -> int:
        nonlocal gathered, count
        places.seconds[place] += gathered
        taken, gathered, count = count, 0.0, 0
        return taken

    return run, take
