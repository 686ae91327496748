"""Stacks: on which of the reader's lines a step's time goes, sampled four times a millisecond.

Every sample is counted once, for the innermost line that is the reader's own. If it was in a
function called from there, that function's name follows: ``loop.py:21 step > numpy.append``. So
the times of all places add up to the step, and the loop's growth is the growth of its places.
"""

from __future__ import annotations

import importlib
import sys
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from labkit.measure.clock.source_names import SourceNames

PROFILER = "pyinstrument"  # optional; it looks from C, so that looking costs little
# Coarser, a line is charged the end of a long call before it: short steps need this.
INTERVAL_SECONDS = 0.00025
BUILT_IN = "<built-in>"
# TensorFlow and Keras wrap nearly every function: to tidy up tracebacks, to find overloads.
_WRAPPERS = ("traceback_utils.py", "dispatch.py")


@dataclass(frozen=True)
class _Frame:
    function: str
    file: str
    line: int


class StackSampler:
    """Samples the stack between `start` and `stop`, in this thread.

    A step of 800 calls in 0.45 ms takes 0.65 ms meanwhile; one of few calls is not measurably
    slower. Where another profiler is at work, or the loop starts or ends one meanwhile, it gives
    nothing.

    ``missing`` names the package that does it, where that is not installed.
    """

    def __init__(self) -> None:
        self.missing: list[str] = []
        self._names = SourceNames()
        self._profiler: Any = None
        self._active: Any = None
        self._pushed_out: Any = None
        self._package: Any = None
        try:
            self._package = importlib.import_module(PROFILER)
        except ImportError:
            self.missing.append(PROFILER)

    def start(self) -> None:
        """Sample from here on."""
        if self._package is None or sys.getprofile() is not None:
            return
        if self._pushed_out is not None:
            self._pushed_out.stop()
            self._pushed_out = None
        # Without its support for async code: that would refuse a loop that uses the package itself.
        profiler = self._package.Profiler(interval=INTERVAL_SECONDS, async_mode="disabled")
        try:
            profiler.start()
        except (RuntimeError, ValueError):
            return
        self._profiler, self._active = profiler, sys.getprofile()

    def stop(self, steps: int = 1) -> dict[str, float]:
        """Stop, and return ``stack/FILE:LINE FUNCTION``: seconds per step at that place.

        Args:
            steps: How many steps were done since `start`.
        """
        profiler, self._profiler = self._profiler, None
        if profiler is None:
            return {}
        now = sys.getprofile()
        if now is not None and now is not self._active:
            # The loop has put its own profiler in this place. Stopping ours now would take that one
            # away; left unstopped, the package would take ours for running and start no other.
            self._pushed_out = profiler
            return {}
        session = profiler.stop()
        return {} if now is None else self._seconds(session.frame_records, steps)

    def _seconds(self, records: Any, steps: int) -> dict[str, float]:
        seconds_at: defaultdict[str, float] = defaultdict(float)
        for stack, seconds in records:
            place = self._place([_frame(info) for info in stack])
            if place:
                seconds_at[f"stack/{place}"] += seconds / steps
        return dict(seconds_at)

    def _place(self, stack: list[_Frame]) -> str:
        """Return what a sample is counted for, and nothing for the kit's own time around a step."""
        ours = [self._names.is_around_the_step(frame.file) for frame in stack]
        readers = [at for at, frame in enumerate(stack) if self._names.is_readers(frame.file)]
        outermost = max((place for place, own in enumerate(ours) if own), default=0)
        if not readers:
            # The step is a package's own function: what the kit called is all that can be named.
            below = stack[outermost + 1 :]
            return self._written(below[0]) if below else ""
        line = stack[readers[-1]]
        called = [frame for frame, own in zip(stack, ours, strict=True) if not own]
        below = called[called.index(line) + 1 :] if line in called else []
        if not below:
            return "" if any(ours[readers[-1] + 1 :]) else self._written(line)
        after = [frame for frame in below if not frame.file.endswith(_WRAPPERS)]
        written = self._written(line)
        return f"{written} > {self._called(after[0])}" if after else written

    def _written(self, frame: _Frame) -> str:
        if frame.file == BUILT_IN:
            return frame.function
        return f"{self._names.short(frame.file)}:{frame.line} {frame.function}"

    def _called(self, frame: _Frame) -> str:
        if frame.file == BUILT_IN:
            return frame.function
        package = self._names.short(frame.file).split("/")[0].removesuffix(".py")
        return f"{package}.{frame.function}"


def _frame(info: str) -> _Frame:
    """Read one frame as the package writes it: name, file and first line, then what was seen."""
    identifier, *seen = info.split("\x01")
    function, file, first_line = identifier.split("\x00")
    line = next((each[1:] for each in seen if each.startswith("l")), first_line)
    # A thread's pseudo frame, at the root, is neither the reader's nor the kit's.
    return _Frame(function, file, int(line))
