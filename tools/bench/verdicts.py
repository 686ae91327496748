"""How right the verdict is, beside six rivals on the same series in one run.

Series with known truth under 17 families of noise, 150 steps each. A rival judges the first of each
family, the verdict more of them: it is quicker, and its figures are the ones that are promised.

Usage: python -m tools.bench.verdicts [SERIES]     How many of each truth and noise a rival judges;
1 takes half a minute, the 15 of `make bench` five.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence

from labkit.stats import judge
from tests.stats.families import Series, series
from tests.stats.noises import NOISES
from tests.stats.scoring import Judged
from tools.bench import step_rivals, trend_rivals
from tools.bench.figure import Figure
from tools.bench.method import Method
from tools.bench.table import terminal
from tools.bench.verdict_questions import CELLS, QUESTIONS, Cell, Question
from tools.bench.verdict_speed import speed

STEPS = 150
SERIES = 15
# How many series the verdict judges for each that a rival does.
MORE = 4
GROUP = "the verdict on 150 steps"
OURS = Method("labkit", judge, ("slowdown", "shift", "speedup", "warmup", "spikes", "unsteady"))

Results = Mapping[Cell, Sequence[Judged]]


def measure(count: int = SERIES) -> list[Figure]:
    """Return every figure of the verdict with those of its rivals.

    Args:
        count: How many series of each truth and noise a rival judges.
    """
    methods = (*trend_rivals.METHODS, *step_rivals.methods())
    ours = results(OURS, MORE * count)
    theirs = {method: results(method, count) for method in methods}
    figures = [figure for asked in QUESTIONS if (figure := _figure(asked, ours, theirs))]
    return [*figures, *speed(OURS, methods, group=GROUP)]


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


if __name__ == "__main__":
    print(terminal(measure(*map(int, sys.argv[1:2]))))
