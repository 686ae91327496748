"""How a script ended that raised: its state, and what it says of it itself."""

from __future__ import annotations

import contextlib
import sys
import traceback
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
    said = state.traceback.rstrip() or state.reason
    if sys.excepthook is sys.__excepthook__:
        _print(said)
    else:
        _ask_hook(error, said)
    # It stands where the script's own words do: in the terminal, or at the end of the log.
    return replace(state, traceback="")


def _ask_hook(error: BaseException, said: str) -> None:
    """Have the script's own hook tell of an error, and do so where that raises, as Python does."""
    try:
        sys.excepthook(type(error), error, of_program(error.__traceback__))
    except SystemExit:
        pass  # a hook may exit as well
    except BaseException as another:
        of_hook = another.with_traceback(another.__traceback__ and another.__traceback__.tb_next)
        lines = "".join(traceback.format_exception(of_hook, chain=False))
        _print(f"Error in sys.excepthook:\n{lines}\nOriginal exception was:\n{said}")


def _print(words: str) -> None:
    with contextlib.suppress(Exception):  # the script may have closed or replaced the stream
        print(words, file=sys.stderr)


def _remember(error: BaseException) -> None:
    """Keep an error as Python does: functions of atexit may ask for it."""
    sys.last_type, sys.last_value = type(error), error
    sys.last_traceback = of_program(error.__traceback__)
    if sys.version_info >= (3, 12):
        sys.last_exc = error
