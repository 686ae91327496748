"""Contents: what something that is kept holds, as far as it says whether keeping it is a fault."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from labkit.measure.memory.instance import container
from labkit.measure.memory.reach.bounded_stores import BOUND, can_be_filled, entries_of
from labkit.measure.memory.reach.entry import Unknown, Weighing
from labkit.measure.memory.reach.plain_numbers import BYTES_OF_NUMBER, last_item, numbers_in

# To tell whether there is memory for what a store may hold: some 2 ms, at each look.
MOST_OBJECTS = 1_000


def contents(
    path: str, each: object, size: float, readers: Callable[[type], bool], tensor: type | None
) -> Iterator[tuple[str, float]]:
    """Yield what is told of something kept beside its size, by the names that `reach` lists.

    Args:
        path: How the reader would write it.
        each: A container, an array, an eager tensor or a long text.
        size: Of a container its items, of the others bytes or letters.
        readers: Tells whether a class is the reader's own.
        tensor: The class of eager tensors.
    """
    if container(type(each)) is None:
        yield f"numbers/{path}", size / BYTES_OF_NUMBER
        return
    last = last_item(each)
    numbers = size * numbers_in(last, readers)
    bounded = container(type(each)) is deque and _has_bound(each, readers, tensor)
    if type(last) is tensor or type(last) is np.ndarray:
        yield f"tensors/{path}", size
    elif numbers:
        yield f"numbers/{path}", numbers
        with suppress(Unknown):
            noted = Weighing(readers, tensor).entry([last]).instances
            yield from ((f"noted/{name}", size * count) for name, count in noted.items())
    if bounded:
        yield f"bounded/{path}", size


def _has_bound(store: Any, readers: Callable[[type], bool], tensor: type | None) -> bool:
    """Tell whether a store has a bound, one that there is memory for."""
    bound = BOUND.__get__(store)
    if bound is None or deque.__len__(store) in (0, bound):
        return bound is not None
    weighing = Weighing(readers, tensor, MOST_OBJECTS)
    try:
        return can_be_filled(store, entries_of(store, weighing))
    except (Unknown, IndexError, RuntimeError):  # a thread of the loop's changed it meanwhile
        return True
