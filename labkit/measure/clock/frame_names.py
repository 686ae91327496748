"""What the names of a running function hold, read so that the function does not notice.

Until Python 3.13 ``frame.f_locals`` of a function makes one dictionary a frame, fills it at each
look, and hands the same out to ``locals()``: what a name held once lives on in it until the
function ends, and a dictionary that the reader was given changes (PEP 667). From 3.13 on it is a
view that holds nothing. In 3.12 ``PyFrame_GetVar`` reads one name. 3.11 has neither: there the
values are read where they lie, in ``_PyInterpreterFrame`` of ``Include/internal/pycore_frame.h``,
which cannot change within 3.11; tried once on a frame of our own before it is believed.
"""

from __future__ import annotations

import ctypes
import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FrameType

FrameReader = Callable[[FrameType], dict[str, object]]
# Private, of Python 3.11 only: of a frame object, and of what lies in it.
_INNER_FRAME = ctypes.sizeof(ctypes.c_void_p) + object.__basicsize__  # after f_back
_FIRST_LOCAL = 9 * ctypes.sizeof(ctypes.c_void_p)
_PLAIN_OBJECT = 2 * ctypes.sizeof(ctypes.c_void_p)  # more in a debug build


def frame_reader() -> FrameReader:
    """Return what reads a function's names; where none is safe, it finds none."""
    if sys.version_info >= (3, 13):
        return lambda frame: dict(frame.f_locals)
    if sys.implementation.name != "cpython":
        return lambda frame: {}
    if sys.version_info >= (3, 12):
        return _by_name
    return _in_place if _can_read_in_place() else lambda frame: {}


def is_of_function(frame: FrameType) -> bool:
    """Tell whether a frame is a function's; the names of a module or class are a dictionary."""
    return bool(frame.f_code.co_flags & inspect.CO_OPTIMIZED)


def _by_name(frame: FrameType) -> dict[str, object]:
    get = ctypes.pythonapi.PyFrame_GetVar
    get.restype, get.argtypes = ctypes.py_object, [ctypes.py_object, ctypes.py_object]
    found = {}
    for name in _names(frame.f_code):
        try:
            found[name] = get(frame, name)
        except NameError:  # it holds nothing
            continue
    return found


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names in the order in which their values lie."""
    yield from code.co_varnames
    yield from (name for name in code.co_cellvars if name not in code.co_varnames)
    yield from code.co_freevars


def _in_place(frame: FrameType) -> dict[str, object]:
    inner = ctypes.c_void_p.from_address(id(frame) + _INNER_FRAME).value
    code = frame.f_code
    found: dict[str, object] = {}
    in_cells = {*code.co_cellvars, *code.co_freevars}
    for place, name in enumerate(_names(code)):
        at = (inner or 0) + _FIRST_LOCAL + place * ctypes.sizeof(ctypes.c_void_p)
        if not ctypes.c_void_p.from_address(at).value:
            continue
        value = ctypes.py_object.from_address(at).value
        if name in in_cells and isinstance(value, CellType):
            try:
                value = value.cell_contents
            except ValueError:  # it holds nothing yet
                continue
        found[name] = value
    return found


@functools.cache
def _can_read_in_place() -> bool:
    if object.__basicsize__ != _PLAIN_OBJECT:
        return False
    first, second = object(), object()

    def asked(one: object, two: object = second) -> bool:
        def inner() -> object:
            return two, first

        return _of_caller() == {"one": one, "two": two, "inner": inner, "first": first}

    return asked(object())


def _of_caller() -> dict[str, object]:
    # Of another function's frame: one that held its own would hold all its callers, too.
    return _in_place(sys._getframe(1))
