"""What a loop goes through, made so that its turns are told and nothing stands between.

A generator of ours would be a frame between the loop and the reader's iterator: a warning with
``stacklevel=2`` would be ours, tracebacks would have an entry more, and what the loop goes through
would be held to its end. So it is put together from Python's own iterators, written in C. They hold
no item while the next one is made, and take 25 ns a turn while nothing is to be told.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, compress, count, repeat
from typing import Any, Protocol, TypeVar

Item = TypeVar("Item")
# Returned by what is called before and after each item when nothing is to be told for a while.
QUIET = object()
# For so many items. A loop that passes over the steps of an earlier run trains after these.
NAP = 2_000
# Python's own, whatever a program puts in its place.
MAP = map
NO_ITERATOR = "The __iter__ of what the loop goes through raised StopIteration."


class Followed(Protocol):
    """Who is told of a loop."""

    def begins(self) -> bool:
        """Hear that the next item is asked for; return whether to be told on."""

    def has_begun(self) -> None:
        """Hear that it came."""

    def owes(self, error: BaseException) -> None:
        """Take what must still be raised: Python drops it where it was."""

    def ends(self) -> None:
        """Hear that the loop is over, in whatever way; called once, if it had begun."""


def going_through(items: Iterable[Item], followed: Followed) -> Iterator[Item]:
    """Return an iterator over some items.

    ``iter(items)`` is called when the first one is asked for, from where that is asked, and once.

    Args:
        items: What is gone through; let go of as soon as its iterator is there.
        followed: Is told.
    """
    telling = Telling(followed)
    # Both sleep at the same item and for as many of them, so that they never get apart.
    before = chain.from_iterable(MAP(partial(_with_naps, telling.before, None), count()))
    after = chain.from_iterable(MAP(partial(_with_naps, telling.after, True), count()))
    # A dict's `get` returns its second argument where it does not know the first: the item.
    with_before = partial(MAP, {}.get, before)
    # Popped, so that nobody holds the items but their iterator.
    waiting = {0: items}
    told = chain.from_iterable(MAP(with_before, MAP(waiting.pop, (0,))))
    made = _GoingThrough(compress(told, after), iter(telling.at_end, QUIET))
    made.waiting, made.told = waiting, told
    return made


class _GoingThrough(chain[Item]):
    """What is gone through; pickled and copied as the reader's own iterator, which tells nobody.

    Attributes:
        waiting: The items, under 0, until they are asked for their iterator.
        told: What that iterator is within, until it is at its end.
    """

    __slots__ = ("told", "waiting")
    waiting: dict[int, Iterable[Item]]
    told: chain[Item]

    def __reduce__(self) -> tuple[Callable[..., Iterator[Item]], tuple[Iterable[Item]]]:
        return iter, (self._rest(),)

    def _rest(self) -> Iterable[Item]:
        for items in self.waiting.values():
            return items
        with warnings.catch_warnings():
            # Of Python 3.12 on: that iterators of this kind will not be pickled by 3.14.
            warnings.simplefilter("ignore", DeprecationWarning)
            state: Sequence[Any] = self.told.__reduce__()[2:]
        if not state or len(state[0]) < 2:
            return iter(())
        # A map of what is called before each item, and of the reader's iterator.
        rest: Iterator[Item] = state[0][1].__reduce__()[1][-1]
        return rest


def _with_naps(tell: Callable[[], object], asleep: object, _: int) -> Iterator[object]:
    """Return what `tell` returns until nothing is to be told, and then one thing for a nap."""
    return chain(iter(tell, QUIET), repeat(asleep, NAP))


class _Told:
    """Tells of one loop, which has ended; a loop begins as `Telling`."""

    __slots__ = ("_goes_on", "begun", "followed", "naps")

    def __init__(self, followed: Followed) -> None:
        self.begun = False
        self._goes_on = True
        self.naps = 0  # so many items more of a map nothing is told
        self.followed = followed  # last: a handler of signals may raise before it

    def before(self) -> object:
        self.begun = True
        self._goes_on = self.followed.begins()
        return None if self._goes_on else QUIET

    def after(self) -> object:
        if not self._goes_on:
            return QUIET
        self.followed.has_begun()
        return True

    def at_end(self) -> object:
        if not self.begun:
            # Python would raise it in the loop. Raised here, it would end the loop in silence.
            raise RuntimeError(NO_ITERATOR)
        return self.over()

    def over(self) -> object:
        # No handler of signals shall run, and raise, while it goes: Python would drop the error.
        self.__class__ = _Told
        if self.begun:
            self.begun = False
            self.followed.ends()
        return QUIET


class Telling(_Told):
    """Tells of one loop; it ends with the iterator, if that is left before its end."""

    __slots__ = ()

    def __del__(self) -> None:
        if not hasattr(self, "followed"):
            return
        try:
            self.over()
        except BaseException as error:  # of a handler of signals; a timeout would be lost
            self.followed.owes(error)
