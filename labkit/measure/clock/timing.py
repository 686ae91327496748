"""Timing a function: the wrapper that counts its calls for a place, as cheaply as Python allows.

A step of a millisecond may pass a hundred of these. What they need is held in plain locals, and
there is one wrapper for each need, because a question that is always answered alike costs as much
as one that is not. A wrapped call costs half a microsecond, and one to two where the work between
two calls empties the caches.
"""

from __future__ import annotations

import copyreg
import functools
import pkgutil
import sys
import threading
from collections.abc import Callable
from types import BuiltinFunctionType
from typing import Any

from labkit.measure.clock.source_names import raised_by_kit
from labkit.measure.clock.timers import NONE, Timers

Before = Callable[[tuple[Any, ...]], object]
After = Callable[[tuple[Any, ...], Any], object]
Timed = Callable[..., Any]


def timed(
    original: Timed,
    timers: Timers,
    place: int | None,
    *,
    before: Before | None = None,
    after: After | None = None,
    alone: bool = False,
) -> Timed:
    """Return a function that does what the original does, and records its time.

    Args:
        original: Called with the same arguments.
        timers: The timers.
        place: The number of the place to record for; None only counts.
        before: Called with the positional arguments at every call, on whatever thread.
        after: Called with the arguments and the result when a call has returned.
        alone: Record only where no other place is open but those that surround all work.
    """
    if place is None:
        made = _counted(original, before, after)
    else:
        made = _alone(original, timers, place) if alone else _recorded(original, timers, place)
        if before is not None or after is not None:
            made = _counted(made, before, after)
    return dressed(made, original)


def counted(original: Timed, timers: Timers, at: int) -> Timed:
    """Return a method that does what the original does, and counts its calls.

    Args:
        original: Takes ``self`` and one more argument. Two names rather than any number of them:
            a call that the interpreter need not pack costs half as much.
        timers: The timers; calls on its thread are counted, among its values.
        at: Where the count stands there.
    """
    thread, ident, values = timers.thread, threading.get_ident, timers.values

    def call(self: Any, other: Any) -> Any:
        if ident() == thread:
            values[at] += 1
        return original(self, other)

    return dressed(call, original)


def dressed(made: Timed, original: Timed) -> Timed:
    """Give a wrapper the original's name and papers."""
    functools.update_wrapper(made, original)
    # TensorFlow's AutoGraph would otherwise look for the wrapper's source and convert that.
    vars(made)["autograph_info__"] = {}
    return made


def picklable_as_before(function: BuiltinFunctionType) -> object:
    """Return how a function written in C is pickled: by its name, as ever.

    Pickle refuses what is not found under its own name. Whoever has taken such a function by a name
    of theirs, before it was wrapped, has what is not found there any more; what is found is what
    will do the same, where it is read.
    """
    module = sys.modules.get(function.__module__ or "")
    found = getattr(module, function.__name__, None)
    if isinstance(found, Unbound) and found.wraps(function):
        return pkgutil.resolve_name, (f"{function.__module__}:{function.__name__}",)
    return function.__reduce__()


class Unbound:
    """A wrapper that does not become a method, as a function written in C does not.

    ``class Trainer: log = print`` prints what it is given; a plain function in the place of `print`
    would be given the trainer as well.

    Args:
        made: What it calls, a wrapper of the function.
    """

    def __init__(self, made: Timed) -> None:
        functools.update_wrapper(self, made)
        self._made = made
        copyreg.pickle(BuiltinFunctionType, picklable_as_before)  # type: ignore[arg-type]

    def wraps(self, function: object) -> bool:
        """Tell whether it is a wrapper of a function, or of one of its wrappers."""
        within: Any = self._made
        while within is not None and within is not function:
            within = getattr(within, "__wrapped__", None)
        return within is function

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Do what the wrapper does."""
        return self._made(*args, **keywords)

    def __reduce__(self) -> str:
        """Be pickled by name, as the function is."""
        return str(vars(self)["__name__"])


def unharmed(note: Timed) -> Timed:
    """Return what notes something, and raises nothing of ours into the reader's call."""

    def noted(*args: Any) -> None:
        try:
            note(*args)
        except Exception as error:
            # It may also be the reader's own, of a handler of signals that came meanwhile.
            if not raised_by_kit(error):
                raise

    return noted


def _recorded(original: Timed, timers: Timers, place: int) -> Timed:
    clock, thread, ident = timers.clock, timers.thread, threading.get_ident
    seconds, hand = timers.seconds, timers.hand

    def recorded(*args: Any, **keywords: Any) -> Any:
        if ident() != thread:
            return original(*args, **keywords)
        outer, now = hand.place, clock()
        if outer != NONE:
            seconds[outer] += now - hand.since
        hand.place = place
        hand.since = now
        try:
            return original(*args, **keywords)
        finally:
            now = clock()
            seconds[place] += now - hand.since
            hand.place = outer
            hand.since = now

    return recorded


def _alone(original: Timed, timers: Timers, place: int) -> Timed:
    recorded = _recorded(original, timers, place)
    hand, around = timers.hand, timers.around

    def alone(*args: Any, **keywords: Any) -> Any:
        if hand.place != NONE and not around[hand.place]:
            return original(*args, **keywords)
        return recorded(*args, **keywords)

    return alone


def _counted(original: Timed, before: Before | None, after: After | None) -> Timed:
    before, after = before and unharmed(before), after and unharmed(after)
    if after is None:
        assert before is not None

        def seen(*args: Any, **keywords: Any) -> Any:
            before(args)
            return original(*args, **keywords)

        return seen

    def followed(*args: Any, **keywords: Any) -> Any:
        if before is not None:
            before(args)
        result = original(*args, **keywords)
        after(args, result)
        return result

    return followed
