"""What each step of an attempt returned: kept beside the run, in a file of a fixed size.

A list that grows, or a file that does, would be found as something that the loop keeps.
"""

from __future__ import annotations

import math
import mmap
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from labkit.cause.loop_file import run_file

MOST_RESULTS = 64
NUMBER = struct.Struct("<d")
MISSING = math.nan

# What the bench is handed: a loop of one's own that keeps what the attempt's steps return.
WRAPPER = """from labkit.cause.results import kept_step


def make_step():
    return kept_step({attempt!r}, {results!r})
"""


def prepare_results(file: Path) -> None:
    """Make the file that results go to, with none in it."""
    file.write_bytes(NUMBER.pack(MISSING) * MOST_RESULTS)


def read_results(file: Path) -> tuple[float, ...]:
    """Return what the first steps returned, as far as they came."""
    results = [value for (value,) in NUMBER.iter_unpack(file.read_bytes())]
    while results and math.isnan(results[-1]):
        results.pop()
    return tuple(results)


def kept_step(attempt: str, results: str) -> Callable[[], object]:
    """Return the step of an attempt; it also keeps what the first `MOST_RESULTS` steps return.

    Runs in the worker.

    Args:
        attempt: The file with the attempt.
        results: The file made by `prepare_results`.

    Raises:
        TypeError: If a step returns no number.
    """
    step = run_file(attempt, "labkit_attempt").make_step()
    with Path(results).open("r+b") as file:
        kept = mmap.mmap(file.fileno(), 0)
    place = 0

    def kept_one() -> object:
        nonlocal place
        result = step()
        if place < MOST_RESULTS:
            NUMBER.pack_into(kept, place * NUMBER.size, _number(result))
            place += 1
        return result

    return kept_one


def _number(result: Any) -> float:
    try:
        value = float(result)
    except (TypeError, ValueError):
        kind = type(result).__name__
        raise TypeError(
            f"step() returned {kind}, and it must return one number, such as the loss"
        ) from None
    # What is read back must be told from a step that never came.
    return math.inf if math.isnan(value) else value
