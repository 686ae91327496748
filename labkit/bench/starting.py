"""The start of a run: with numbers that are in range, and as a whole or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from numbers import Integral
from pathlib import Path
from typing import TypeGuard

from labkit.bench.processes.interruption import uninterrupted
from labkit.bench.session.session import Session
from labkit.bench.supervision.supervisor import what_is_gone
from labkit.record import LabkitError


@contextlib.contextmanager
def whole() -> Iterator[list[Session]]:
    """Have a run started as a whole: where an interrupt comes then, the one in the list is stopped.

    An interrupt between a worker's start and its keeper's would leave a run to nobody.
    """
    started: list[Session] = []
    try:
        with uninterrupted():
            yield started
    except BaseException as error:
        for session in started:
            session.stop()
        # Whatever is looked up for a run opens a file, and none may be left to open.
        if isinstance(error, OSError):
            raise LabkitError(f"The run cannot be started: {what_is_gone(error)}") from error
        raise


def is_whole(value: object) -> TypeGuard[int]:
    """Tell whether it is a whole number, Python's own or numpy's; True and False are none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_range(name: str, value: object, low: int, high: int) -> int:
    """Return a whole number, as Python's own; numpy's are whole numbers, too.

    Raises:
        LabkitError: If it is none from `low` to `high`; in one sentence with name, value and range.
    """
    if not is_whole(value) or not low <= value <= high:
        raise LabkitError(
            f"{name} = {value!r} is not allowed; choose a whole number from {low:,} to {high:,}."
        )
    return int(value)


def whole_source(source: str) -> str:
    """Return a cause's slug as it is, and a file's whole path: who runs it may stand elsewhere."""
    if not source.endswith(".py"):
        return source
    file = Path(source).resolve()
    # A link may lead to a file of another kind of name, such as one in a store.
    return str(file if file.suffix == ".py" else Path(source).absolute())
