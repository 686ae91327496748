"""Methods that cut a series into levels, as rivals: asv's step detection and Apache Otava.

They were made for results of many commits. A level up is what they call a regression.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labkit.record import Verdict
from labkit.record.verdict import Label
from tests.stats.noises import Numbers
from tools.bench import otava
from tools.bench.method import Method, claim

SMALLEST_GROWTH = 0.05


def asv(seconds: Numbers) -> Verdict:
    """Detect steps and regressions of 5 % as asv does."""
    # Here, because only `make bench` installs asv.
    from asv.step_detect import detect_regressions, detect_steps

    steps = detect_steps(seconds.tolist())
    _, _, regressions = detect_regressions(steps, threshold=SMALLEST_GROWTH)
    edges = [left for left, *_ in steps]
    levels = [level for _, _, level, *_ in steps]
    if regressions:
        return claim("shift", onset=_largest_rise(edges, levels))
    return _fallen(edges, levels, len(seconds))


def otava_judge(search: Callable[[list[float]], list[int]]) -> Callable[[Numbers], Verdict]:
    """Return a judge by Otava's change points.

    A shift is a last level 5 % above the lowest, which is also asv's rule.
    """

    def judge(seconds: Numbers) -> Verdict:
        edges = [0, *search(seconds.tolist())]
        levels = [float(part.mean()) for part in np.split(seconds, edges[1:])]
        if levels[-1] >= (1 + SMALLEST_GROWTH) * min(levels):
            return claim("shift", onset=_largest_rise(edges, levels))
        return _fallen(edges, levels, len(seconds))

    return judge


def _largest_rise(edges: list[int], levels: list[float]) -> int:
    return edges[1 + int(np.argmax(np.diff(np.log(levels))))]


def _fallen(edges: list[int], levels: list[float], steps: int) -> Verdict:
    """Read levels that fell: by half-way a warm-up, later a speedup."""
    if levels[0] < (1 + SMALLEST_GROWTH) * levels[-1]:
        return claim("flat")
    return claim("warmup" if 2 * edges[-1] <= steps else "speedup")


def methods() -> tuple[Method, ...]:
    """Return those that are there; Otava may be out of reach."""
    words: tuple[Label, ...] = ("shift", "warmup", "speedup")
    # 100,000 steps took asv 43 s.
    found = (Method("asv", asv, words, most_steps=10_000),)
    if not otava.install():
        return found
    return (*found, Method("Otava", otava_judge(otava.change_points()), words))
