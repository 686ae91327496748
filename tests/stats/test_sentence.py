"""The verdict's sentence, word for word."""

import re

import numpy as np
import pytest

from labkit.stats import judge, too_short
from labkit.stats.sentence import Figures, beside, number, scale_of
from tests.stats import known


def test_a_slowdown_says_from_where_to_where():
    figures = Figures(300, 0, 7.0e-3, 19.4e-3, 1.77, 1.6, 2.0)
    assert figures.changed("slowdown") == (
        "slowdown: from 7.0 to 19.4 ms a step (x 2.8, 95 % 2.6-3.0) over 300 steps"
    )


def test_a_small_growth_is_written_finer():
    figures = Figures(300, 12, 0.2, 0.25, 0.25, 0.2, 0.31)
    assert figures.changed("shift", onset=140) == (
        "shift: from 200 to 250 ms a step (x 1.25, 95 % 1.20-1.31) after 140 of 300 steps, "
        "after 12 steps of warm-up"
    )


def test_flat_says_to_within_what():
    figures = Figures(300, 0, 0.25e-3, 0.25e-3, 0.0, -0.03, 0.02)
    assert figures.flat() == "flat: 0.25 ms a step to within 3 % over 300 steps"


@pytest.mark.parametrize(("warmup", "said"), [(1, "first step is"), (12, "first 12 steps are")])
def test_warm_up_says_how_many_steps(warmup, said):
    figures = Figures(300, warmup, 0.25e-3, 0.25e-3, 0.0, -0.03, 0.02)
    assert figures.warm() == (
        f"warm-up: the {said} slower, then flat: 0.25 ms a step to within 3 % "
        f"over {300 - warmup} steps"
    )


def test_too_short_says_how_many_are_needed():
    assert too_short(12).detail == (
        "too short: 12 steps, at least 30 are needed to say anything; run more steps"
    )
    assert too_short(1).detail.startswith("too short: 1 step,")


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (2.5e-6, "2.5 us"),
        (5e-5, "50.0 us"),
        (2.5e-4, "0.25 ms"),
        (7e-3, "7.0 ms"),
        (0.25, "250 ms"),
        (1.5, "1.5 s"),
        (600.0, "600 s"),
    ],
)
def test_the_unit_suits_the_size(seconds, written):
    scale, unit = scale_of(seconds)
    assert f"{number(seconds * scale)} {unit}" == written


def test_a_judged_ramp_reads_like_the_example():
    verdict = judge(known.ramp(known.white(300, 1, 0.03), 1.77, level=7e-3).seconds)
    pattern = r"slowdown: from \d\.\d to \d\d\.\d ms a step \(x 2\.\d, 95 % 2\.\d-2\.\d\) over 300"
    assert re.match(pattern, verdict.detail), verdict.detail


def test_where_growth_could_hide_the_sentence_says_so():
    verdict = judge(0.1 * np.exp(known.white(60, 2, 0.5)))
    assert verdict.label == "flat"
    assert re.fullmatch(
        r"flat as far as one can tell: \d+ ms a step over 60 steps, but these scatter so much that "
        r"a growth of up to \d+ % could hide among them; run more steps",
        verdict.detail,
    )


def test_where_even_a_doubling_could_hide_nothing_is_said():
    verdict = judge(0.1 * np.exp(known.white(40, 2, 1.0)))
    assert verdict.label == "too_short"
    assert (verdict.growth, verdict.low, verdict.high) == (None, None, None)
    assert verdict.detail == (
        "too short: 40 steps that scatter so much that the last could be twice as slow as the "
        "first and not show it; run more steps"
    )


def test_noise_of_a_tenth_leaves_flat_a_plain_word():
    for seed in range(10):
        verdict = judge(known.flat(known.white(150, seed, 0.1)).seconds)
        assert re.fullmatch(
            r"flat: [\d.]+ ms a step to within \d+ % over 150 steps", verdict.detail
        )


def test_spikes_say_their_period_and_their_share():
    verdict = judge(known.combed(known.white(200, 3), 10, 5.0).seconds)
    assert re.match(
        r"spikes: one every 10 steps, \d\d % of all time; between them flat: ", verdict.detail
    )


def test_spikes_whose_distance_wanders_come_about_every_so_many_steps():
    verdict = judge(known.wandering_comb(known.white(300, 4), 20, 3, 5.0, 4).seconds)
    assert re.match(
        r"spikes: one about every (19|20|21) steps, \d\d % of all time; ", verdict.detail
    )


def test_one_giant_is_told_as_one():
    assert beside(1, 0.25, None) == "; 1 rare giant step takes 25 % of all time"
    assert beside(2, 0.25, None) == "; 2 rare giant steps take 25 % of all time"
    assert beside(15, 0.25, 10.0) == "; a spike every 10 steps takes 25 % of all time"
