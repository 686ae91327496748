"""The end of a notebook's cell: what was watched there, and was left by an error, is let go of.

IPython keeps an error that it has shown until the next one, with all that its frames hold. So does
a thread pool's future or a task. Recorded: a callback had long been forgotten, and all of
TensorFlow was still patched.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, Protocol


class Watching(Protocol):
    """What is to be closed."""

    open: bool

    def close(self) -> None:
        """Put back all that was patched."""


@dataclass(frozen=True)
class KerasFit:
    """A training that goes on. Its frame is known and not held: with it all that it has would live.

    Args:
        thread: The thread it runs in.
        code: Its function.
        frame: The ``id`` of its frame.
    """

    thread: int
    code: CodeType
    frame: int

    @classmethod
    def running(cls) -> KerasFit | None:
        """Return the training that this is called from; None where there is none."""
        for frame in _stack(sys._getframe()):
            module = str(frame.f_globals.get("__name__", ""))
            if frame.f_code.co_name == "fit" and module.partition(".")[0] == "keras":
                return cls(threading.get_ident(), frame.f_code, id(frame))
        return None

    @property
    def goes_on(self) -> bool:
        """Whether it has neither ended nor raised."""
        return any(
            each.f_code is self.code and id(each) == self.frame
            for each in _stack(sys._current_frames().get(self.thread))
        )


def close_after_cell(watching: Watching) -> None:
    """Have a watching closed at the end of a cell, if what it watches is over and never said so.

    A training of Keras that has raised is over at the end of the cell, however its error was shown:
    by ``%run``, a button, a task, another thread. Of a loop of one's own nobody knows when it is
    over; it is closed where its own cell ends in an error. Where there is no notebook nothing is
    done.
    """
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    fit = KerasFit.running()
    if shell is None or (fit is None and not _in_cell()):
        return
    known = weakref.ref(watching)

    def over(result: Any) -> None:
        left = known()
        # Also a cell that is run from within a training, or while one runs in another thread.
        if left is not None and left.open and fit is not None and fit.goes_on:
            return
        shell.events.unregister("post_run_cell", over)
        if left is not None and (fit is not None or not result.success):
            left.close()

    shell.events.register("post_run_cell", over)


def _in_cell() -> bool:
    """Tell whether this is called from a cell, and not from a thread or a task that outlives it."""
    if threading.current_thread() is not threading.main_thread():
        return False
    return any(
        each.f_code.co_name == "run_code"
        and str(each.f_globals.get("__name__", "")).partition(".")[0] == "IPython"
        for each in _stack(sys._getframe())
    )


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back
