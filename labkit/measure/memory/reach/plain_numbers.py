"""Plain numbers: how many of them something holds that holds nothing else, as a training's history.

As in `object_sizes`, nothing of the reader's is called on the way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import NoneType

import numpy as np

from labkit.measure.memory.instance import attributes, container

MOST_NESTED = 3  # as in a dict, for each run, of a dict of lists
MOST_LOOKED_AT = 64  # of what is larger the first items stand for all
# An empty container takes as much memory as four numbers, and so many letters as one.
OF_CONTAINER, LETTERS_OF_NUMBER = 4.0, 32
LEAST_TEXT = 1_000  # a shorter text is a name or a message
TEXTS = (str, bytes, bytearray)
PLAIN: tuple[type, ...] = (int, float, bool, complex, NoneType)
# An array of so many bytes takes as much memory as one number in a list.
BYTES_OF_NUMBER = 32.0


def last_item(each: object) -> object:
    """Return the last item of a list or a dict, one of a set; None where there is none."""
    built_in = container(type(each))
    try:
        if built_in in (list, deque):
            return built_in.__getitem__(each, -1)
        if built_in in (set, frozenset):
            return next(iter(built_in.__iter__(each)), None)
        if built_in is dict:
            return next(reversed(dict.values(each)), None)  # type: ignore[arg-type]
    except (IndexError, RuntimeError):  # a thread of the loop's changed it meanwhile
        pass
    return None


def numbers_in(each: object, readers: Callable[[type], bool], depth: int = 0) -> float:
    """Return how many numbers something holds; 0 where it holds anything else but short texts.

    Args:
        each: A number, a container, or an object of a class of the reader's, as a data class.
        readers: Tells whether a class is the reader's own.
        depth: How far inside the entry it lies.
    """
    kind = type(each)
    if issubclass(kind, np.generic):
        return max(1.0, float(each.nbytes) / BYTES_OF_NUMBER)  # type: ignore[attr-defined]
    if any(kind is plain for plain in PLAIN):
        return max(1.0, kind.__sizeof__(each) / BYTES_OF_NUMBER)
    if any(kind is text for text in TEXTS):
        length = len(each)  # type: ignore[arg-type]
        return 1 + length / LETTERS_OF_NUMBER if length < LEAST_TEXT else 0.0
    built_in = container(kind)
    if not depth < MOST_NESTED:
        return 0.0
    if built_in in (list, tuple, dict):
        held = list(dict.values(each) if built_in is dict else built_in.__iter__(each))  # type: ignore[arg-type]
    elif built_in is None and readers(kind):
        held = list(attributes(each).values())
    else:
        return 0.0
    counts = [numbers_in(item, readers, depth + 1) for item in held[:MOST_LOOKED_AT]]
    if not all(counts):
        return 0.0
    return OF_CONTAINER + sum(counts) * len(held) / max(1, len(counts))
