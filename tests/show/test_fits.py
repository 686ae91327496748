"""What a glance takes in: eight words, and lines where the verdict has its levels. make quick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.record import Diagnosis, Event, Run, State, Steps, Verdict
from labkit.record.verdict import Label, Later
from labkit.show.fits import fits, headline, tone
from labkit.stats import judge, too_short
from tests.stats import known

LEVELS = st.floats(1e-6, 100.0)


def verdict(label: Label, first: float, last: float, **more: object) -> Verdict:
    """Return the verdict on 300 steps with ten of warm-up."""
    growth = last / first - 1
    told = {"steps": 300, "warmup_steps": 10, **more}
    return Verdict(label, growth, growth, growth, first_seconds=first, last_seconds=last, **told)  # type: ignore[arg-type]


def diagnosis(
    *verdicts: Verdict, flips: tuple[int, ...] = (), seconds: Sequence[float] = ()
) -> Diagnosis:
    """Return what was said of a run whose toggle was flipped at these steps."""
    seconds = seconds or [1.0] * (300 * len(verdicts))
    steps = Steps({"start_seconds": range(len(seconds)), "seconds": seconds})
    events = tuple(
        Event(at, "toggle", "grow off", {"name": "grow", "value": False}) for at in flips
    )
    run = Run("mine", "Mine", State("done"), (), steps, {"grow": True}, events=events)
    return Diagnosis(run, run, verdicts)


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
    assert headline([found]) == said


def test_what_is_in_the_headline_is_on_the_line_and_in_its_colour() -> None:
    found = verdict("speedup", 5e-4, 3.2e-4, spike_period=10.0, spike_share=0.97)
    (fit,) = fits(diagnosis(found))
    assert (fit.label, fit.tone) == ("spikes every 10 steps", "spikes") and len(fit.steps) == 2


@given(st.sampled_from(get_args(Label)), LEVELS, LEVELS, st.sampled_from([None, 2.0, 12_345.0]))
def test_no_headline_is_longer_than_eight_words_and_no_label_than_four(
    label: Label, first: float, last: float, period: float | None
) -> None:
    found = verdict(label, first, last, spike_period=period)
    assert 0 < len(headline([found]).split()) <= 8
    (fit,) = fits(diagnosis(found))
    assert len(fit.label.split()) <= 4 and fit.tone == tone(found)
    assert len(fit.steps) == len(fit.seconds)


def test_a_stretch_that_has_just_begun_leaves_the_headline_to_the_one_before() -> None:
    grown = verdict("slowdown", 5e-3, 25e-3)
    assert headline([grown, too_short(4)]) == headline([grown])
    assert headline([]) == ""


def ramp(first: float, last: float, steps: int = 300) -> list[float]:
    return [first + (last - first) * step / (steps - 1) for step in range(steps)]


def test_lines_lie_on_the_typical_steps_and_each_in_its_stretch() -> None:
    """Also where the verdict, corrected for the machine, has other levels."""
    seconds = [*ramp(6e-3, 30e-3), *[2e-3] * 140, *[4e-3] * 160, *[1.1e-3] * 300]
    seconds[700] = 9.0  # a single long step moves no line
    climbing, jumping, flat = fits(
        diagnosis(
            verdict("slowdown", 5e-3, 25e-3),
            verdict("shift", 2e-3, 4e-3, onset_step=140),
            verdict("flat", 1e-3, 1e-3),
            flips=(300, 600),
            seconds=seconds,
        )
    )
    assert (climbing.steps[0], climbing.steps[-1]) == (10, 299)
    for step, high in zip(climbing.steps, climbing.seconds, strict=True):
        assert high == pytest.approx(seconds[step], rel=0.02)
    assert jumping.steps == (310, 440, 440, 599)
    assert jumping.seconds == (2e-3, 2e-3, 4e-3, 4e-3)
    assert flat.steps == (610, 899) and flat.seconds == (1.1e-3, 1.1e-3)
    assert [each.label for each in (climbing, jumping, flat)] == [
        "slowdown 5.0x", "shift 2.0x", "flat",
    ]  # fmt: skip


def test_a_line_bends_as_a_curve_does_that_climbs_faster_and_faster() -> None:
    seconds = [1e-3 * (1 + (step / 100) ** 2) for step in range(300)]
    (fit,) = fits(diagnosis(verdict("slowdown", 1e-3, 10e-3), seconds=seconds))
    for step, high in zip(fit.steps, fit.seconds, strict=True):
        assert high == pytest.approx(seconds[step], rel=0.12)


@given(st.lists(LEVELS, min_size=30, max_size=80))
def test_no_line_leaves_the_steps_by_more_than_a_half(seconds: list[float]) -> None:
    told = verdict("slowdown", 1e-3, 2e-3, steps=len(seconds), warmup_steps=0)
    (fit,) = fits(diagnosis(told, seconds=seconds))
    assert min(fit.seconds) >= min(seconds) / 2 and max(fit.seconds) <= 2 * max(seconds)


def test_what_came_after_a_growth_has_its_own_level() -> None:
    early = verdict("slowdown", 5e-3, 25e-3, steps=100, later=Later(200, 9e-3, stays=False))
    (fit,) = fits(diagnosis(early))
    assert fit.steps[-2:] == (99, 299) and fit.seconds[-2:] == (9e-3, 9e-3)


def test_a_level_that_wanders_and_too_few_steps_have_no_line() -> None:
    for found in (verdict("unsteady", 1e-3, 2e-3), too_short(12)):
        (fit,) = fits(diagnosis(found))
        assert fit.steps == fit.seconds == ()


def test_headline_and_sentence_are_of_one_verdict() -> None:
    grown = judge(known.ramp(known.white(300, 1, 0.02), 1.5).seconds)
    assert grown.slower and "slower: " in headline([grown]) and tone(grown) == "slower"
    flat = judge(known.flat(known.white(300, 1, 0.02)).seconds)
    assert headline([flat]).startswith("flat at ") and tone(flat) == "even"


@pytest.mark.parametrize(("hidden", "said"), [(0.4, "flat at 1.0 ms per step"), (0.6, "unclear")])
def test_a_level_in_which_a_growth_by_half_could_hide_is_not_called_flat(
    hidden: float, said: str
) -> None:
    """Recorded: a loop that climbed was called flat for seconds, in large letters."""
    assert said in headline([verdict("flat", 1e-3, 1e-3, smallest_growth=hidden)])
