"""Timing ops: the wrappers of the functions that run every eager op, told apart by name.

Each is `timing`'s wrapper made as short as it goes: ops are the choke point that a step passes most
often. What they count and book they keep to themselves until they are asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from labkit.measure.places import NONE, Places
from labkit.measure.timing import Timed, dressed


class OpTiming:
    """Times functions that run ops.

    Args:
        places: The stopwatch.
        place: Where ops are booked, if no other place is open but those that surround all work.
        at: Where on the stopwatch's board the ops that returned on the timed thread are counted.
        others: For each name that is told apart, the number of its place, booked wherever it runs.

    Attributes:
        wrapper: Called with a function that takes positional arguments only and with the position
            of the op's name among them; returns what to put in the function's stead.
        gather: Called with nothing; books and counts what has come together.
    """

    def __init__(
        self, places: Places, place: int, *, at: int, others: Mapping[str | bytes, int]
    ) -> None:
        made, self.gather = _watch(places, place, at, dict(others))
        self.wrapper: Callable[[Timed, int], Timed] = lambda original, position: dressed(
            made(original, position), original
        )


def _watch(
    places: Places, place: int, at: int, others: dict[Any, int]
) -> tuple[Callable[[Timed, int], Timed], Callable[[], None]]:
    clock, thread, ident = places.clock, places.thread, threading.get_ident
    hand, around, seconds, values = places.hand, places.around, places.seconds, places.board.values
    # Variables of this call rather than elements of a list: half the price.
    gathered = 0.0
    count = 0

    def wrapper(original: Timed, position: int) -> Timed:
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
            """Run an op inside another place, of a place of its own, or of another thread."""
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

        return run

    def gather() -> None:
        nonlocal gathered, count
        seconds[place] += gathered
        values[at] += count
        gathered, count = 0.0, 0

    return wrapper, gather
