"""An object's attributes and a class's bases, read without asking the object or the class.

``x.__dict__``, ``x.__class__`` and ``C.__mro__`` may each run code of the reader's; the
interpreter's own descriptors may not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

_MRO: Any = type.__dict__["__mro__"]
_CONTAINERS: tuple[type, ...] = (dict, list, tuple, deque, set, frozenset)
_DICT: Any = type.__dict__["__dict__"]


def lineage(kind: type) -> tuple[type, ...]:
    """Return a class and all its bases, in the order in which attributes are looked up."""
    found: tuple[type, ...] = _MRO.__get__(kind)
    return found


def class_dict(kind: type) -> Mapping[str, Any]:
    """Return what a class itself defines."""
    found: Mapping[str, Any] = _DICT.__get__(kind)
    return found


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
                own = descriptor.__get__(each, kind)
                if type(own) is dict:
                    found |= own
    return found


def _is_descriptor(each: object) -> bool:
    """Return whether it is the interpreter's own, and not a property of the reader's."""
    return type(each) is GetSetDescriptorType or type(each) is MemberDescriptorType
