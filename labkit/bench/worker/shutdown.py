"""A worker's end, where Python's own is gone through: it has run a loop of the reader's.

What a loop leaves to Python's end is done by Python itself, as at the end of a script: functions of
`atexit`, finalisers, files that nobody has closed. Only threads are not waited for without end, and
the C++ libraries are not taken down: that takes up to a second, and in a process that was forked it
may hang. The kernel ends the process where all this takes too long.
"""

from __future__ import annotations

import _io
import atexit
import ctypes
import gc
import os
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from labkit.bench.worker.earlier_objects import EarlierObjects
from labkit.measure.memory.instance import objects_of

# Python would wait without end; but a loop has no place in which to end its own threads. One that
# saves a model has the time of a function of `atexit`.
THREAD_SECONDS = 10.0
STOPPED_THREAD_SECONDS = 2.0
THREAD_ENDED = "A thread of the loop still ran {:g} s after its last step, and was ended."
OURS = "labkit-"  # how the names of threads begin that are no loop's
# Of a process that has come to its end; a loop's own os._exit(0) may come before that.
STATUS_AT_END = 77
# What Python makes of any status where what the loop has put in place of `sys.stdout` cannot flush.
STATUS_NOT_FLUSHED = 120
# Private, and what Python itself calls at its end (Python/pylifecycle.c): guarded, for another
# Python may have other names.
PRIVATE = (
    (threading, "_shutdown"), (atexit, "_run_exitfuncs"), (threading, "_DummyThread"),
)  # fmt: skip
# What Python lets go of before any module: a traceback holds what the functions in it hold.
LAST_ERROR = ("last_exc", "last_type", "last_value", "last_traceback")
WITNESS = "__labkit_witness__"
(_, WAIT_FOR_THREADS), (_, RUN_EXIT_FUNCTIONS), (_, FOREIGN_THREAD) = PRIVATE
_MODULE = vars(type)["__module__"]


class ForkedChildError(BaseException):
    """Takes a child that the loop has forked up to the worker's end, letting go of what it holds.

    Attributes:
        status: The exit status that Python would end it with; the number of a signal, negative,
            where Python would end it by that.
    """

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def wait_for_threads(
    *, patient: bool = True, seconds: float = 0.0, clock: Callable[[], float] = time.monotonic
) -> str:
    """Wait for the threads of the loop, but not for ever; what is in open files is written first.

    Args:
        patient: Whether nobody has asked the loop to stop.
        seconds: How long to wait if nobody has, where that is more than any loop is given.
        clock: Bound when this is defined: a loop may put one of its own in its place.

    Returns:
        What was not done, in a sentence; empty if all have ended.
    """
    # First, for what follows may hang, and the process is killed then.
    _tried(_flush_files)
    wait = getattr(threading, WAIT_FOR_THREADS, lambda: None)
    done = threading.Event()

    def wait_and_tell() -> None:
        _tried(wait)
        done.set()

    # By an event: a handler of signals that raises within Thread.join makes Python take the thread
    # for ended (bpo-45274, until Python 3.13).
    try:
        threading.Thread(target=wait_and_tell, name=f"{OURS}shutdown", daemon=True).start()
    except (RuntimeError, MemoryError):  # the loop left no thread to be had: Python will wait
        return ""
    seconds = max(THREAD_SECONDS, seconds)
    if not patient:
        seconds = min(THREAD_SECONDS, STOPPED_THREAD_SECONDS)
    ends_at = clock() + seconds
    while not done.is_set() and (left := ends_at - clock()) > 0:
        _tried(partial(done.wait, left))
    if done.is_set():
        return ""
    setattr(threading, WAIT_FOR_THREADS, lambda: None)
    return THREAD_ENDED.format(seconds)


def end_python(
    source: str, status: int, earlier: EarlierObjects, *, forked: bool = False
) -> NoReturn:
    """Let Python end, and the process with it; to be called where nothing of the loop is held.

    Args:
        source: The loop's file. What is made there, or in a script, is let go while all modules are
            still whole.
        status: The exit status; of a forked process perhaps a signal's number, negative.
        earlier: What lived before the loop or script began.
        forked: Whether the loop has forked this process. It is left then, for TensorFlow's threads
            are not here, and Python may wait for them without end.
    """
    _tried(getattr(atexit, RUN_EXIT_FUNCTIONS, lambda: None))
    # What follows is no code of the reader's, and a trace function would find its names gone.
    sys.settrace(None)
    sys.setprofile(None)
    # A script is `__main__`, by whatever path it was named, and for `multiprocessing` by one more
    # name; of a loop that is a command of ours.
    own = [
        name
        for name, each in sys.modules.items()
        if (file := getattr(each, "__file__", None)) is not None
        and (file == source or each is sys.modules.get("__main__"))
    ]
    if alone := _is_alone():
        _tried(earlier.set_aside)
    _tried(gc.collect)
    if alone and own:
        _forget_error()
        for stream in ("stdout", "stderr"):
            _tried(partial(_put_back, stream))
        _tried(partial(_end_modules, own))
    # What Python does not let go of, as a writer of TensorFlow's that a daemon thread holds.
    _tried(_flush_files_of_c)
    if forked:
        _tried(_flush_files)
        if status < 0:
            signal.signal(-status, signal.SIG_DFL)
            os.kill(os.getpid(), -status)
        os._exit(status & 0xFF)
    # Python collects before it takes modules apart: that was just done, and takes 0.2 s.
    gc.disable()
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        # What is registered last is called first, with the status: nothing of C++ follows.
        libc.on_exit(ctypes.cast(libc._exit, ctypes.c_void_p), None)
    ctypes.pythonapi.Py_Exit(status)
    os._exit(status)


def _is_alone() -> bool:
    """Tell whether no thread of the loop's still runs, which would find its names gone.

    Python stops daemon threads before it takes modules apart, and leaves that to nobody.
    """
    # One that TensorFlow started ends with what is let go here, as a dataset does.
    foreign = getattr(threading, FOREIGN_THREAD, ())
    try:
        return all(
            each is threading.current_thread()
            or each.name.startswith(OURS)
            or isinstance(each, foreign)
            for each in threading.enumerate()
        )
    except Exception:  # whatever a loop has done to Python meanwhile, the rest is still due
        return False


def _forget_error() -> None:
    """Let go of the error that has ended a script, and of all that its functions held."""
    for name in LAST_ERROR:
        setattr(sys, name, None)


class _Witness:
    """Lies among the names of a module, and tells by being there whether somebody has them."""


def _end_modules(names: list[str]) -> None:
    """Let go of modules as Python does: what nobody else has ends while their names are all there.

    The collector calls all finalisers before it takes anything apart. What is held elsewhere, such
    as by a function that TensorFlow knows, is let go from the last that was made on.
    """
    witness = _Witness()
    for name in names:
        vars(sys.modules[name])[WITNESS] = witness
    for name in names:
        del sys.modules[name]
    left = weakref.ref(witness)
    del witness
    _tried(gc.collect)
    if (still := left()) is None:
        return
    for held in gc.get_referrers(still):
        if type(held) is dict and held.get(WITNESS) is still:
            _tried(partial(_let_go, held))
    _tried(gc.collect)


def _put_back(stream: str) -> None:
    """Have Python print to a stream of its own again, as it does before it takes modules apart.

    What a script has put in its place would find its names gone when it is flushed. One that cannot
    be flushed stays: Python asks it once more, and its exit status tells of it.
    """
    getattr(sys, stream).flush()
    setattr(sys, stream, getattr(sys, f"__{stream}__"))


def _let_go(names: dict[str, Any]) -> None:
    for name in reversed(names):
        if name != "__builtins__":
            names[name] = None


def _flush_files() -> None:
    """Write out what was written into open files."""
    for each in _streams():
        _tried(each.flush)


def _flush_files_of_c() -> None:
    """Write out what C and C++ have put into open files; the end that skips C++ skips this, too."""
    if sys.platform != "win32":
        ctypes.CDLL(None).fflush(None)


def _streams() -> list[Any]:
    """Return all open files of Python's own classes."""
    kinds: set[int] = set()
    waiting: list[type] = [_io._IOBase]
    while waiting:
        kind = waiting.pop()
        # What Python says of the class: one of the loop's own may say anything.
        if _MODULE.__get__(kind) == "_io":
            kinds.add(id(kind))
        waiting += type.__subclasses__(kind)
    return objects_of(frozenset(kinds))[0]


def _tried(do: Callable[[], object]) -> None:
    # BaseException: whatever a handler of the loop's may raise, the rest is still due.
    try:
        do()
    except BaseException:
        return
