"""Shapes: what a value of a run file must be, declared once for reading and for writing.

A shape takes a value and the field it stands in, and returns the value, or raises `Misfit`. With
`fit`, as in writing, a name that is too long is cut and a number that is none becomes null: no run
is lost because of what its loop is called, or counts. Standard library only, as all of this room:
a saved run can be read anywhere, and the sentences are ours.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Sized
from types import UnionType
from typing import Any

from labkit.record.format.limits import MOST_ENTRIES
from labkit.record.plain_text import one_line, shortened, visible

Shape = Callable[[Any, str, bool], Any]

LONGEST_SHOWN = 40
LONE_SURROGATES = re.compile("[\ud800-\udfff]")


class Misfit(ValueError):
    """What is wrong with a value, as the middle of a sentence."""


def misfit(field: str, value: object, rule: str) -> Misfit:
    """Return ``its title is 5 where text belongs``."""
    return Misfit(f"its {field} is {shown(value)} where {rule} belongs")


def shown(value: object) -> str:
    """Return a value in a few letters, as it stands in the file."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int) and value.bit_length() > 64:
        return "a huge number"
    if isinstance(value, str):
        return json.dumps(value if len(value) <= LONGEST_SHOWN else f"{value[:LONGEST_SHOWN]}...")
    if value is None or isinstance(value, int | float):
        return json.dumps(value)
    return f"a {type(value).__name__}"


def encodable(text: str) -> str:
    r"""Return text that can be written to a file: a lone half of a character as ``\udcff``."""
    return LONE_SURROGATES.sub(lambda match: visible(match[0]), text)


def _check_type(value: object, kind: type | UnionType, field: str, rule: str) -> None:
    if not isinstance(value, kind):
        raise misfit(field, value, rule)


def _check_length(value: Sized, most: int, field: str) -> None:
    if len(value) > most:
        raise Misfit(f"its {field} has {len(value):,} entries where {most:,} are the most")


def text(most: int) -> Shape:
    """Return the shape of text; of text of more than `most` letters the middle is left out.

    Also where it is read: an earlier labkit cut nothing, and an error may hold a whole array.
    """

    def take(value: Any, field: str, _fit: bool) -> str:
        _check_type(value, str, field, "text")
        return shortened(encodable(value), most)

    return take


def line(most: int) -> Shape:
    """Return the shape of a name or a title: one line of at most `most` letters."""

    def take(value: Any, field: str, fit: bool) -> str:
        _check_type(value, str, field, "text")
        whole_line = one_line(value, most=sys.maxsize)
        if len(whole_line) > most and not fit:
            letters = f"{len(whole_line):,} letters where {most:,} are the most"
            raise Misfit(f"its {field} has {letters}")
        return shortened(whole_line, most)

    return take


def whole(most: int | None = None) -> Shape:
    """Return the shape of a whole number; with `most`, of one from 0 to that."""
    rule = "a whole number" if most is None else f"a whole number from 0 to {most:,}"

    def take(value: Any, field: str, _fit: bool) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise misfit(field, value, rule)
        if most is not None and not 0 <= value <= most:
            raise misfit(field, value, rule)
        return value

    return take


def number(value: Any, field: str, _fit: bool) -> float:
    """Take a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not finite(value):
        raise misfit(field, value, "a finite number")
    return float(value)


def finite(value: float) -> bool:
    """Return whether a double can hold a number."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def switched(words: Shape) -> Shape:
    """Return the shape of a toggle's value: true, false, or words of that shape."""

    def take(value: Any, field: str, fit: bool) -> bool | str:
        if isinstance(value, bool):
            return value
        if isinstance(value, str):
            return str(words(value, field, fit))
        raise misfit(field, value, "true, false or text")

    return take


def plain(words: Shape) -> Shape:
    """Return the shape of a fact: words of that shape, a finite number, true, false or null."""

    def take(value: Any, field: str, fit: bool) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return words(value, field, fit)
        if isinstance(value, int | float) and (fit or finite(value)):
            return value if finite(value) else None
        raise misfit(field, value, "text, a finite number, true, false or null")

    return take


def choice(*names: str) -> Shape:
    """Return the shape of one of several words."""

    def take(value: Any, field: str, _fit: bool) -> str:
        for name in names:
            if value == name:
                return name
        raise misfit(field, value, f"one of {', '.join(names)}")

    return take


def listed(shape: Shape, most: int = MOST_ENTRIES) -> Shape:
    """Return the shape of a list whose entries have one shape."""

    def take(value: Any, field: str, fit: bool) -> list[Any]:
        _check_type(value, list | tuple, field, "a list")
        _check_length(value, most, field)
        return [shape(entry, f"{field}[{place}]", fit) for place, entry in enumerate(value)]

    return take


def pair(first: Shape, second: Shape) -> Shape:
    """Return the shape of two values in a list."""

    def take(value: Any, field: str, fit: bool) -> tuple[Any, Any]:
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise misfit(field, value, "a list of two values")
        return first(value[0], f"{field}[0]", fit), second(value[1], f"{field}[1]", fit)

    return take


def mapping(names: Shape, shape: Shape) -> Shape:
    """Return the shape of an object with any names whose values have one shape."""

    def take(value: Any, field: str, fit: bool) -> dict[str, Any]:
        _check_type(value, dict, field, "an object")
        _check_length(value, MOST_ENTRIES, field)
        taken = {}
        for key, entry in value.items():
            name = names(key, f"name in {field}", fit)
            taken[name] = shape(entry, f"{field}.{name:.{LONGEST_SHOWN}}", fit)
        return taken

    return take


def fields(**shapes: Shape) -> Shape:
    """Return the shape of an object with these fields and no other."""

    def take(value: Any, field: str, fit: bool) -> dict[str, Any]:
        where, before = (f"its {field}", f"{field}.") if field else ("it", "")
        if not isinstance(value, dict):
            raise (
                misfit(field, value, "an object") if field else Misfit(f"{where} is not an object")
            )
        for name in value:
            if name not in shapes:
                raise Misfit(f"{where} has a field {shown(name)} that labkit does not know")
        for name in shapes:
            if name not in value:
                raise Misfit(f"{where} lacks the field {shown(name)}")
        return {name: shape(value[name], before + name, fit) for name, shape in shapes.items()}

    return take
