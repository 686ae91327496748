"""Stores with a bound: how much of what rises will come to rest, once every deque is full.

All deques of the process, wherever they are held. A bound that no memory could hold is none. What a
full store takes more, because its entries get heavier, may never come to rest. As in
`object_sizes`, nothing of the reader's is called on the way.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any

from labkit.measure.memory.memory_limit import memory_limit
from labkit.measure.memory.reach.entry import Entry, Unknown, Weighing
from labkit.measure.memory.reach.full_stores import FullStores

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
    stores: Sequence[deque[Any]],
    readers: Callable[[type], bool],
    tensor: type | None,
    full: FullStores,
) -> dict[str, float]:
    """Return ``bounded_items``, and what they take of the heap and of what is counted.

    That is ``bounded_least_bytes`` and ``bounded_most_bytes``, as if all entries of a store were
    like the lightest or the heaviest that was looked at, of a full store the lightest when it was
    first seen full; ``bounded_tensors``, and ``bounded_of/``
    with the name of a class of the reader's. Of the items ``bounded_unknown`` lie in stores of
    which something cannot be weighed, and ``bounded_blank`` in full ones whose latest entries
    take the place of nothing.

    Args:
        stores: Deques; those without a bound are passed over.
        readers: Tells whether a class is the reader's own.
        tensor: The class of eager tensors.
        full: What full stores took in the looks before.
    """
    bounded = [each for each in stores if BOUND.__get__(each) is not None and deque.__len__(each)]
    bounded.sort(key=deque.__len__, reverse=True)
    found: Counter[str] = Counter({"bounded_items": 0})
    full.keep([each for each in bounded if deque.__len__(each) == BOUND.__get__(each)])
    weighing = Weighing(readers, tensor)
    for number, store in enumerate(bounded):
        try:
            if number >= MOST_STORES:
                raise Unknown
            found.update(_weighed(store, weighing, full))
        except (Unknown, IndexError, RuntimeError):  # a thread of the loop's changed it meanwhile
            count = deque.__len__(store)
            found.update({"bounded_items": count, "bounded_unknown": count})
    return {name: float(value) for name, value in found.items()}


def can_be_filled(store: deque[Any], entries: Sequence[Entry]) -> bool:
    """Tell whether there is memory for as many entries as a store may hold.

    Args:
        store: With a bound.
        entries: Those that were looked at.
    """
    bound = BOUND.__get__(store)
    each = POINTER_BYTES + sum(entry.least_bytes for entry in entries) / len(entries)
    return bool(deque.__len__(store) == bound or bound * each <= memory_limit())


def entries_of(store: deque[Any], weighing: Weighing) -> list[Entry]:
    """Return some entries of a store, from the oldest to the newest that is complete.

    Raises:
        Unknown, IndexError, RuntimeError: If they cannot be weighed, or are changed meanwhile.
    """
    entries = []
    for place in _places(deque.__len__(store)):
        if place:  # a state is the next state of the entry before it, and in memory once
            weighing.entry([deque.__getitem__(store, place - 1)])
        entries.append(weighing.entry([deque.__getitem__(store, place)]))
    return entries


def _weighed(store: deque[Any], weighing: Weighing, full_stores: FullStores) -> dict[str, float]:
    count = deque.__len__(store)
    entries = entries_of(store, weighing)
    if not can_be_filled(store, entries):
        return {}
    tensors = max(each.tensors for each in entries)
    full = count == BOUND.__get__(store)
    blank = full and not entries[0].most_bytes and entries[-1].most_bytes > 0
    least = count * (POINTER_BYTES + min(each.least_bytes for each in entries))
    return {
        "bounded_items": count,
        "bounded_blank": count * blank,
        "bounded_least_bytes": full_stores.at_first(store, least) if full else least,
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
