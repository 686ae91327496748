"""Weight: what one entry of a store adds to the heap, and to the objects of the reader's classes.

As in `object_sizes`, nothing of the reader's is called on the way.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from labkit.measure.memory.instance import attributes, class_name, container
from labkit.measure.memory.reach.plain_numbers import MOST_LOOKED_AT, PLAIN, TEXTS, last_item
from labkit.measure.memory.reach.size import owner, tensor_bytes

# Python's own objects of so many bytes or fewer lie in pools beside the heap.
SMALLEST_ON_HEAP = 513
# What TensorFlow keeps beside the values of an eager tensor, in 2.21; measured.
TENSOR_BYTES = 600.0
MOST_NESTED = 4
# A view that shows less than this of its array may share it with all others.
LEAST_SHOWN = 0.5


class Unknown(Exception):
    """Something is in the entry of which nobody knows how much memory it takes."""


class Entry:
    """What one entry holds.

    Args:
        readers: Tells whether a class is the reader's own.
        tensor: The class of eager tensors.
        but: Ids of what is not counted again, as an entry before it has it, too.

    ``heap_bytes`` is what it takes of the heap; ``instances`` counts the objects of each class of
    the reader's, by name; ``seen`` are the ids of all that it holds.
    """

    def __init__(
        self,
        readers: Callable[[type], bool],
        tensor: type | None,
        but: frozenset[int] = frozenset(),
    ) -> None:
        self._readers = readers
        self._tensor = tensor
        self._but = but
        self.seen: set[int] = set()
        self.heap_bytes = 0.0
        self.instances: Counter[str] = Counter()

    def add(self, each: object, times: float = 1.0, depth: int = 0) -> None:
        """Count an object and what is in it.

        Args:
            each: The object.
            times: For how many like it it stands.
            depth: How far inside the entry it lies.

        Raises:
            Unknown: If it holds something of a kind that cannot be weighed.
        """
        if id(each) in self.seen:
            return
        self.seen.add(id(each))
        new = times * (id(each) not in self._but)
        kind = type(each)
        self.heap_bytes += new * self._own_bytes(each)
        if self._readers(kind):
            self.instances[class_name(kind)] += new  # type: ignore[assignment]
        for item, alike in self._inner(each):
            if depth >= MOST_NESTED:
                raise Unknown
            self.add(item, times * alike, depth + 1)

    def _own_bytes(self, each: Any) -> float:
        kind = type(each)
        if kind is np.ndarray:
            return _array_bytes(each)
        if kind is self._tensor:
            return TENSOR_BYTES + (tensor_bytes(each) or 0.0)
        built_in: Any = container(kind) or next((text for text in TEXTS if kind is text), None)
        if built_in is not None:
            size = built_in.__sizeof__(each)
            return float(size) if size >= SMALLEST_ON_HEAP else 0.0
        plain = any(kind is number for number in PLAIN) or issubclass(kind, np.generic)
        if plain or self._readers(kind):
            return 0.0
        raise Unknown

    def _inner(self, each: Any) -> Iterator[tuple[object, float]]:
        kind = type(each)
        built_in = container(kind)
        if built_in is not None:
            held = list(dict.values(each) if built_in is dict else built_in.__iter__(each))
            shown = held[:MOST_LOOKED_AT]
            yield from ((item, len(held) / len(shown)) for item in shown)
        if self._readers(kind):
            yield from ((item, 1.0) for item in attributes(each).values())


def newest_entry(
    store: object,
    readers: Callable[[type], bool],
    tensor: type | None,
) -> Entry | None:
    """Return what the newest entry of a store adds to those before it; None where nobody knows.

    Args:
        store: A container; of a deque the entry before the newest is looked at, too.
        readers: Tells whether a class is the reader's own.
        tensor: The class of eager tensors.
    """
    try:
        before = Entry(readers, tensor)
        if type(store) is deque and deque.__len__(store) > 1:
            # A state is the next state of the entry before it, and in memory once.
            before.add(deque.__getitem__(store, -2))
        newest = Entry(readers, tensor, frozenset(before.seen))
        newest.add(last_item(store))
    except (Unknown, IndexError, RuntimeError):  # a thread of the loop's changed it meanwhile
        return None
    return newest


def _array_bytes(array: Any) -> float:
    if array.dtype.hasobject:
        raise Unknown
    whole = owner(array)
    if whole.base is not None or array.nbytes < LEAST_SHOWN * whole.nbytes:
        raise Unknown
    return float(whole.nbytes)
