"""Python calls in one step: what a step costs the interpreter, without any noise.

Counted with ``sys.setprofile``, in this thread only. Not with ``cProfile``: from Python 3.12 on a
loop that profiles itself could not start its own while ours runs.
"""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from types import CodeType, FrameType
from typing import Any

from labkit.measure.clock.source_names import SourceNames
from labkit.measure.clock.timers import Timers
from labkit.record.source_line import LINE

MOST_FUNCTIONS = 40


class CallCounter:
    """Counts the calls between `start` and `stop`; adds about 0.7 us to each.

    A step of 800 calls that takes 0.4 ms takes 1.2 ms while it is counted.

    Python's own collections wait until it is done: what they call belongs to no step. Where
    another profiler is at work, or the loop starts or ends one meanwhile, nothing is counted.
    """

    def __init__(self, timers: Timers | None = None) -> None:
        self._names = SourceNames()
        self._timers = timers
        self._lines: Counter[tuple[int, str, int]] = Counter()
        self._hook: Any = None
        self._codes: dict[int, CodeType] = {}
        self._calls: dict[int, int] = {}
        self._c_calls: dict[int, int] = {}
        self._collecting = False

    def start(self) -> None:
        """Count from here on."""
        self._codes, self._calls, self._c_calls = {}, {}, {}
        if sys.getprofile() is not None:
            return
        self._collecting = gc.isenabled()
        gc.disable()
        self._lines.clear()
        watched = {} if self._timers is None else self._timers.watched
        note = partial(_note, self._names, self._lines)
        self._hook = _hook(self._codes, self._calls, self._c_calls, watched, note)
        sys.setprofile(self._hook)

    def stop(self, steps: int = 1) -> dict[str, float]:
        """Stop, and return the counts of one step by name; nothing if they cannot be trusted.

        Args:
            steps: How many steps were done since `start`.

        ``python_calls`` and ``c_calls`` are calls of functions written in Python and in C, without
        the kit's own; ``calls/FILE:LINE FUNCTION`` are the calls of the functions called most, at
        least a thousandth of all; ``line/PLACE/FILE:LINE`` are the calls of patched functions, by
        the column of their place and the reader's line that they come from.
        """
        hook, self._hook = self._hook, None
        if hook is None:
            return {}
        survived = sys.getprofile() is hook
        if survived:
            sys.setprofile(None)
        if self._collecting:
            gc.enable()
        if not survived:
            return {}
        counts = self._counts() | self._calling_lines()
        return {name: count / steps for name, count in counts.items()}

    def _calling_lines(self) -> dict[str, float]:
        if self._timers is None:
            return {}
        names = self._timers.place_names()
        return {
            f"{LINE}{names[place]}/{file}:{line}": float(count)
            for (place, file, line), count in self._lines.items()
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
        for key, count in calls.items():
            code = self._codes[key]
            place = f"{self._names.short(code.co_filename)}:{code.co_firstlineno} {code.co_name}"
            named[place] = named.get(place, 0.0) + count
        most = sorted(named.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_FUNCTIONS]
        return counts | {f"calls/{name}": n for name, n in most if n >= total / 1000}


def _note(
    names: SourceNames, lines: Counter[tuple[int, str, int]], place: int, frame: FrameType
) -> None:
    if (line := names.line(frame)) is not None:
        lines[place, *line] += 1


def _hook(
    codes: dict[int, CodeType],
    calls: dict[int, int],
    c_calls: dict[int, int],
    watched: Mapping[int, int],
    note: Callable[[int, FrameType], None],
) -> Any:
    # By identity: code objects compare by value, and hashing one takes longer than the call.
    def hook(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        key = id(code)
        if event == "call":
            counts = calls
            place = watched.get(key)
        elif event == "c_call":
            counts = c_calls
            place = watched.get(id(argument))
        else:
            return
        if place is not None:
            note(place, frame)  # its own file is a package's, and passed over
        if key in counts:
            counts[key] += 1
        else:
            counts[key] = 1
            codes[key] = code

    return hook
