"""Entry: what one entry of a store takes of the heap, and which objects of the reader's it holds.

As in `object_sizes`, nothing of the reader's is called on the way.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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
# So many objects in all take a tenth of a second.
MOST_OBJECTS = 20_000
# What a dict or an object holds, and the arrays of a list, are all looked at, up to so many. Of
# more, and of more than so few lists, dicts or objects in a list, those at some places stand for
# the rest: pictures as lists of lists took seconds.
MOST_LOOKED_AT, FEW = 64, 12
# Numbers are left out before, where there are no more than so many items in all. So many take as
# long as one object.
MOST_SORTED, AS_ONE = 256, 16
# Where a list is looked at, in terms of its length: no period of its items stays in step with it.
PLACES = (0.0, 0.23, 0.51, 0.77, 1.0)
# By number: looking up a class itself would call its metaclass's __hash__.
NUMBERS_AND_TEXTS = frozenset(
    id(each)
    for each in (*TEXTS, *PLAIN, *np.sctypeDict.values())
    if not issubclass(each, (np.flexible, np.object_))
)
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
        most: int = MOST_LOOKED_AT,
        depth: int = 0,
        shared: bool = False,
    ) -> None:
        if held and depth > MOST_NESTED:
            raise Unknown
        if len(held) > most:
            self._walk_some(held, found, depth, shared)
            return
        for place in range(len(held)):  # a name for the item would be one reference more
            self._add(held[place], found, depth, shared)

    def _walk_some(self, held: list[Any], found: Entry, depth: int, shared: bool) -> None:
        looked_at: dict[int, Entry] = {}
        for place in _places(len(held)):
            looked_at[place] = Entry()
            self._add(held[place], looked_at[place], depth, shared)
        _add_list(found, looked_at, len(held))

    def _add(self, each: Any, found: Entry, depth: int, shared: bool) -> None:
        if _weighs_nothing(each):
            return
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
        inner: list[tuple[list[Any], int]] = []
        if kind is np.ndarray:
            size, shared = self._array(each, shared)
            more = BLOCK_BYTES
        elif kind is self._tensor:
            size = tensor_bytes(each) or 0.0
            more = size + MOST_TENSOR_BYTES
            size += TENSOR_BYTES * (size > OF_A_NUMBER)
            found.tensors += 1
        else:
            size, more = _own_bytes(each, self._readers), 0.0
            if self._readers(kind):
                found.instances[class_name(kind)] += 1
            inner = self._inner(each)
        found.least_bytes += size * (not shared)
        found.most_bytes += size + more + PAGE_BYTES * (size > LARGE_BLOCK)
        for held, most in inner:
            self._walk(held, found, most, depth + 1, shared)

    def _inner(self, each: Any) -> list[tuple[list[Any], int]]:
        """Return what something holds, and of how many at most all are looked at."""
        held: list[Any] = []
        built_in = container(type(each))
        if built_in is not None:
            held = list(dict.values(each) if built_in is dict else built_in.__iter__(each))
        if self._readers(type(each)):
            held += attributes(each).values()
        if len(held) > MOST_SORTED:
            return [(held, FEW)]
        self._left -= len(held) // AS_ONE
        heavy = [item for item in held if not _weighs_nothing(item)]
        arrays = [item for item in heavy if self._is_array(item)]
        others = [item for item in heavy if not self._is_array(item)]
        of_fields = built_in is None or built_in is dict
        return [(arrays, MOST_LOOKED_AT), (others, MOST_LOOKED_AT if of_fields else FEW)]

    def _is_array(self, each: Any) -> bool:
        return type(each) is np.ndarray or type(each) is self._tensor

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
    elif id(kind) in NUMBERS_AND_TEXTS:
        size = float(sys.getsizeof(each))
    elif (built_in := container(kind)) is not None:
        size = float(built_in.__sizeof__(each))
    elif readers(kind):
        return 0.0
    else:
        raise Unknown
    return size if size >= SMALLEST_ON_HEAP else 0.0


def _weighs_nothing(each: Any) -> bool:
    return id(type(each)) in NUMBERS_AND_TEXTS and sys.getsizeof(each) < SMALLEST_ON_HEAP


def _places(count: int) -> list[int]:
    """Return where a list is looked at: everywhere two items, for they may share something."""
    # And three at each end, should every other item be of another kind.
    firsts = [int(share * (count - 2)) for share in PLACES]
    return sorted({2, count - 3, *firsts, *(first + 1 for first in firsts)})


def _add_list(found: Entry, looked_at: Mapping[int, Entry], count: int) -> None:
    """Add what a list takes, as if the rest were all like the lightest or the heaviest item.

    Args:
        found: To which it is added.
        looked_at: What the items take that were looked at, by their places.
        count: How many items the list has.

    Raises:
        Unknown: If they differ in how many tensors or objects they hold.
    """
    rest = count - len(looked_at)
    least = [each.least_bytes for each in looked_at.values()]
    most = [each.most_bytes for each in looked_at.values()]
    found.least_bytes += sum(least) + rest * min(least)
    found.most_bytes += sum(most) + rest * max(most)
    # What an item shares with the one before it is in memory once.
    later = [each for place, each in looked_at.items() if place - 1 in looked_at]
    alike = later[0]
    if any((each.tensors, each.instances) != (alike.tensors, alike.instances) for each in later):
        raise Unknown
    for each, times in ((looked_at[0], 1), (alike, count - 1)):
        found.tensors += times * each.tensors
        for name, many in each.instances.items():
            found.instances[name] += times * many
