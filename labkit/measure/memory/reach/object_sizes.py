"""Reach: how large the containers and arrays are that the reader's step holds on to.

A step finds what it keeps in its closure, in its module's globals, in ``self``, and in what lies
inside those. Nothing of the reader's is called on the way: containers are asked through the
built-in's own methods, attributes through the interpreter's own descriptors, classes by identity.
"""

from __future__ import annotations

import functools
import gc
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import CellType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from labkit.measure.clock.source_names import SourceNames
from labkit.measure.memory.instance import attributes, class_dict, container, derives, method_of
from labkit.measure.memory.objects import COUNTED
from labkit.measure.memory.reach.contents import contents
from labkit.measure.memory.reach.plain_numbers import (
    LEAST_TEXT,
    TEXTS,
)
from labkit.measure.memory.reach.size import owned_bytes, tensor_bytes

# Where a tf.function keeps the function it was made of, in TensorFlow 2.19-2.21; without it, that
# function is not entered.
UNDER_FUNCTION = "_python_function"
MOST_OBJECTS = 3_000  # some 5 ms
MOST_KEYS = 64  # what is larger is measured, and not entered: its items come and go
MOST_ITEMS = 16  # of a list; they have no names
MOST_DEPTH = 6
# What the interpreter puts there. No rule may go by the first letters of a reader's names.
OF_EVERY_MODULE = frozenset(vars(ModuleType(""))) | {
    "__annotations__", "__builtins__", "__cached__", "__file__", "__path__", "__warningregistry__",
}  # fmt: skip
# The class that functools.cache and functools.lru_cache make, of a module without that name.
_CACHE: Any = type(functools.cache(len))

Found = tuple[str, object]  # how the reader would write it, and what it is


def reach(step: Callable[[], object]) -> dict[str, float]:
    """Return ``kept/PATH``: items of each container, bytes of each array and tensor; some 0.2 ms.

    Args:
        step: Does one step: a function, a bound method, a partial, a tf.function or a callable
            object.

    Where the last item of a list is a tensor or an array there is ``tensors/PATH`` as well. Where
    it is a number, or holds numbers and short texts only, as what fit returns of an epoch, there
    is ``numbers/PATH``: how many there are in all, and of an array as many as take its room; and
    ``noted/CLASS``, the objects of a class of the reader's that hold such numbers. Of a deque with
    a bound there is ``bounded/PATH``.
    A path is what the reader would write: ``history``, ``state['rows']``, ``self.memory``. Arrays
    count with the bytes of the one that owns the data, long texts as containers. Modules, classes,
    generators, sets' items and objects of a package's own class are not entered, nor is a dict of
    more than 64 or a list of more than 16 items. At most 3,000 objects are looked at.
    """
    return _Walk().sizes([("", step)])


def reach_names(
    names: Iterable[tuple[str, object]], passing: Mapping[str, frozenset[str]] | None = None
) -> dict[str, float]:
    """Return what `reach` does, of what some names hold: those of a script's frames.

    Args:
        names: Each with what it holds, the innermost first.
        passing: Of each file, the names that hold something new at each turn. Among the names they
            are left out already; here they must not come back as globals of a function.
    """
    kept = [
        (name, each)
        for name, each in names
        if name not in OF_EVERY_MODULE and type(each) is not ModuleType
    ]
    return _Walk(passing).sizes(kept)


class _Walk:
    """One walk; what it holds on to dies with it."""

    def __init__(self, passing: Mapping[str, frozenset[str]] | None = None) -> None:
        self._names = SourceNames()
        self._readers = functools.partial(is_readers, names=self._names)
        self._passing = passing or {}
        self._module: object = None  # the globals of the step's own module
        self._tensor = COUNTED["live_tensors"].value_or_note([])

    def sizes(self, roots: Iterable[Found]) -> dict[str, float]:
        found: dict[str, float] = {}
        seen: set[int] = set()
        waiting: deque[tuple[str, object, int]] = deque((*root, 0) for root in roots)
        while waiting and len(seen) < MOST_OBJECTS:
            path, each, depth = waiting.popleft()
            if id(each) in seen:
                continue
            seen.add(id(each))
            size = self._size(each)
            if size is not None and path and f"kept/{path}" not in found:
                found[f"kept/{path}"] = size
                for name, value in contents(path, each, size, self._readers, self._tensor):
                    found[name] = found.get(name, 0.0) + value
            if depth < MOST_DEPTH:
                try:
                    inner = list(self._inner(path, each))
                except RuntimeError:  # a thread of the loop's changed it meanwhile
                    continue
                waiting.extend((name, item, depth + 1) for name, item in inner)
        return found

    def _size(self, each: object) -> float | None:
        kind = type(each)
        if kind is np.ndarray:
            return owned_bytes(each)
        if kind is self._tensor:
            return tensor_bytes(each)
        built_in = container(kind)
        if built_in is not None:
            return float(built_in.__len__(each))
        if any(kind is each for each in TEXTS):
            length = len(each)  # type: ignore[arg-type]
            return float(length) if length >= LEAST_TEXT else None
        return None

    def _inner(self, path: str, each: object) -> Iterator[Found]:
        kind = type(each)
        if kind is FunctionType:
            yield from self._of_function(path, each)
        elif kind is MethodType:
            yield path or "self", each.__self__  # type: ignore[attr-defined]
            yield path, each.__func__  # type: ignore[attr-defined]
        elif kind is functools.partial:
            yield path, each.func  # type: ignore[attr-defined]
            yield from _items(path or "args", each.args)  # type: ignore[attr-defined]
            yield from _named(path, each.keywords)  # type: ignore[attr-defined]
        elif container(kind) is not None:
            yield from _items(path, each)
        elif kind is _CACHE:
            yield path, _cached(each)
            yield path, attributes(each).get("__wrapped__")
        elif derives(kind, ModuleType) or derives(kind, type):
            return
        elif kind is SimpleNamespace or is_readers(kind, self._names):
            yield from _named(path or "self", attributes(each))
            if not path:
                yield "", method_of(kind, "__call__")
        else:
            # A tf.function, or whatever else was wrapped around the reader's own function.
            own = attributes(each)
            yield path, own.get(UNDER_FUNCTION, own.get("__wrapped__"))

    def _of_function(self, path: str, function: Any) -> Iterator[Found]:
        code = function.__code__
        own = self._names.is_readers(code.co_filename) or not path
        cells = zip(code.co_freevars, function.__closure__ or (), strict=False)
        inside = [(name, _content(cell)) for name, cell in cells]
        # A package's wrapper is passed through, to the reader's function in it.
        yield from (pair for pair in inside if own or _is_function(pair[1]))
        yield path, function.__dict__.get("__wrapped__")
        if not own:
            return
        yield from _named(path or code.co_name, function.__dict__)
        defaults = function.__defaults__ or ()
        arguments = code.co_varnames[: code.co_argcount]
        yield from zip(arguments[len(arguments) - len(defaults) :], defaults, strict=True)
        yield from _named("", function.__kwdefaults__ or {})
        yield from self._of_module(function.__globals__, self._passing.get(code.co_filename, ()))

    def _of_module(self, names: dict[str, object], passing: Collection[str]) -> Iterator[Found]:
        if self._module is None:
            self._module = names
        title = "" if names is self._module else str(names.get("__name__", "")).rpartition(".")[2]
        for name, each in list(names.items()):
            # The interpreter's own names, and what a module or class of a package holds.
            if name in OF_EVERY_MODULE or name in passing or type(each) is ModuleType:
                continue
            yield (f"{title}.{name}" if title else name), each


def is_readers(kind: type, names: SourceNames) -> bool:
    """Tell whether a class is the reader's own.

    Args:
        kind: The class.
        names: Knows whose a file is.
    """
    name = class_dict(kind).get("__module__")
    module = sys.modules.get(name) if type(name) is str else None
    if module is None or name == "__main__":
        return type(name) is str  # a package's module is always listed
    file = vars(module).get("__file__") if type(module) is ModuleType else None
    return type(file) is str and names.is_readers(file)


def _items(path: str, holder: Any) -> Iterator[Found]:
    built_in = container(type(holder))
    most = MOST_KEYS if built_in is dict else MOST_ITEMS
    if built_in.__len__(holder) > most or built_in is set or built_in is frozenset:
        return
    if built_in is dict:
        for place, (key, each) in enumerate(list(dict.items(holder))):
            yield f"{path}[{_key(key, place)}]", each
        return
    for place, each in enumerate(list(built_in.__iter__(holder))):
        yield f"{path}[{place}]", each


def _named(path: str, names: Mapping[str, object]) -> Iterator[Found]:
    for name, each in list(names.items()):
        if type(name) is str:
            yield (f"{path}.{name}" if path else name), each


def _key(key: object, place: int) -> str:
    """Return how a key is written; one of another type has its place, for it may say anything."""
    if not any(type(key) is each for each in (str, int, bool, type(None))):
        return f"#{place}"
    text = repr(key)
    return text if len(text) <= 40 else f"{text[:37]}...'"


def _cached(cache: Any) -> object:
    """Return the results that an unbounded cache keeps, as a dict; of one with a bound nothing."""
    if _CACHE.cache_info(cache).maxsize is not None:
        return None
    own = cache.__dict__
    results = (each for each in gc.get_referents(cache) if type(each) is dict and each is not own)
    return next(results, None)


def _is_function(each: object) -> bool:
    return type(each) is FunctionType or type(each) is MethodType


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # nothing in it yet
        return None
