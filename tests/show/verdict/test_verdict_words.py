"""The verdict's sentence, word for word."""

import re
from dataclasses import replace

import numpy as np
import pytest

from labkit.record import Verdict
from labkit.record.verdict import Later, Spikes, Throttling
from labkit.show.verdict.verdict_words import (
    loop_words,
    machine_words,
    number,
    scale_of,
    verdict_words,
)
from labkit.stats import judge, too_short
from tests.stats import known


def verdict(label, steps, warmup, first, last, *growth, **more):
    """Return a verdict of given levels, in seconds, and of a growth with its interval."""
    return Verdict(
        label, *growth, steps=steps, warmup_steps=warmup, first_seconds=first, last_seconds=last,
        **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (
            "slowdown: from 7.0 to 19.4 ms per step (2.8x, 95 % CI 2.6-3.0) over 300 steps",
            verdict("slowdown", 300, 0, 7.0e-3, 19.4e-3, 1.77, 1.6, 2.0),
        ),
        (
            "shift: from 200 to 250 ms per step (1.25x, 95 % CI 1.20-1.31) after 140 of 300 steps, "
            "after 12 steps of warm-up",
            verdict("shift", 300, 12, 0.2, 0.25, 0.25, 0.2, 0.31, onset_step=140),
        ),
        (
            "flat: 0.25 ms per step to within 3 % over 300 steps",
            verdict("flat", 300, 0, 0.25e-3, 0.25e-3, 0.0, -0.03, 0.02),
        ),
        (
            "warm-up: the first step is slower, then flat: 0.25 ms per step to within 3 % "
            "over 299 steps",
            verdict("warmup", 300, 1, 0.25e-3, 0.25e-3, 0.0, -0.03, 0.02),
        ),
        (
            "warm-up: the first 12 steps are slower, then flat: 0.25 ms per step to within 3 % "
            "over 288 steps",
            verdict("warmup", 300, 12, 0.25e-3, 0.25e-3, 0.0, -0.03, 0.02),
        ),
        (
            "warm-up: 2 steps slower, then no reliable change (1.25x, 95 % CI 0.90-1.60); "
            "rerun on an idle machine",
            verdict("warmup", 300, 2, 0.2, 0.25, 0.25, -0.1, 0.6, reason="machine"),
        ),
        ("too short: 12 steps, and a verdict needs at least 30; run more steps", too_short(12)),
        ("too short: 1 step, and a verdict needs at least 30; run more steps", too_short(1)),
    ],
)
def test_a_verdict_is_one_sentence(said, found):
    assert loop_words(found) == said


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
    judged = judge(known.ramp(known.white(300, 1, 0.03), 1.77, level=7e-3).seconds)
    pattern = (
        r"slowdown: from \d\.\d to \d\d\.\d ms per step "
        r"\(2\.\dx, 95 % CI 2\.\d-2\.\d\) over 300"
    )
    assert re.match(pattern, loop_words(judged)), judged


def test_where_growth_could_hide_the_sentence_says_so():
    judged = judge(0.1 * np.exp(known.white(60, 2, 0.5)))
    assert judged.label == "flat"
    assert re.fullmatch(
        r"no growth found: \d+ ms per step over 60 steps, but step times vary so much that growth "
        r"of up to \d+ % could go unnoticed; run more steps",
        loop_words(judged),
    )


def test_where_even_a_doubling_could_hide_nothing_is_said():
    judged = judge(0.1 * np.exp(known.white(40, 2, 1.0)))
    assert judged.label == "too_short"
    assert (judged.growth, judged.low, judged.high) == (None, None, None)
    assert loop_words(judged) == (
        "too short: 40 steps, and so noisy that even a doubling of the step time could go "
        "unnoticed; run more steps"
    )


def test_noise_of_a_tenth_leaves_flat_a_plain_word():
    for seed in range(10):
        judged = judge(known.flat(known.white(150, seed, 0.1)).seconds)
        assert re.fullmatch(
            r"flat: [\d.]+ ms per step to within \d+ % over 150 steps", loop_words(judged)
        )


def test_spikes_say_their_period_and_their_share():
    judged = judge(known.combed(known.white(200, 3), 10, 5.0).seconds)
    assert re.match(
        r"spikes: one every 10 steps, \d\d % of the time; between them flat: ", loop_words(judged)
    )


def test_spikes_whose_distance_wanders_come_about_every_so_many_steps():
    judged = judge(known.wandering_comb(known.white(300, 4), 20, 3, 5.0, 4).seconds)
    assert re.match(
        r"spikes: one about every (19|20|21) steps, \d\d % of the time; ", loop_words(judged)
    )


def test_one_giant_is_told_as_one():
    flat = verdict("flat", 300, 0, 0.25e-3, 0.25e-3, 0.0, -0.03, 0.02, spike_share=0.25)
    ends = [
        loop_words(replace(flat, spikes=Spikes(count), spike_period=period)).partition("; ")[2]
        for count, period in ((1, None), (2, None), (15, 10.0))
    ]
    assert ends == [
        "1 outlier step accounts for 25 % of the time",
        "2 outlier steps account for 25 % of the time",
        "a spike every 10 steps accounts for 25 % of the time",
    ]


def test_what_came_after_an_early_growth_is_said():
    grew = verdict("shift", 300, 0, 1e-3, 2e-3, 1.0, 0.9, 1.1)
    assert loop_words(replace(grew, later=Later(900, 2e-3, True))).endswith(
        "; it stays like that for 900 more steps"
    )
    assert loop_words(replace(grew, later=Later(900, 1e-3, False))).endswith(
        "; the 900 steps after them take 1.0 ms each"
    )


def test_what_the_machine_did_comes_last_and_can_be_left_out():
    drifted = verdict("flat", 300, 0, 0.25e-3, 0.25e-3, 0.0, -0.03, 0.02, machine_growth=0.08)
    both = replace(drifted, contended_share=0.4)
    uncounted = replace(both, machine_growth=None, contention_counted=False)
    assert machine_words(both) == (
        "the machine itself became 8 % slower; other programs took 40 % of the time (corrected for)"
    )
    assert "this system does not report how much time they took" in machine_words(uncounted)
    assert verdict_words(both) == f"{loop_words(both)}; {machine_words(both)}"
    assert machine_words(replace(both, machine_growth=-0.02, contended_share=0.02)) == ""


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            Throttling("heat", 1590.3, 1004.6),
            "the graphics card's clock fell from 1,590 to 1,005 MHz because of heat (NVML)",
        ),
        (
            Throttling("power", 1755, 1500),
            "the graphics card's clock fell from 1,755 to 1,500 MHz because of its power limit "
            "(NVML)",
        ),
        (
            Throttling("heat and power", 1005, 1590),
            "the graphics card's clock, which heat and its power limit had held back, rose from "
            "1,005 to 1,590 MHz (NVML)",
        ),
        (
            Throttling("heat", 1590, 1005, wanders=True),
            "the graphics card's clock went up and down between 1,005 and 1,590 MHz because of "
            "heat (NVML)",
        ),
    ],
)
def test_a_card_that_was_held_back_is_told_with_its_clock_and_the_witness(found, said):
    steady = verdict("flat", 300, 0, 0.01, 0.01, 0.0, -0.01, 0.01, throttling=found)
    assert machine_words(steady) == said and steady.disturbed
    assert verdict_words(steady).endswith(f"; {said}")
    assert machine_words(replace(steady, throttling=None)) == ""


def test_a_change_that_the_cards_clock_explains_asks_for_another_run_and_no_idle_machine():
    said = verdict("flat", 300, 0, 0.01, 0.0158, 0.58, 0.0, 1.5, reason="machine")
    hot = replace(said, throttling=Throttling("heat", 1590, 1005))
    assert loop_words(hot).endswith("; run again when the graphics card keeps its clock")
    assert "idle machine" in loop_words(said) and "graphics card" not in loop_words(said)
