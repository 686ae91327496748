"""The judge's goal figures, on fixed series of every truth and noise. Tier: make test, in turn.

Each goal stands here as it is promised. So few series cannot measure it to the point, so a limit is
what a judge who is exactly as good as promised stays within in 99 of 100 draws of such series (999
of 1,000 where the worst of 17 families is asked for). `make bench` measures with many more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from functools import cache

import pytest
from scipy.stats import binom

from labkit.stats import judge
from tests.stats import scoring
from tests.stats.families import series
from tests.stats.noises import FAMILIAR, HELD_OUT, NOISES
from tests.stats.scoring import Judged, Question

pytestmark = pytest.mark.in_turn

STEPS = 150
ONE_OF_MANY = 0.01
ONE_OF_FAMILIES = 0.001
FLAT = 30
EACH = 8
WARM = ("warm-up, decay", "warm-up, first steps", "warm-up, plateau")


@cache
def judged(truth: str, count: int = EACH, growth: float = 0.25) -> tuple[Judged, ...]:
    """Return the first series of a truth under every noise, with our verdicts."""
    drawn = (
        series(truth, noise, STEPS, index, growth=growth)
        for noise in NOISES
        for index in range(count)
    )
    return tuple(Judged(one, judge(one.seconds)) for one in drawn)


def assert_at_most(
    goal: float, right: Question, found: list[Judged], *, chance: float = ONE_OF_MANY
) -> None:
    """Count the yes; no more than a judge of this goal would have by chance."""
    count = sum(map(right, found))
    allowed = int(binom.ppf(1 - chance, len(found), goal))
    assert count <= allowed, (
        f"{count} of {len(found)}, at most {allowed}: {told(filter(right, found))}"
    )


def assert_at_least(
    goal: float, right: Question, found: list[Judged], *, chance: float = ONE_OF_MANY
) -> None:
    """Count the yes; no fewer than a judge of this goal would have by chance."""
    missed = [each for each in found if not right(each)]
    allowed = len(found) - int(binom.ppf(chance, len(found), goal))
    assert len(missed) <= allowed, f"at most {allowed} of {len(found)} missed: {told(missed)}"


def told(found: Iterable[Judged]) -> str:
    """Name the wrong ones, for a failure's message."""
    counts = Counter(f"{each.series.noise}: {each.verdict.label}" for each in found)
    return ", ".join(f"{what} {count} times" for what, count in counts.items())


def under(noises: Container[str], found: Iterable[Judged]) -> list[Judged]:
    """Return those under some of the noises."""
    return [each for each in found if each.series.noise in noises]


@pytest.mark.parametrize("noises", [FAMILIAR, HELD_OUT], ids=["familiar", "held out"])
def test_flat_series_raise_an_alarm_in_at_most_1_of_100(noises):
    assert_at_most(0.01, scoring.alarmed, under(noises, judged("flat", FLAT)))


@pytest.mark.parametrize("noise", NOISES)
def test_under_no_noise_do_flat_series_raise_alarms_in_more_than_5_of_100(noise):
    found = under([noise], judged("flat", FLAT))
    assert_at_most(0.05, scoring.alarmed, found, chance=ONE_OF_FAMILIES)


@pytest.mark.parametrize("truth", ["periodic spikes", "rare spikes", "speeding up"])
def test_what_is_not_growth_raises_an_alarm_in_at_most_15_of_1000(truth):
    assert_at_most(0.015, scoring.alarmed, list(judged(truth)))


def test_warm_up_raises_an_alarm_in_at_most_15_of_1000():
    assert_at_most(0.015, scoring.alarmed, [each for truth in WARM for each in judged(truth)])


@pytest.mark.parametrize(("growth", "goal"), [(0.10, 0.75), (0.25, 0.94), (1.0, 0.99)])
def test_growth_is_found(growth, goal):
    assert_at_least(goal, scoring.alarmed, list(judged("linear", EACH, growth)))


def test_a_step_up_of_a_quarter_is_found_named_and_placed():
    found = list(judged("step up"))
    assert_at_least(0.98, scoring.alarmed, found)
    assert_at_least(0.90, scoring.named, found)
    assert_at_least(0.95, scoring.placed, [each for each in found if scoring.named(each)])


@pytest.mark.parametrize("truth", WARM)
def test_warm_up_is_named(truth):
    assert_at_least(0.95, scoring.named, list(judged(truth)))


def test_periodic_spikes_are_named_with_their_period():
    assert_at_least(0.90, scoring.beaten, list(judged("periodic spikes")))


def test_a_level_that_never_settles_is_named_or_raises_another_alarm():
    found = list(judged("unsteady"))
    assert_at_least(0.65, scoring.named, found)
    assert_at_least(0.80, scoring.alarmed, found)


def test_the_interval_holds_the_true_growth():
    """In nine of ten series, and under every noise in 85 of 100."""
    truths = ("linear", "step up", *WARM, "periodic spikes", "rare spikes", "speeding up")
    pooled = [*judged("flat", FLAT), *(each for truth in truths for each in judged(truth))]
    found = scoring.with_interval(pooled)
    assert_at_least(0.90, scoring.covered, found)
    for noise in NOISES:
        one = under([noise], found)
        assert_at_least(0.85, scoring.covered, one, chance=ONE_OF_FAMILIES)
