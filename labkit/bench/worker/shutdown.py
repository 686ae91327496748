"""What Python does at its end, for a process that is ended before it would come to that.

A worker leaves by ``os._exit``, because taking TensorFlow down takes up to a second. What a loop
has left to Python's end is done here, on the main thread as Python does it: threads are waited for,
functions of `atexit` are called, and what was written into open files reaches the disk. The kernel
ends the process where this takes too long.
"""

from __future__ import annotations

import atexit
import os
import site
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Mapping, Sequence
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

# What has one of these, and ``close``, is a file or ends one: a shelf has ``sync`` alone, and a
# database ``commit``.
WRITES = ("write", "flush", "sync", "commit")
FILES_LEFT = "What the loop had in open files could not be written out at its end ({})."
# Debian's packages and those of a user are in folders that `sysconfig` does not name.
LIBRARIES = tuple(
    folder + os.sep
    for folder in (
        *map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib")),
        *site.getsitepackages(),
        site.getusersitepackages(),
    )
)
LOOK_SECONDS = 0.02


def shut_down() -> str:
    """Do what Python would do at its end.

    Returns:
        What was not done, in a sentence; empty if all was.
    """
    wait_for_threads, run_exit_functions = (
        getattr(module, name, lambda: None) for module, name in PRIVATE
    )
    # Each by itself: a handler of signals, such as a watchdog of the loop's, may raise in any.
    told = []
    # First, for what follows may hang, and the process is killed then.
    _tried(_flush_files)
    ended: list[bool] = []
    _tried(lambda: ended.append(_done_in_time(wait_for_threads)))
    if ended == [False]:
        told.append(THREAD_ENDED.format(THREAD_SECONDS))
    _tried(run_exit_functions)
    if (error := _tried(_close_files)) is not None:
        told.append(FILES_LEFT.format(type(error).__name__))
    return " ".join(told)


def _done_in_time(wait_for_threads: Callable[[], object]) -> bool:
    # By an event: a handler that raises within Thread.join makes Python take the thread for ended
    # (bpo-45274, until Python 3.13).
    done = threading.Event()

    def wait() -> None:
        _tried(wait_for_threads)
        done.set()

    ends_at = time.monotonic() + THREAD_SECONDS
    try:
        threading.Thread(target=wait, name="labkit-shutdown", daemon=True).start()
    except (RuntimeError, MemoryError):  # the loop left no thread to be had
        return _have_ended(ends_at)
    while not done.is_set() and (left := ends_at - time.monotonic()) > 0:
        _tried(partial(done.wait, left))
    return done.is_set()


def _have_ended(ends_at: float) -> bool:
    """Wait for the threads of the loop on this one; return whether all have ended.

    Looked at is Python's list of them, for the reason above.
    """
    here = threading.current_thread()
    while True:
        try:
            if all(each.daemon or each is here for each in threading.enumerate()):
                return True
            if time.monotonic() > ends_at:
                return False
            time.sleep(LOOK_SECONDS)
        except BaseException:  # of a handler of signals: it is looked once more
            continue


def _flush_files() -> None:
    """Write out what was written into open files, compressed ones as far as that goes."""
    for each in _file_like():
        if _is_stream(each):
            _tried(each.flush)


def _close_files() -> None:
    """Let go of whatever ends a file in its own way, such as an archive, and write all of it out.

    Text goes into what compresses it before that is closed, and what that then writes is flushed.
    Python closes nothing at its end; it lets go. So an object's finaliser is called, and what a
    library has without one is closed, which it does itself where it is let go. A class of the
    loop's own without one is left alone: by its ``close`` a file that is half written may take the
    place of a whole one.
    """
    _flush_files()
    for each in _file_like():
        if _is_stream(each) or _is_output(each):
            continue
        if (ending := _ending(type(each))) is not None:
            _tried(partial(ending, each))
    _flush_files()


def _ending(kind: type) -> Callable[[object], object] | None:
    """Return what ends a file where an object of this class is let go; None for nothing.

    A class of the loop's own may inherit it, and what it has put over a library's ``close`` is not
    called.
    """
    bases = [class_dict(each) for each in type.mro(kind)]
    finalisers = (base.get("__del__") for base in bases)
    closing = (base.get("close") for base in bases if _is_of_library(base))
    return next(filter(callable, (*finalisers, *closing)), None)


def _is_of_library(names: Mapping[str, Any]) -> bool:
    """Tell whether the names of a class are of one of Python's own or of an installed package."""
    module = sys.modules.get(str(names.get("__module__", "builtins")))
    if module is None or module is sys.modules.get("__main__"):  # the loop's own file
        return False
    file = getattr(module, "__file__", None)
    return file is None or str(file).startswith(LIBRARIES)


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


def _tried(do: Callable[[], object]) -> BaseException | None:
    # BaseException: a function of the loop's may call sys.exit(), and the others are still due.
    try:
        do()
    except BaseException as error:
        return error
    return None
