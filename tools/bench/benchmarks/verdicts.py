"""How right the verdict is, beside six rivals on the same series in one run.

Series with known truth under 17 families of noise, 150 steps each. A rival judges the first of each
family, the verdict more of them: it is quicker, and its figures are the ones that are promised.

Usage: python -m tools.bench.benchmarks.verdicts [SERIES]

SERIES is how many of each truth and noise a rival judges; 1 takes half a minute, the 15 of
`make bench` five.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from labkit.stats import judge
from tests.stats.families import Series, series
from tests.stats.noises import NOISES
from tests.stats.scoring import Judged
from tools.bench.benchmarks import rivals
from tools.bench.benchmarks.questions import CELLS, QUESTIONS, Cell, Question
from tools.bench.benchmarks.rivals import Method
from tools.bench.figure import Figure, terminal

STEPS = 150
SERIES = 15
# How many series the verdict judges for each that a rival does.
MORE = 4
# Steps, milliseconds that are good, series to take the median of.
LENGTHS = ((150, 5.0, 34), (1_500, 10.0, 8), (100_000, 50.0, 4))
SLOW_MS = 1_000.0
GROUP = "the verdict on 150 steps"
OURS = Method("labkit", judge, ("slowdown", "shift", "speedup", "warmup", "spikes", "unsteady"))

Results = Mapping[Cell, Sequence[Judged]]


def measure(count: int = SERIES) -> list[Figure]:
    """Return every figure of the verdict with those of its rivals, which judge `count` of each."""
    methods = rivals.methods()
    ours = results(OURS, MORE * count)
    theirs = {method: results(method, count) for method in methods}
    figures = [figure for asked in QUESTIONS if (figure := _figure(asked, ours, theirs))]
    return [*figures, *_speed(methods)]


def results(method: Method, count: int) -> Results:
    """Let a method judge the first series of every cell."""
    return {
        cell: [Judged(one, method.judge(one.seconds)) for one in drawn(cell, count)]
        for cell in CELLS
    }


def drawn(cell: Cell, count: int) -> Iterator[Series]:
    """Draw the first series of a cell under every noise, `cell.times` times `count` of each."""
    for noise in NOISES:
        for index in range(count * cell.times):
            yield series(cell.truth, noise, STEPS, index, growth=cell.growth)


def _figure(asked: Question, ours: Results, theirs: Mapping[Method, Results]) -> Figure | None:
    own = _answer(asked, ours)
    if own is None:
        return None
    rivals = {
        method.name: answer[0]
        for method, found in theirs.items()
        if asked.label is None or asked.label in method.labels
        if (answer := _answer(asked, found))
    }
    share, worst = own
    return Figure(
        GROUP, asked.name, share, "%", asked.goal, worst,
        more_is_better=asked.more_is_better, rivals=rivals,
    )  # fmt: skip


def _answer(asked: Question, found: Results) -> tuple[float, str] | None:
    return asked.answer([each for cell in asked.cells for each in found[cell]])


def _speed(methods: Sequence[Method]) -> list[Figure]:
    """Return the milliseconds of one verdict; rivals only where they bear the length."""
    figures = []
    for steps, goal, count in LENGTHS:
        beside = {
            each.name: _milliseconds(each, steps, count)
            for each in methods
            if steps <= each.most_steps
        }
        value = _milliseconds(OURS, steps, count)
        name = f"one verdict, {steps:,} steps"
        note = "processor time, median"
        figures.append(Figure(GROUP, name, value, "ms", goal, note, rivals=beside))
    return figures


def _milliseconds(method: Method, steps: int, count: int) -> float:
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


if __name__ == "__main__":
    print(terminal(measure(*map(int, sys.argv[1:2]))))
