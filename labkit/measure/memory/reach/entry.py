"""Entry: what one entry of a store takes of the heap, and which objects of the reader's it holds.

As in `object_sizes`, nothing of the reader's is called on the way.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from labkit.measure.memory.instance import attributes, class_name, container
from labkit.measure.memory.reach.plain_numbers import PLAIN, TEXTS
from labkit.measure.memory.reach.size import owner, tensor_bytes

# Python's own objects of so many bytes or fewer lie in pools beside the heap.
SMALLEST_ON_HEAP = 513
# What TensorFlow keeps beside the values of an eager tensor, in 2.21: measured, 600 bytes, nothing
# for a number that it has met before; for one made of an array as much as that, and 3,300.
TENSOR_BYTES, MOST_TENSOR_BYTES, OF_A_NUMBER = 600.0, 2_800.0, 8.0
# What the C library adds to a block, and to one that it maps by itself a page.
BLOCK_BYTES, LARGE_BLOCK, PAGE_BYTES = 150.0, 60_000, 4_112.0
MOST_NESTED = 4
# Of a longer container the first items stand for all: pictures as lists of lists took seconds. So
# many objects in all take a tenth of a second.
MOST_LOOKED_AT, MOST_OBJECTS = 8, 20_000
# A view that shows less than this of its array may share it with all others.
LEAST_SHOWN = 0.5


class Unknown(Exception):
    """Something is in the entry of which nobody knows how much memory it takes."""


@dataclass
class Entry:
    """What an entry takes.

    Args:
        least_bytes: Of the heap, without what somebody else holds as well.
        most_bytes: With that, and with all that the allocator may add.
        tensors: Eager tensors in it.
        instances: Objects of each class of the reader's, by its name.
    """

    least_bytes: float = 0.0
    most_bytes: float = 0.0
    tensors: float = 0.0
    instances: Counter[str] = field(default_factory=Counter)


class Weighing:
    """Weighs entries, and what several of them hold once.

    Args:
        readers: Tells whether a class is the reader's own.
        tensor: The class of eager tensors.
        most_objects: How many it may look at in all; beyond them, nothing can be weighed.
    """

    def __init__(
        self,
        readers: Callable[[type], bool],
        tensor: type | None,
        most_objects: int = MOST_OBJECTS,
    ) -> None:
        self._readers = readers
        self._tensor = tensor
        self._seen: set[int] = set()
        self._left = most_objects
        # As many references has what its container alone holds, as these functions pass it on;
        # they differ from one version of Python to the next.
        self._alone = 2**31
        self._fewest = self._alone
        alone = (np.zeros(0),)
        self._walk(list(alone), Entry())
        self._alone, self._seen = self._fewest, set()

    def entry(self, held: list[Any]) -> Entry:
        """Return what an entry takes beside all that was weighed before.

        Args:
            held: The entry alone.

        Raises:
            Unknown: If it holds something of a kind that cannot be weighed.
        """
        found = Entry()
        self._walk(held, found)
        return found

    def _walk(
        self,
        held: list[Any],
        found: Entry,
        times: float = 1.0,
        depth: int = 0,
        shared: bool = False,
    ) -> None:
        if held and depth > MOST_NESTED:
            raise Unknown
        times *= len(held) / max(1, min(len(held), MOST_LOOKED_AT))
        for item in islice(held, MOST_LOOKED_AT):
            self._add(item, found, times, depth, shared)

    def _add(self, each: Any, found: Entry, times: float, depth: int, shared: bool) -> None:
        self._left -= 1
        if self._left < 0:
            raise Unknown
        references = sys.getrefcount(each)
        self._fewest = min(self._fewest, references)
        if id(each) in self._seen:
            return
        self._seen.add(id(each))
        shared = shared or references > self._alone
        kind = type(each)
        if kind is np.ndarray:
            size, shared = self._array(each, shared)
            more = BLOCK_BYTES
        elif kind is self._tensor:
            size = tensor_bytes(each) or 0.0
            more = size + MOST_TENSOR_BYTES
            size += TENSOR_BYTES * (size > OF_A_NUMBER)
            found.tensors += times
        else:
            size, more = _own_bytes(each, self._readers), 0.0
        found.least_bytes += times * size * (not shared)
        found.most_bytes += times * (size + more + PAGE_BYTES * (size > LARGE_BLOCK))
        if self._readers(kind):
            found.instances[class_name(kind)] += times  # type: ignore[assignment]
        self._walk(_inner(each, self._readers), found, times, depth + 1, shared)

    def _array(self, array: Any, shared: bool) -> tuple[float, bool]:
        if array.dtype.hasobject:
            raise Unknown
        whole = owner(array)
        if whole.base is not None or array.nbytes < LEAST_SHOWN * whole.nbytes:
            raise Unknown
        if whole is not array:
            # Held by its view, by a name here, and by who counts.
            shared = shared or sys.getrefcount(whole) > 3
            if id(whole) in self._seen:
                return 0.0, shared
            self._seen.add(id(whole))
        return float(whole.nbytes), shared


def _own_bytes(each: Any, readers: Callable[[type], bool]) -> float:
    kind = type(each)
    if issubclass(kind, np.generic):
        size = float(each.nbytes)
    elif (built_in := _built_in(kind)) is not None:
        size = float(built_in.__sizeof__(each))
    elif readers(kind):
        return 0.0
    else:
        raise Unknown
    return size if size >= SMALLEST_ON_HEAP else 0.0


def _built_in(kind: type) -> Any:
    of_one_value: Sequence[type] = (*TEXTS, *PLAIN)
    return container(kind) or next((each for each in of_one_value if kind is each), None)


def _inner(each: Any, readers: Callable[[type], bool]) -> list[Any]:
    kind = type(each)
    held: list[Any] = []
    built_in = container(kind)
    if built_in is not None:
        held = list(dict.values(each) if built_in is dict else built_in.__iter__(each))
    if readers(kind):
        held += attributes(each).values()
    return held
