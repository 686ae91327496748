"""What verdicts are worth against the truth: shares in percent, over noise families.

A verdict may come from anybody; who gave it is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import mean

from labkit.record import Verdict
from tests.stats.families import Series

# A verdict that sends somebody looking for a cause.
ALARMS = ("slowdown", "shift", "unsteady")
PLACED_WITHIN = 0.03


@dataclass(frozen=True)
class Judged:
    """A series and the verdict on it."""

    series: Series
    verdict: Verdict


Question = Callable[[Judged], bool]


def alarmed(judged: Judged) -> bool:
    """Whether the loop is said to have become slower or not to settle."""
    return judged.verdict.label in ALARMS


def named(judged: Judged) -> bool:
    """Whether the label is the true one."""
    return judged.verdict.label == judged.series.truth.label


def placed(judged: Judged) -> bool:
    """Whether growth begins where it is said to, within 3 % of the run."""
    onset, steps = judged.verdict.onset_step, len(judged.series.seconds)
    true = judged.series.truth.onset
    return onset is not None and true is not None and abs(onset - true) <= PLACED_WITHIN * steps


def beaten(judged: Judged) -> bool:
    """Whether spikes are named with their true period."""
    return named(judged) and judged.verdict.spike_period == judged.series.truth.period


def covered(judged: Judged) -> bool:
    """Whether the interval holds the true growth."""
    verdict, growth = judged.verdict, judged.series.truth.growth
    if verdict.low is None or verdict.high is None or growth is None:
        return False
    return verdict.low <= growth <= verdict.high


def with_interval(judged: Iterable[Judged]) -> list[Judged]:
    """Leave out what cannot be covered: no true growth, or no interval given."""
    return [
        each
        for each in judged
        if each.series.truth.growth is not None and each.verdict.low is not None
    ]


def percent(question: Question, judged: Iterable[Judged]) -> float:
    """Return the share of yes, each noise family counting the same.

    Raises:
        statistics.StatisticsError: If there is no series.
    """
    return mean(by_family(question, judged).values())


def by_family(question: Question, judged: Iterable[Judged]) -> dict[str, float]:
    """Return the share of yes in percent for each noise family."""
    answers: dict[str, list[bool]] = {}
    for each in judged:
        answers.setdefault(each.series.noise, []).append(question(each))
    return {noise: 100 * mean(found) for noise, found in answers.items()}
