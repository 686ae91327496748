"""Python calls in one step: what a step costs the interpreter, without any noise.

Counted with ``sys.setprofile``, in this thread only. Not with ``cProfile``: from Python 3.12 on a
loop that profiles itself could not start its own while ours runs.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from types import CodeType, FrameType
from typing import Any

from labkit.measure.clock.source_names import SourceNames
from labkit.measure.clock.timers import Timers
from labkit.record.source_line import LINE, NESTED

MOST_FUNCTIONS = 40


class CallCounter:
    """Counts the calls between `start` and `stop`; adds about 0.7 us to each.

    A step of 800 calls that takes 0.4 ms takes 1.2 ms while it is counted.

    What Python's own collections call belongs to no step, and is not counted. Where another
    profiler is at work, or the loop starts or ends one meanwhile, nothing is counted.
    """

    def __init__(self, timers: Timers | None = None) -> None:
        self._names = SourceNames()
        self._timers = timers
        self._lines = LineSeconds(self._names)
        self._hook: Any = None
        self._codes: dict[int, CodeType] = {}
        self._calls: dict[int, int] = {}
        self._c_calls: dict[int, int] = {}
        self._nesting = Nesting()

    def start(self) -> None:
        """Count from here on."""
        self._codes, self._calls, self._c_calls = {}, {}, {}
        if sys.getprofile() is not None:
            return
        self._lines = LineSeconds(self._names)
        watched = {} if self._timers is None else self._timers.watched
        # Not by switching collections off: the loop may ask whether they are on, and switch them.
        collecting = _never if self._timers is None else self._timers.collecting
        self._nesting = Nesting()
        self._hook = _hook(
            self._codes, self._calls, self._c_calls, watched, self._lines, self._nesting, collecting
        )
        sys.setprofile(self._hook)

    def stop(self, steps: int = 1) -> dict[str, float]:
        """Stop, and return the counts of one step by name; nothing if they cannot be trusted.

        Args:
            steps: How many steps were done since `start`.

        ``python_calls`` and ``c_calls`` are calls of functions written in Python and in C, without
        the kit's own; ``calls/FILE:LINE FUNCTION`` are the calls of the functions called most, at
        least a thousandth of all, and of the reader's own; ``line/PLACE/FILE:LINE`` are the seconds
        in patched functions, by the column of their place and the reader's line that they are
        called from. Each second is counted once, for the innermost. ``nested/FILE:LINE`` is how
        often a function of the reader's stands within itself at most, by the line that calls it.
        """
        hook, self._hook = self._hook, None
        if hook is None:
            return {}
        survived = sys.getprofile() is hook
        if survived:
            sys.setprofile(None)
        # The look may end within a patched function: its frame would hold those of all that called
        # it, and what they hold, such as the data of a fit that is over.
        self._lines.forget()
        if not survived:
            return {}
        counts = self._counts() | self._calling_lines()
        each = {name: count / steps for name, count in counts.items()}
        return each | self._nested()

    def _nested(self) -> dict[str, float]:
        found = {}
        for key, (depth, line) in self._nesting.deepest.items():
            file = self._codes[key].co_filename
            if self._names.is_own(file):
                found[f"{NESTED}{file}:{line}"] = float(depth)
        return found

    def _calling_lines(self) -> dict[str, float]:
        if self._timers is None:
            return {}
        names = self._timers.place_names()
        return {
            f"{LINE}{names[place]}/{file}:{line}": seconds
            for (place, file, line), seconds in self._lines.seconds.items()
        }

    def _counts(self) -> dict[str, float]:
        ours = {
            key for key, code in self._codes.items()
            if self._names.is_around_the_step(code.co_filename)
        }  # fmt: skip
        calls = {key: count for key, count in self._calls.items() if key not in ours}
        total = sum(calls.values())
        counts = {
            "python_calls": float(total),
            "c_calls": float(sum(n for key, n in self._c_calls.items() if key not in ours)),
        }
        named: dict[str, float] = {}
        own = set()
        for key, count in calls.items():
            code = self._codes[key]
            place = f"{self._names.short(code.co_filename)}:{code.co_firstlineno} {code.co_name}"
            if self._names.is_own(code.co_filename):
                own.add(place)
            named[place] = named.get(place, 0.0) + count
        most = sorted(named.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_FUNCTIONS]
        most += [(name, named[name]) for name in sorted(own)[:MOST_FUNCTIONS]]
        told = {f"calls/{name}": n for name, n in most if n >= total / 1000 or name in own}
        return counts | told


class Nesting:
    """How deep functions of one code are within each other: a chain of wrappers, or a recursion.

    Attributes:
        deepest: For the id of a code how many there were at most, and the line that called the
            innermost.
    """

    def __init__(self) -> None:
        self.deepest: dict[int, tuple[int, int]] = {}
        self._now: dict[int, int] = {}

    def enter(self, key: int, caller: FrameType) -> None:
        """Note a call from a function of the same code."""
        depth = self._now[key] = self._now.get(key, 1) + 1
        if depth > self.deepest.get(key, (0, 0))[0]:
            self.deepest[key] = depth, caller.f_lineno

    def leave(self, key: int) -> None:
        """Note that a function is left."""
        if self._now.get(key, 1) > 1:
            self._now[key] -= 1


class LineSeconds:
    """The seconds in patched functions, by the place and the reader's line that they belong to.

    Args:
        names: Knows the reader's lines.
        clock: Returns seconds.
    """

    def __init__(self, names: SourceNames, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self.seconds: dict[tuple[int, str, int], float] = {}
        self._names = names
        # Of each that goes on: its frame or function, where it counts, and since when.
        self._within: list[tuple[object, tuple[int, str, int]]] = []
        self._since = 0.0

    def enter(self, called: object, place: int, frame: FrameType) -> None:
        """Note that a patched function is called: its own file is a package's, and passed over."""
        self._count()
        if (line := self._names.line(frame)) is not None:
            self._within.append((called, (place, *line)))
        self._since = self._clock()

    def leave(self, called: object) -> None:
        """Note that a function is left, one of them or any other."""
        if self._within and self._within[-1][0] is called:
            self._count()
            self._within.pop()

    def forget(self) -> None:
        """Let go of the functions that go on; what was counted stays."""
        self._within.clear()

    def _count(self) -> None:
        now = self._clock()
        if self._within:
            key = self._within[-1][1]
            self.seconds[key] = self.seconds.get(key, 0.0) + now - self._since
        self._since = now


def _never() -> bool:
    return False


def _hook(
    codes: dict[int, CodeType],
    calls: dict[int, int],
    c_calls: dict[int, int],
    watched: Mapping[int, int],
    lines: LineSeconds,
    nesting: Nesting,
    collecting: Callable[[], bool],
) -> Any:
    # By identity: code objects compare by value, and hashing one takes longer than the call.
    def hook(frame: FrameType, event: str, argument: object) -> None:
        if collecting():
            return
        code = frame.f_code
        key = id(code)
        called: object = frame
        if event == "call":
            counts = calls
            place = watched.get(key)
            if (back := frame.f_back) is not None and back.f_code is code:
                nesting.enter(key, back)
        elif event == "c_call":
            counts, called = c_calls, argument
            place = watched.get(id(argument))
        else:
            if event == "return":
                lines.leave(frame)
                nesting.leave(key)
            else:
                lines.leave(argument)
            return
        if place is not None:
            lines.enter(called, place, frame)
        if key in counts:
            counts[key] += 1
        else:
            counts[key] = 1
            codes[key] = code

    return hook
