"""Stores with a bound: how much of what rises will come to rest, once every deque is full.

All deques of the process, wherever they are held. As in `object_sizes`, nothing of the reader's is
called on the way.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any

from labkit.measure.memory.reach.entry import Entry, Unknown, Weighing

POINTER_BYTES = 8.0  # by which a deque holds an entry
# Entries looked at in a store, of which so many are among the latest: one that was filled with
# nothing beforehand has nothing else yet.
LOOKED_AT, LATE = 32, 8
# What the loop itself may still hold, or complete in its next step.
NOT_YET = 2
MOST_STORES = 200
# From one place looked at to the next, in terms of an even distance: no period of a loop's stays
# in step with it (the fraction of the golden ratio).
UNEVEN = 0.618034
BOUND: Any = deque.__dict__["maxlen"]


def bounded_stores(
    stores: Sequence[deque[Any]], readers: Callable[[type], bool], tensor: type | None
) -> dict[str, float]:
    """Return ``bounded_items``, and what they take of the heap and of what is counted.

    That is ``bounded_least_bytes`` and ``bounded_most_bytes``, as if all entries of a store were
    like the lightest or the heaviest that was looked at; ``bounded_tensors``, and ``bounded_of/``
    with the name of a class of the reader's. Of the items ``bounded_unknown`` lie in stores of
    which something cannot be weighed, and ``bounded_blank`` in full ones whose latest entries
    take the place of nothing.

    Args:
        stores: Deques; those without a bound are passed over.
        readers: Tells whether a class is the reader's own.
        tensor: The class of eager tensors.
    """
    bounded = [each for each in stores if BOUND.__get__(each) is not None and deque.__len__(each)]
    bounded.sort(key=deque.__len__, reverse=True)
    found: Counter[str] = Counter({"bounded_items": sum(map(deque.__len__, bounded))})
    weighing = Weighing(readers, tensor)
    for number, store in enumerate(bounded):
        try:
            if number >= MOST_STORES:
                raise Unknown
            found.update(_weighed(store, weighing))
        except (Unknown, IndexError, RuntimeError):  # a thread of the loop's changed it meanwhile
            found["bounded_unknown"] += deque.__len__(store)
    return {name: float(value) for name, value in found.items()}


def _weighed(store: deque[Any], weighing: Weighing) -> dict[str, float]:
    count = deque.__len__(store)
    entries = []
    for place in _places(count):
        if place:  # a state is the next state of the entry before it, and in memory once
            weighing.entry([deque.__getitem__(store, place - 1)])
        entries.append(weighing.entry([deque.__getitem__(store, place)]))
    tensors = max(each.tensors for each in entries)
    full = count == BOUND.__get__(store)
    blank = full and not entries[0].most_bytes and entries[-1].most_bytes > 0
    return {
        "bounded_blank": count * blank,
        "bounded_least_bytes": count * (POINTER_BYTES + min(each.least_bytes for each in entries)),
        "bounded_most_bytes": count * (POINTER_BYTES + max(each.most_bytes for each in entries)),
        "bounded_tensors": count * tensors,
        **{f"bounded_of/{name}": count * most for name, most in _instances(entries).items()},
    }


def _instances(entries: Sequence[Entry]) -> Counter[str]:
    most: Counter[str] = Counter()
    for each in entries:
        most |= each.instances
    return most


def _places(count: int) -> list[int]:
    """Return where a store is looked at, from the oldest entry to the newest that is complete."""
    settled = max(1, count - NOT_YET)
    if settled <= LOOKED_AT:
        return list(range(settled))
    early, many = settled - LATE, LOOKED_AT - LATE
    apart = early / many
    uneven = (int(apart * (each + (each + count) * UNEVEN % 1.0)) for each in range(many))
    # Each once, and the one before it first: what was weighed already weighs nothing.
    return sorted({*uneven, *range(early, settled)})
