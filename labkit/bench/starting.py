"""The start of a run: with numbers that are in range, and as a whole or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

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


def check_range(name: str, value: object, low: int, high: int) -> None:
    """Refuse what is no whole number from `low` to `high`.

    Raises:
        LabkitError: In one sentence with name, value and range.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise LabkitError(
            f"{name} = {value!r} is not allowed; choose a whole number from {low:,} to {high:,}."
        )


def whole_source(source: str) -> str:
    """Return a cause's slug as it is, and a file's whole path: who runs it may stand elsewhere."""
    if not source.endswith(".py"):
        return source
    file = Path(source).resolve()
    # A link may lead to a file of another kind of name, such as one in a store.
    return str(file if file.suffix == ".py" else Path(source).absolute())
