"""What a headline says of a diagnosis, in eight words. make quick."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.record import State, Verdict
from labkit.record.verdict import Label
from labkit.show.verdict.glance import failure, headline, headline_tone, tone
from labkit.stats import judge, too_short
from tests.show.stretches import diagnosis, verdict
from tests.stats import known

LEVELS = st.floats(1e-6, 100.0)
SPIKY = {"spike_period": 10.0, "spike_share": 0.97, "spike_seconds": 0.195}


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("5.3x slower: 4.8 to 25.6 ms per step", verdict("slowdown", 4.8e-3, 25.6e-3)),
        ("1.25x slower: 200 to 250 ms per step", verdict("shift", 0.2, 0.25)),
        ("4.0x faster: 40.0 to 10.0 ms per step", verdict("speedup", 0.04, 0.01)),
        ("flat at 0.52 ms per step", verdict("flat", 0.52e-3, 0.52e-3)),
        ("flat at 0.52 ms per step", verdict("warmup", 0.52e-3, 0.52e-3)),
        ("spikes every 10 steps, between them 0.40 ms",
         verdict("spikes", 4e-4, 4e-4, spike_period=10.0)),
        ("spikes every 10 steps, between them 0.40 ms",
         verdict("speedup", 5e-4, 3.2e-4, spike_period=10.0, spike_share=0.97)),
        ("1.56x faster: 0.50 to 0.32 ms per step",
         verdict("speedup", 5e-4, 3.2e-4, spike_period=10.0, spike_share=0.3)),
        ("2.0x slower: 0.25 to 0.50 ms per step",
         verdict("slowdown", 2.5e-4, 5e-4, spike_period=10.0, spike_share=0.97)),
        ("about 1.4 ms per step, growth unclear", verdict("flat", 1e-3, 2e-3, reason="machine")),
        ("too few steps to judge yet", too_short(3)),
    ],
)  # fmt: skip
def test_a_headline_is_a_handful_of_words(said: str, found: Verdict) -> None:
    assert headline(diagnosis(found)) == said


@pytest.mark.parametrize("label", ["spikes", "flat", "warmup", "speedup", "unsteady"])
@pytest.mark.parametrize("reason", [None, "machine"])
def test_spikes_that_hold_most_of_the_time_are_the_headline(label: Label, reason: str) -> None:
    """Seen on a busy machine: teeth of 195 ms, and "about 0.34 ms per step, growth unclear"."""
    found = verdict(label, 5e-4, 3.2e-4, reason=reason, **SPIKY)
    assert headline(diagnosis(found)) == "195 ms every 10 steps, else 0.40 ms"
    assert tone(found) == "spikes"


@pytest.mark.parametrize(
    "more",
    [
        {"spike_share": 0.4},  # most of the time is in the other steps
        {"contention_counted": False},  # it may be another program that comes every ten steps
        {"spike_period": None},
    ],
)
def test_spikes_that_may_be_the_machines_or_hold_little_leave_the_headline_alone(
    more: dict[str, object],
) -> None:
    found = verdict("flat", 5e-4, 3.2e-4, reason="machine", **{**SPIKY, **more})
    assert headline(diagnosis(found)) == "about 0.40 ms per step, growth unclear"
    assert tone(found) == "open"


@pytest.mark.parametrize(
    ("said", "after", "flip"),
    [
        ("grow off: 27.2 to 0.50 ms, 54.4x faster", verdict("flat", 5e-4, 5e-4), "grow off"),
        ("grow off: 27.2 to 0.50 ms, 54.4x faster",
         verdict("flat", 2.5e-4, 1e-3, reason="machine"), "grow off"),
        ("2,267x faster: 27.2 ms to 12.0 us", verdict("flat", 12e-6, 12e-6), "a_long_name on"),
        ("use on: 27.2 to 60.0 ms, 2.2x slower", verdict("flat", 0.06, 0.06), "use on"),
        # Seen on a busy machine: "2.00x slower: 0.21 to 0.42 ms" under a curve that fell 90-fold.
        ("grow off: 27.2 to 0.30 ms, 90.7x faster",
         verdict("shift", 2.1e-4, 4.2e-4, median_seconds=3e-4), "grow off"),
        ("grow off: 27.2 to 0.76 ms, 35.8x faster",
         verdict("spikes", 7.6e-4, 7.6e-4, spike_seconds=2.7e-3, spike_share=0.4), "grow off"),
    ],
)  # fmt: skip
def test_after_a_flip_the_headline_tells_both_levels(said: str, after: Verdict, flip: str) -> None:
    before = verdict("slowdown", 7e-3, 27.2e-3)
    given = diagnosis(before, after, flips=(300,), flip=flip)
    assert headline(given) == said
    assert headline_tone(given) == ("slower" if "slower" in said else "faster")


@pytest.mark.parametrize(
    "after",
    [
        verdict("flat", 20e-3, 20e-3),  # a machine alone may move a level so far
        verdict("slowdown", 1e-3, 4e-3),  # the newest is that it grows again
        verdict("flat", 5e-4, 5e-4, **SPIKY),
    ],
)
def test_a_flip_that_moved_little_or_began_something_else_is_not_told(after: Verdict) -> None:
    before = verdict("slowdown", 7e-3, 27.2e-3)
    assert headline(diagnosis(before, after, flips=(300,))) == headline(diagnosis(after))


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("out of memory after 298 steps", State("failed", "...", error="ResourceExhaustedError")),
        ("ValueError after 298 steps", State("failed", "...", error="ValueError")),
        ("failed after 298 steps", State("failed", "The loop's file is gone.")),
        ("ended at the memory limit after 298 steps", State("memory_limit", "A reason. " * 9)),
        ("the process was ended after 298 steps", State("killed", "By another program.")),
    ],
)
def test_of_a_failed_run_one_reads_what_happened_and_when(said: str, state: State) -> None:
    assert failure(state, 298) == said


@given(
    st.sampled_from(get_args(Label)), LEVELS, LEVELS, st.sampled_from([None, 2.0, 12_345.0]),
    st.sampled_from(["grow off", "assign_the_learning_rate in_the_loop on", ""]),
)  # fmt: skip
def test_no_headline_is_longer_than_eight_words(
    label: Label, first: float, last: float, period: float | None, flip: str
) -> None:
    found = verdict(label, first, last, spike_period=period, spike_share=0.9, spike_seconds=last)
    for told in (diagnosis(found), diagnosis(found, found, flips=(300,), flip=flip)):
        assert 0 < len(headline(told).split()) <= 8


def test_a_stretch_that_has_just_begun_leaves_the_headline_to_the_one_before() -> None:
    grown = verdict("slowdown", 5e-3, 25e-3)
    begun = diagnosis(grown, too_short(4), flips=(300,), seconds=[0.2] * 304)
    assert headline(begun) == headline(diagnosis(grown))
    assert headline(diagnosis()) == ""


@pytest.mark.parametrize(
    ("flip", "said"),
    [("collect every 1", "collect every 1: too few steps yet"),
     ("assign the learning rate in the loop on", "too few steps to judge yet")],
)  # fmt: skip
def test_a_headline_of_the_stretch_before_does_not_stay_for_seconds(flip: str, said: str) -> None:
    """Seen: "1.73x faster" in green, while each step took 190 ms."""
    found = verdict("speedup", 5e-3, 2e-3), too_short(6)
    begun = diagnosis(*found, flips=(300,), seconds=[0.2] * 306, flip=flip)
    assert headline(begun) == said and headline_tone(begun) == "open"


@pytest.mark.parametrize(
    ("between", "said"),
    [
        ([0.09] * 20, "grow off: 90.0 to 0.50 ms, 180x faster"),
        ([0.09] * 3, "flat at 0.50 ms per step"),
    ],
)
def test_a_flip_is_told_from_the_steps_just_before_it_and_from_none_further_back(
    between: list[float], said: str
) -> None:
    """Seen: "35.7 to 0.52 ms" of a curve that fell from 90, with a short stretch in between."""
    seconds = [*[0.03] * 300, *between, *[5e-4] * 100]
    found = verdict("slowdown", 7e-3, 35.7e-3), too_short(len(between)), verdict("flat", 5e-4, 5e-4)
    given = diagnosis(*found, flips=(300, 300 + len(between)), seconds=seconds)
    assert headline(given) == said


COMB = verdict("spikes", 3e-4, 3e-4, **SPIKY)
QUICK, SLOW = verdict("flat", 2e-4, 2e-4), verdict("flat", 0.19, 0.19)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (COMB, QUICK, "98.9x faster on average: 19.8 to 0.20 ms"),
        (QUICK, COMB, "98.9x slower on average: 0.20 to 19.8 ms"),
        (COMB, SLOW, "9.6x slower on average: 19.8 to 190 ms"),
        (COMB, replace(COMB, spike_period=100.0), "8.8x faster on average: 19.8 to 2.2 ms"),
        # Of two combs alike, and of spikes of which little is known, as before.
        (COMB, COMB, "195 ms every 10 steps, else 0.30 ms"),
    ],
)
def test_a_comb_is_compared_by_what_a_step_takes_on_average(
    before: Verdict, after: Verdict, said: str
) -> None:
    """Seen: "1.6x faster" where the teeth were gone, and the whole took a hundredth."""
    assert headline(diagnosis(before, after, flips=(300,))) == said


def test_headline_and_sentence_are_of_one_verdict() -> None:
    grown = judge(known.ramp(known.white(300, 1, 0.02), 1.5).seconds)
    assert grown.slower and "slower: " in headline(diagnosis(grown)) and tone(grown) == "slower"
    flat = judge(known.flat(known.white(300, 1, 0.02)).seconds)
    assert headline(diagnosis(flat)).startswith("flat at ") and tone(flat) == "even"


@pytest.mark.parametrize(
    ("hidden", "said", "colour"),
    [
        (0.2, "flat at 1.0 ms per step", "even"),
        (0.4, "no growth found, about 1.0 ms per step", "open"),
        (0.6, "about 1.0 ms per step, growth unclear", "open"),
    ],
)
def test_a_level_in_which_growth_could_hide_is_neither_called_flat_nor_green(
    hidden: float, said: str, colour: str
) -> None:
    """Recorded: a loop that climbed was called flat for seconds, in large letters."""
    found = verdict("flat", 1e-3, 1e-3, smallest_growth=hidden)
    assert headline(diagnosis(found)) == said and tone(found) == colour


@pytest.mark.parametrize(("share", "colour"), [(0.01, "spikes"), (0.3, "open"), (None, "spikes")])
def test_irregular_spikes_beside_other_programs_are_no_alarm(share: float, colour: str) -> None:
    found = verdict("spikes", 4e-4, 4e-4, contended_share=share)
    assert tone(found) == colour and "irregular spikes" in headline(diagnosis(found))
    assert tone(replace(found, spike_period=10.0)) == "spikes", (
        "no other program comes so regularly"
    )
