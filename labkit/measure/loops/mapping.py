"""What Python's ``map`` goes through, made so that its turns are told.

A map is more than a loop: it may be kept, be asked on after its end, be shared by threads, and end
with what a generator returns. So nothing of this is let go of before the map is, and nothing of it
ends: `chain`, of which a loop's is made, drops what it goes through at the end, also while another
thread is still within (recorded: its memory was used again, and an object of the script's was
called).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import compress, repeat
from typing import Any, Generic, TypeVar

from labkit.measure.loops.going_through import MAP, NAP, Followed, Telling

Item = TypeVar("Item")
# Python's own, whatever a program puts in its place.
NEXT = next


def taken(items: Iterable[Item]) -> Iterator[Item]:
    """Return what takes the items from their iterator, which is asked for now and never again.

    Python asks whatever it goes through. Of an iterator of the program's that would begin anew, or
    it has no ``__iter__``.
    """
    return MAP(NEXT, repeat(iter(items)))


class MapItems(Generic[Item]):
    """Items whose iterator is asked for where Python does: by the map, after all its arguments.

    Args:
        items: What is gone through.
        followed: Is told.
    """

    __slots__ = ("_followed", "_items")

    def __init__(self, items: Iterable[Item], followed: Followed) -> None:
        self._items, self._followed = items, followed

    def __iter__(self) -> Iterator[Item]:
        source = iter(self._items)
        telling = _TellingMap(self._followed)
        # A dict's `get` returns its second argument where it does not know the first: the item.
        passed: dict[None, Item] = {}
        told = MAP(passed.get, MAP(telling.before_item, repeat(None)), MAP(NEXT, repeat(source)))
        made = _Items(told, MAP(telling.after_item, repeat(None)))
        made.source = source
        return made


class _Items(compress):  # type: ignore[type-arg]
    """The items; pickled and copied as the reader's own iterator, which tells nobody.

    Attributes:
        source: That iterator.
    """

    __slots__ = ("source",)
    source: Iterator[Any]

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Iterator[Any]]]:
        return NEXT, (iter([self.source]),)


class _TellingMap(Telling):
    """Tells of one map; of one that nobody asks for, now and then."""

    __slots__ = ()

    def before_item(self, _: None) -> None:
        if self.naps <= 0:
            self.begun = True
            if not self.followed.begins():
                self.naps = NAP

    def after_item(self, _: None) -> bool:
        if self.naps > 0:  # threads that share a map may take one too many
            self.naps -= 1
        else:
            self.followed.has_begun()
        return True
