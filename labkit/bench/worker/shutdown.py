"""What Python does at its end, for a process that is ended before it would come to that.

A worker leaves by ``os._exit``, because taking TensorFlow down takes up to a second. What a loop
has left to Python's end is done here, on the main thread as Python does it: threads are waited for,
functions of `atexit` are called, and what was written into open files reaches the disk. The kernel
ends the process where this takes too long.
"""

from __future__ import annotations

import atexit
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from labkit.measure.memory.instance import class_dict, objects_of

# Python would wait without end; but a loop has no place in which to end its own threads. One that
# saves a model has the time of a function of `atexit`.
THREAD_SECONDS = 10.0
THREAD_ENDED = "A thread of the loop still ran {:g} s after its last step, and was ended."

# Private, and used by Python itself at its end (Python/pylifecycle.c): guarded, for another Python
# may have other names.
PRIVATE = ((threading, "_shutdown"), (atexit, "_run_exitfuncs"))

# What has one of these, and ``close``, is a file or ends one: a shelf has ``sync`` alone.
WRITES = ("write", "flush", "sync")


def shut_down() -> str:
    """Do what Python would do at its end.

    Returns:
        What was not done, in a sentence; empty if all was.
    """
    wait_for_threads, run_exit_functions = (
        getattr(module, name, lambda: None) for module, name in PRIVATE
    )
    # First, for what follows may hang, and the process is killed then.
    _flush_files()
    told = "" if _done_in_time(wait_for_threads) else THREAD_ENDED.format(THREAD_SECONDS)
    _tried(run_exit_functions)
    _close_files()
    return told


def _done_in_time(do: Callable[[], object]) -> bool:
    thread = threading.Thread(target=_tried, args=(do,), name="labkit-shutdown", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # the loop left no thread to be had
        return False
    thread.join(THREAD_SECONDS)
    return not thread.is_alive()


def _flush_files() -> None:
    """Write out what was written into open files, compressed ones as far as that goes."""
    for each in _file_like():
        if _is_stream(each):
            _tried(each.flush)


def _close_files() -> None:
    """Close whatever ends a file in its own way, such as an archive, and write all of it out.

    Text goes into what compresses it before that is closed, and what that then writes is flushed.
    """
    _flush_files()
    for each in _file_like():
        if not _is_stream(each) and not _is_output(each):
            _tried(each.close)
    _flush_files()


def _is_stream(each: object) -> bool:
    """Tell whether it is one of Python's own, of which nothing is lost once it is flushed."""
    return type(each).__module__ == "_io"


def _is_output(each: object) -> bool:
    """Tell whether it is what ``print`` writes to: a loop may have put one of its own there."""
    return any(each is output for output in (sys.stdout, sys.stderr))


def _file_like() -> list[Any]:
    """Return all objects that something can be written to and that can be closed.

    Of their classes it is asked, never of them: a proxy of the loop's own may do anything then.
    """
    kinds: dict[int, bool] = {}
    waiting: list[type] = [object]
    while waiting:
        kind = waiting.pop()
        if id(kind) in kinds:
            continue
        bases = type.mro(kind)
        kinds[id(kind)] = _has(bases, "close") and any(map(partial(_has, bases), WRITES))
        waiting += type.__subclasses__(kind)
    return objects_of(frozenset(number for number, fits in kinds.items() if fits))[0]


def _has(bases: Sequence[type], name: str) -> bool:
    return any(name in class_dict(each) for each in bases)


def _tried(do: Callable[[], object]) -> None:
    # BaseException: a function of the loop's may call sys.exit(), and the others are still due.
    with suppress(BaseException):
        do()
