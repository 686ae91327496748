"""Finalisers that a program has left to Python's end, counted without asking any object.

Python's end goes through all that lives several times, to find what lies in cycles and to call its
finalisers. Where the program has none of these left that is a second for nothing: of 340,000
objects, nearly all TensorFlow's own, each is visited, and copied in a process that was forked.
"""

from __future__ import annotations

import gc
import sys
from collections import Counter

from labkit.measure.clock.source_names import KIT, library_folders
from labkit.measure.memory.instance import class_dict, lineage, module_name

# TensorFlow's private modules whose finalisers only give back memory of this process, which ends.
ONLY_MEMORY = (
    "tensorflow.python.eager.context",
    "tensorflow.python.eager.monitoring",
    "tensorflow.python.eager.polymorphic_function.atomic_function",
    "tensorflow.python.eager.polymorphic_function.concrete_function",
    "tensorflow.python.framework.c_api_util",
)


class Finalisers:
    """What lives where this is made, before the program begins: how many objects of each class."""

    def __init__(self) -> None:
        counted = Counter(map(type, gc.get_objects()))
        # All classes are held, or one of the program's could get the number of one that is gone.
        self._kinds = {id(kind): kind for kind in counted}
        self._before = Counter({id(kind): count for kind, count in counted.items()})
        self._before_import: Counter[int] | None = None

    def import_begins(self) -> None:
        """Note that what the program makes until `import_ends` is TensorFlow's."""
        self._before_import, kinds = _counted()
        self._kinds |= kinds

    def import_ends(self) -> None:
        """Add what was made since `import_begins` to what is none of the program's."""
        if self._before_import is not None:
            counted, kinds = _counted()
            self._before += counted - self._before_import
            self._kinds |= kinds

    def are_left(self) -> bool:
        """Tell whether the program has left objects whose end may be seen outside the process.

        These are objects with a finaliser, and all of a class of the program's own: what they hold
        may be let go of by a destructor in C, which nobody can see.
        """
        alive, kinds = _counted()
        more = [kinds[number] for number, count in alive.items() if count > self._before[number]]
        libraries = library_folders()
        return any(_is_seen_outside(kind, libraries) for kind in more)


def _counted() -> tuple[Counter[int], dict[int, type]]:
    # By number: a class of the program's may define how it is hashed or compared.
    kinds = list(map(type, gc.get_objects()))
    numbers = list(map(id, kinds))
    return Counter(numbers), dict(zip(numbers, kinds, strict=True))


def _is_seen_outside(kind: type, libraries: tuple[str, ...]) -> bool:
    # Of a generator, too, Python has a finaliser under this name: it runs its `finally`.
    finalised = next((each for each in lineage(kind) if "__del__" in class_dict(each)), None)
    if finalised is not None:
        return module_name(finalised) not in ONLY_MEMORY
    name = module_name(kind)
    if name in sys.builtin_module_names:
        return False
    # A module that is there no more, or that has no file, may be the program's.
    file = getattr(sys.modules.get(name), "__file__", None)
    return not isinstance(file, str) or not file.startswith((*libraries, KIT))
