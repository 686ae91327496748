"""Step times in a file of the reader's own: a JSON list of seconds, or one number a line.

It reads text and judges nothing; where the text came from is the caller's business.
"""

from __future__ import annotations

import json
import re

from labkit.record import RunFileError

NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|nan|inf|infinity)", re.IGNORECASE)
HEADER = re.compile(r"[#_]?\s*[^\W\d]")
# A verdict does not mind the unit, but its sentence would say hours where milliseconds were meant.
OTHER_UNIT = re.compile(
    r"(?<![a-z])([munµμ]s|[munµμ]secs?|(milli|micro|nano)s(ec(ond)?s?)?|mins?|minutes?|hours?"
    r"|[a-z]*(_per_|/)(s|secs?|seconds?)|[fq]ps|hz|throughput)(?![a-z])"
)
# Where a word of a name in mixed case begins, as in elapsedMs.
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
LONGEST = 60
MOST_BYTES = 100_000_000  # four million steps, each with all digits of a double


def read_seconds(text: str, name: str) -> list[float]:
    """Return the step times in a text: a JSON list, or one number a line, a header line allowed.

    Args:
        text: What the file holds; not empty, without space around it.
        name: The file's name, for errors.

    Raises:
        RunFileError: If it is neither; the sentence says where and what is understood.
    """
    try:
        # Whole numbers as floats: one of 5,000 digits is no error of JSON, just no time.
        values = json.loads(text, parse_int=float)
    except (ValueError, RecursionError) as error:
        if not text.startswith("["):
            return _from_lines(text.splitlines(), name)
        where = f" from line {error.lineno} on" if isinstance(error, json.JSONDecodeError) else ""
        raise no_series(name, f"it begins like a JSON list but is not one{where}") from error
    if not isinstance(values, list):
        raise no_series(name, f"it holds {_shown(values)}")
    for place, value in enumerate(values):
        if not isinstance(value, float):  # JSON's true would pass for one second
            raise RunFileError(
                f"The time of step {place}, {_shown(value)}, is not a number of seconds; "
                "give the seconds of each step as numbers above zero."
            )
    return values


def _from_lines(lines: list[str], name: str) -> list[float]:
    cells = [line.strip().strip('"').strip() for line in lines]
    start = 1 if len(cells) > 1 and _is_header(cells[0]) else 0
    if start and (unit := _other_unit(cells[0])):
        raise RunFileError(
            f"{name} says {_shown(cells[0])}, so its times are in {unit}; give them in seconds."
        )
    for number, cell in enumerate(cells[start:], start=start + 1):
        if not NUMBER.fullmatch(cell):
            raise no_series(name, f"line {number}{_fault(cell)}")
    return [float(cell) for cell in cells[start:]]


def _is_header(cell: str) -> bool:
    return "," not in cell and bool(HEADER.match(cell)) and not NUMBER.fullmatch(cell)


def _other_unit(header: str) -> str:
    found = OTHER_UNIT.search(HUMP.sub(" ", header).lower())
    return found[0] if found else ""


def _fault(cell: str) -> str:
    if not cell:
        return " is empty"
    if "," in cell:
        return f" has {cell.count(',') + 1} columns: {_shown(cell)}"
    return f", {_shown(cell)}, is not a number"


def no_series(name: str, reason: str) -> RunFileError:
    """Return the error that says which files are understood."""
    return RunFileError(
        f"{name} is neither a saved run nor a list of seconds ({reason}); give a saved run, a JSON "
        "list such as [0.011, 0.012], or one number a line."
    )


def _shown(value: object) -> str:
    """Write a value as JSON does, shortened."""
    text = json.dumps(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
