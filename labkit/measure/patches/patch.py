"""A patched function: one that all work of a kind passes, wrapped so that its time is recorded.

Wrapped by functions of our own, not by the package wrapt that TensorFlow brings: with the same body
a call of its wrapper takes 1.3 us where one of ours takes 0.5, and a step may pass a hundred
(docs/benchmarks.md, "A patched call"). What it wraps also cannot be pickled, what is set on its
wrapper stays on the function, and TensorFlow does not ask for a version that can unwrap again.
"""

from __future__ import annotations

import sys
from types import BuiltinFunctionType
from typing import Any

from labkit.measure.clock.timers import Timers
from labkit.measure.clock.timing import After, Before, Timed, Unbound, timed

# Written on each function that is hooked in: the hook it belongs to.
HOOK = "labkit_hook"


class Patch:
    """One attribute of a class or module that is another function until it is closed.

    Patches over each other may be closed in any order.

    Args:
        owner: The class or module.
        name: The attribute's name.
        made: What it is to be.
    """

    def __init__(self, owner: Any, name: str, made: Timed) -> None:
        self._owner = owner
        self._name = name
        # From the owner's own dictionary: an inherited function set back on the subclass would
        # shadow its parent's for ever. And not by getattr: a staticmethod must stay one.
        self._own = name in vars(owner)
        self._kept = vars(owner)[name] if self._own else getattr(owner, name)
        self._open = True
        kind = type(self._kept)
        vars(made)[HOOK] = self
        self._set: Any = kind(made) if kind in (staticmethod, classmethod) else made
        setattr(owner, name, self._set)

    def close(self) -> None:
        """Put back what was there, unless somebody has put something else there since."""
        self._open = False
        # What was put over ours calls ours: taking that away would undo the work of others. If it
        # is one of ours it passes over this one when it goes itself.
        if vars(self._owner).get(self._name) is not self._set:
            return
        last = self
        while (below := last._below()) is not None and not below._open:
            last = below
        if last._own:
            setattr(self._owner, self._name, last._kept)
        else:
            delattr(self._owner, self._name)

    def _below(self) -> Patch | None:
        """Return the hook over which this one was put, None if there was another function."""
        below = getattr(getattr(self._kept, "__func__", self._kept), HOOK, None)
        # Wrappers of others take over what is written on ours; those are not to be passed over.
        return below if isinstance(below, Patch) and below._set is self._kept else None


def timed_patch(
    owner: Any,
    name: str,
    timers: Timers,
    place: int | None,
    *,
    before: Before | None = None,
    after: After | None = None,
    alone: bool = False,
) -> Patch:
    """Wrap one attribute of a class or module so that its calls are timed, until it is closed.

    Args:
        owner: The class or module that has the function.
        name: The attribute's name.
        timers: The timers.
        place: The number of the place to record for; None only counts.
        before: As for `timed`.
        after: As for `timed`.
        alone: As for `timed`.

    Raises:
        AttributeError: If the owner has no such attribute.
    """
    kept = vars(owner).get(name)
    # Of a classmethod the function that takes the class.
    original: Timed = kept.__func__ if isinstance(kept, classmethod) else getattr(owner, name)
    if place is not None:
        timers.watch(original, place)
    made = timed(original, timers, place, before=before, after=after, alone=alone)
    # Readers may give a function of Python's own a name of theirs; TensorFlow's are not theirs.
    if isinstance(original, BuiltinFunctionType) and original.__module__ in sys.stdlib_module_names:
        made = Unbound(made)
    return Patch(owner, name, made)
