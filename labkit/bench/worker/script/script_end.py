"""How a script ended that raised: its state, and what it says of it itself."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace

from labkit.bench.worker.fault import fault
from labkit.bench.worker.python_exit import exit_status, of_program
from labkit.record import State

EXITED = "The script ended with status {}."


def ended_by(error: BaseException) -> State:
    """Return how a script ended that raised; it says so itself on its standard error."""
    if isinstance(error, SystemExit):
        status = exit_status(error.code)
        if not isinstance(error.code, int | None):
            with contextlib.suppress(Exception):  # it may be anything, and not to be printed
                print(error.code, file=sys.stderr)
        return State("failed", EXITED.format(status)) if status else State("done")
    state = fault(error)
    state = replace(state, reason=state.reason.replace("The loop raised", "The script raised", 1))
    _remember(error)
    with contextlib.suppress(Exception, SystemExit):  # a hook may exit as well
        if sys.excepthook is sys.__excepthook__:
            print(state.traceback.rstrip() or state.reason, file=sys.stderr)
        else:  # one of the script's own, to log or to save
            sys.excepthook(type(error), error, of_program(error.__traceback__))
    # It stands where the script's own words do: in the terminal, or at the end of the log.
    return replace(state, traceback="")


def _remember(error: BaseException) -> None:
    """Keep an error as Python does: functions of atexit may ask for it."""
    sys.last_type, sys.last_value = type(error), error
    sys.last_traceback = of_program(error.__traceback__)
    if sys.version_info >= (3, 12):
        sys.last_exc = error
