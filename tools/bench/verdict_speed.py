"""How long one verdict takes, in processor time, on series of three lengths."""

from __future__ import annotations

import time
from collections.abc import Sequence
from statistics import median

from tests.stats.families import series
from tests.stats.noises import NOISES
from tools.bench.figure import Figure
from tools.bench.method import Method

# Steps, milliseconds that are good, series to take the median of.
LENGTHS = ((150, 5.0, 34), (1_500, 10.0, 8), (100_000, 50.0, 4))
SLOW_MS = 1_000.0


def speed(ours: Method, rivals: Sequence[Method], *, group: str) -> list[Figure]:
    """Return the milliseconds of one verdict; rivals only where they bear the length."""
    figures = []
    for steps, goal, count in LENGTHS:
        beside = {
            each.name: milliseconds(each, steps, count)
            for each in rivals
            if steps <= each.most_steps
        }
        value = milliseconds(ours, steps, count)
        name = f"one verdict, {steps:,} steps"
        note = "processor time, median"
        figures.append(Figure(group, name, value, "ms", goal, note, rivals=beside))
    return figures


def milliseconds(method: Method, steps: int, count: int) -> float:
    """Return the median time of a verdict over flat and growing series of all noises in turn."""
    spent: list[float] = []
    for index, noise in zip(range(count), [*NOISES, *NOISES], strict=False):
        truth = ("flat", "linear")[index % 2]
        seconds = series(truth, noise, steps, index).seconds
        began = time.process_time()
        method.judge(seconds)
        spent.append((time.process_time() - began) * 1e3)
        # One look is enough at what takes seconds.
        if spent[-1] > SLOW_MS:
            break
    return median(spent)
