"""Objects, their attributes and their classes, read without asking the object or the class.

``x.__dict__``, ``x.__class__`` and ``C.__mro__`` may each run code of the reader's; the
interpreter's own descriptors may not.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from itertools import compress
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

# A million objects take a quarter of this. For as long another thread that computes may wait.
HELD_SECONDS = 1.0
USUAL_SECONDS = 0.005  # CPython's own switch interval
# A program may have set hours, and would be held up for as long.
LONGEST_INTERVAL_SECONDS = 0.1
# The interval is the whole process's. Two who changed it at once left it so long for ever.
_CHANGING_INTERVAL = threading.Lock()
_MRO: Any = type.__dict__["__mro__"]
_CONTAINERS: tuple[type, ...] = (dict, list, tuple, deque, set, frozenset)
_DICT: Any = type.__dict__["__dict__"]
_NAME: Any = type.__dict__["__name__"]


def lineage(kind: type) -> tuple[type, ...]:
    """Return a class and all its bases, in the order in which attributes are looked up."""
    found: tuple[type, ...] = _MRO.__get__(kind)
    return found


def class_name(kind: type) -> str:
    """Return a class's name."""
    found: str = _NAME.__get__(kind)
    return found


def class_dict(kind: type) -> Mapping[str, Any]:
    """Return what a class itself defines."""
    found: Mapping[str, Any] = _DICT.__get__(kind)
    return found


def method_of(kind: type, name: str) -> object:
    """Return a class's function of this name, as it was written."""
    return next(
        (class_dict(each)[name] for each in lineage(kind) if name in class_dict(each)), None
    )


def derives(kind: type, base: type) -> bool:
    """Return whether a class is another or derives from it."""
    return any(each is base for each in lineage(kind))


def container(kind: type) -> Any:
    """Return the built-in container a class is or derives from; None for all others.

    Its own methods, such as ``list.__len__(x)``, are safe on whatever derives from it.
    """
    # A class is compared by identity: `in` would ask its metaclass's __eq__.
    bases = lineage(kind)
    return next((each for each in _CONTAINERS if any(base is each for base in bases)), None)


def attributes(each: object) -> dict[str, object]:
    """Return an object's own attributes by name: its dictionary's and its slots'; no properties."""
    found: dict[str, object] = {}
    kind = type(each)
    for base in lineage(kind):
        for name, descriptor in class_dict(base).items():
            if type(descriptor) is MemberDescriptorType and name != "__dict__":
                try:
                    found.setdefault(name, descriptor.__get__(each, kind))
                except AttributeError:  # a slot with nothing in it
                    continue
            elif name == "__dict__" and _is_descriptor(descriptor):
                try:
                    own = descriptor.__get__(each, kind)
                except AttributeError:  # of a proxy it asks what is within, as of a dict in a model
                    continue
                if type(own) is dict:
                    found |= own
    return found


def _is_descriptor(each: object) -> bool:
    """Return whether it is the interpreter's own, and not a property of the reader's."""
    return type(each) is GetSetDescriptorType or type(each) is MemberDescriptorType


def objects_of(type_ids: Container[int]) -> tuple[list[Any], int]:
    """Return all objects of some types that Python's collector knows, and how many it knows in all.

    By the ids of their types, because looking up a type itself would call its metaclass's
    ``__hash__``. Everything inside the maps is C: a loop in Python would take twice as long.

    Args:
        type_ids: The ``id`` of each type.
    """
    with other_threads_waiting():
        objects = gc.get_objects()
        found = list(compress(objects, map(type_ids.__contains__, map(id, map(type, objects)))))
        count = len(objects)
        del objects
    return found, count


@contextmanager
def other_threads_waiting(clock: Callable[[], float] = time.perf_counter) -> Iterator[None]:
    """Let no other thread of Python run while all objects are held.

    A tuple that one is just filling from a generator must not be held by anybody else when it goes
    on (CPython's ``_PyTuple_Resize``; recorded: ``SystemError: bad argument to internal function``
    in the readers of a Keras data set). A thread asks for its turn only after the switch interval,
    which is made longer, and whoever had begun to wait for the old one is let go first.
    """
    # Also where Python knows of no other thread: TensorFlow's own run the reader's generators.
    # A process that was forked meanwhile has it locked, and nobody to let go of it.
    locked = _CHANGING_INTERVAL.acquire(timeout=HELD_SECONDS)
    before = sys.getswitchinterval()
    if not locked and before == HELD_SECONDS:  # what somebody else has set, and no reader
        before = USUAL_SECONDS
    sys.setswitchinterval(HELD_SECONDS)
    try:
        # Bound long ago: a clock of the loop's own may stand still.
        until = clock() + 2 * min(before, LONGEST_INTERVAL_SECONDS)
        while clock() < until:
            pass
        yield
    finally:
        sys.setswitchinterval(before)
        if locked:
            _CHANGING_INTERVAL.release()
