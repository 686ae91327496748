"""The start of a run: as a whole, or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from labkit.bench.processes.interruption import uninterrupted
from labkit.bench.session import Session
from labkit.bench.supervisor import what_is_gone
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
