"""A change must be larger than what the machine makes by itself, whichever way it goes."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from labkit.record import Verdict
from labkit.show.verdict.verdict_words import verdict_words
from labkit.stats import judge
from labkit.stats.machine.adjusted import judge_adjusted
from labkit.stats.uncertainty import change, exceeds, widened, withdrawn
from tests.stats import known
from tests.stats.machines import machine_of

STEPS = 300


def claim(label: str, growth: float, low: float, high: float, **more: object) -> Verdict:
    return Verdict(label, growth, low, high, steps=STEPS, **more)  # type: ignore[arg-type]


def seen_alone(seconds: known.Numbers) -> Verdict:
    """Judge a loop of one thread that nobody disturbs."""
    return judge_adjusted(seconds, machine_of(seconds, queue=np.zeros(STEPS)))


def test_a_short_step_may_take_a_tenth_of_a_millisecond_more_by_itself() -> None:
    for seed in range(5):
        short = known.step_up(known.white(STEPS, seed, 0.02), 0.12, 150).seconds / 200
        assert seen_alone(short).label in ("flat", "warmup")


def test_the_same_change_of_a_long_step_is_the_loops() -> None:
    for seed in range(5):
        long = known.step_up(known.white(STEPS, seed, 0.02), 0.12, 150).seconds / 5
        assert seen_alone(long).label == "shift"


def test_steps_of_twenty_microseconds_that_double_are_slower_all_the_same() -> None:
    for seed in range(5):
        tiny = known.ramp(known.white(STEPS, seed), 1.0).seconds / 5_000
        assert seen_alone(tiny).slower


def test_what_is_withdrawn_is_flat_with_room_for_what_was_claimed() -> None:
    found = withdrawn(claim("slowdown", 0.2, 0.1, 0.3, onset_step=9), math.log(1.25))
    assert found.label == "flat" and found.onset_step is None
    assert found.low == pytest.approx(-0.12) and found.high == pytest.approx(0.625)
    assert found.reason == "machine"
    assert found.smallest_growth == pytest.approx(0.25), "so that a diagnosis looks on"


def test_a_claim_whose_widened_interval_reaches_zero_is_withdrawn_in_both_directions() -> None:
    up = claim("shift", 0.2, 0.15, 0.25)
    down = claim("speedup", 1 / 1.2 - 1, 1 / 1.25 - 1, 1 / 1.15 - 1)
    for one in (up, down):
        assert widened(one, 0.3).label == "flat"
        kept = widened(one, 0.1)
        assert kept.label == one.label
        before, after = change(one, 1), change(kept, 1)
        assert after.least < before.least and after.most > before.most


@pytest.mark.parametrize("growth", [0.6, 3.0, -0.5])
def test_the_words_of_a_widened_claim_have_its_interval(growth: float) -> None:
    """Recorded: a page said 95 % 10.1-11.1 in its words and 6.4-17.6 below them."""
    one = judge(known.ramp(known.white(STEPS, 1, 0.02), growth).seconds)
    wide = widened(one, 0.2)
    assert wide.low is not None and wide.high is not None and one.high is not None
    assert wide.label == one.label and wide.high > one.high
    ends = re.search(r"95 % CI ([\d.]+)-([\d.]+)", verdict_words(wide))
    assert ends is not None
    assert [float(end) for end in ends.groups()] == pytest.approx(
        [1 + wide.low, 1 + wide.high], abs=0.06
    )
    assert verdict_words(wide).split("(")[0] == verdict_words(one).split("(")[0]


def test_up_and_down_are_mirror_images() -> None:
    up = claim("slowdown", 1.0, 0.6, 1.5)
    down = claim("speedup", 1 / 2 - 1, 1 / 2.5 - 1, 1 / 1.6 - 1)
    seen_up, seen_down = change(up, 1), change(down, -1)
    assert (seen_up.size, seen_up.least, seen_up.most) == pytest.approx(
        (seen_down.size, seen_down.least, seen_down.most)
    )
    assert exceeds(up, 0.4) and exceeds(down, 0.4) and not exceeds(down, 0.5)
