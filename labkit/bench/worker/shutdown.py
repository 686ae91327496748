"""What Python does at its end, for a process that is ended before it would come to that.

A worker leaves by ``os._exit``, because taking TensorFlow down takes up to a second. What a loop
has left to Python's end is done here: threads are waited for, functions of `atexit` are called, and
what was written into open files reaches the disk.
"""

from __future__ import annotations

import atexit
import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

# A Stop waits two seconds for the loop's last step and for this, then the process is killed.
SHUTDOWN_SECONDS = 1.0
CUT_SHORT = "What the loop left to Python's end took longer than {:g} s and was cut short."

# Private, and used by Python itself at its end (Python/pylifecycle.c): guarded, for another Python
# may have other names.
PRIVATE = ((threading, "_shutdown"), (atexit, "_run_exitfuncs"))


def shut_down(longest_seconds: float = SHUTDOWN_SECONDS) -> None:
    """Do what Python would do at its end; what takes too long is cut short, and the log says so.

    Args:
        longest_seconds: A thread of the loop may never end, and a pipe may have no reader.
    """
    thread = threading.Thread(target=_shut_down, name="labkit-shutdown", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # the loop left no thread to be had, so the kernel's patience is the limit
        _shut_down()
        return
    thread.join(longest_seconds)
    if thread.is_alive():
        print(CUT_SHORT.format(longest_seconds), file=sys.stderr)


def _shut_down() -> None:
    for module, name in PRIVATE:
        _tried(getattr(module, name, lambda: None))
    _write_files()


def _write_files() -> None:
    """Flush and close what is open, in the order that loses nothing.

    Text goes into what compresses it before that is closed, and what that then writes is flushed.
    """
    streams: list[Any] = []
    wrappers: list[Any] = []
    for each in _file_like():
        (streams if type(each).__module__ == "_io" else wrappers).append(each)
    for stream in streams:
        _tried(stream.flush)
    for wrapper in wrappers:
        _tried(wrapper.close)
    for stream in streams:
        _tried(stream.flush)


def _file_like() -> Iterator[Any]:
    """Yield all objects that something can be written to and that can be closed."""
    known: dict[type, bool] = {}
    for each in gc.get_objects():
        # Of its class, never of the object: a proxy of the loop's own may do anything when asked.
        kind = type(each)
        if kind not in known:
            known[kind] = _has(kind, "close") and (_has(kind, "write") or _has(kind, "flush"))
        if known[kind]:
            yield each


def _has(kind: type, name: str) -> bool:
    return any(name in vars(each) for each in type.mro(kind))


def _tried(do: Callable[[], object]) -> None:
    # BaseException: a function of the loop's may call sys.exit(), and the others are still due.
    with suppress(BaseException):
        do()
