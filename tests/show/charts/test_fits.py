"""What is drawn of a verdict: lines where the steps are and the verdict's ends. make quick."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.record import State
from labkit.record.verdict import Label, Later
from labkit.show.charts.fits import fits
from labkit.show.verdict.glance import tone
from labkit.stats import too_short
from tests.show.stretches import diagnosis, verdict

LEVELS = st.floats(1e-6, 100.0)


def test_what_is_in_the_headline_is_on_the_line_and_in_its_colour() -> None:
    found = verdict("speedup", 5e-4, 3.2e-4, spike_period=10.0, spike_share=0.97)
    (fit,) = fits(diagnosis(found))
    assert (fit.label, fit.tone) == ("spikes every 10 steps", "spikes") and len(fit.steps) == 2


def test_a_line_is_called_flat_only_where_little_could_hide() -> None:
    told = [verdict("flat", 1e-3, 1e-3, smallest_growth=hidden) for hidden in (0.2, 0.4)]
    assert [fits(diagnosis(each))[0].label for each in told] == ["flat", "no growth found"]


def test_irregular_spikes_are_named_on_the_line_whatever_its_colour() -> None:
    told = [verdict("spikes", 4e-4, 4e-4, contended_share=share) for share in (0.0, 0.3)]
    assert {fits(diagnosis(each))[0].label for each in told} == {"irregular spikes"}


@given(st.sampled_from(get_args(Label)), LEVELS, LEVELS, st.sampled_from([None, 2.0, 12_345.0]))
def test_no_label_is_longer_than_four_words(
    label: Label, first: float, last: float, period: float | None
) -> None:
    found = verdict(label, first, last, spike_period=period)
    (fit,) = fits(diagnosis(found))
    assert len(fit.label.split()) <= 4 and fit.tone == tone(found)
    assert len(fit.steps) == len(fit.seconds)


@pytest.mark.parametrize(
    ("label", "first", "last", "said"),
    [
        ("flat", 1e-3, 1e-3, "flat, then failed"),
        ("speedup", 4e-3, 1e-3, "speedup 4.0x, then failed"),
        ("slowdown", 1e-3, 4e-3, "slowdown 4.0x"),
    ],
)
def test_the_last_stretch_of_a_run_that_failed_is_not_green(
    label: Label, first: float, last: float, said: str
) -> None:
    told = diagnosis(verdict("flat", 1e-3, 1e-3), verdict(label, first, last), flips=(300,))
    failed = replace(told, run=replace(told.run, state=State("failed")))
    assert (fits(told)[0].label, fits(told)[0].tone) == ("flat", "even")
    healthy, broken = fits(failed)
    assert (healthy.label, healthy.tone) == ("flat", "even")
    assert (broken.label, broken.tone) == (said, "slower")


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
    for step, high in list(zip(climbing.steps, climbing.seconds, strict=True))[1:-1]:
        assert high == pytest.approx(seconds[step], rel=0.08)
    assert climbing.seconds[0] == seconds[10] and climbing.seconds[-1] >= min(seconds[250:300])
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


def test_a_line_ends_at_the_levels_that_the_headline_tells() -> None:
    """Seen: a headline told 8.1 to 33.7 ms, and the thick line went from 10.5 to 29."""
    seconds = ramp(6e-3, 30e-3)
    seconds[12], seconds[290] = 5e-3, 34e-3
    (fit,) = fits(diagnosis(verdict("slowdown", 5.2e-3, 33e-3), seconds=seconds))
    assert (fit.seconds[0], fit.seconds[-1]) == (5.2e-3, 33e-3)


def test_a_growth_over_few_steps_is_a_line_that_climbs() -> None:
    seconds = ramp(1e-3, 2e-3, steps=22)
    told = verdict("slowdown", 1e-3, 2e-3, steps=22, warmup_steps=0)
    (fit,) = fits(diagnosis(told, seconds=seconds))
    assert fit.steps == (0, 21) and fit.seconds == (1e-3, 2e-3)


def test_the_line_of_a_level_lies_where_the_headline_says() -> None:
    """Seen: a label said 3.1 ms, corrected for the machine, and its line lay at 4.2."""
    seconds = ramp(2.5e-3, 7e-3)
    told = verdict("flat", 3e-3, 3.2e-3, median_seconds=3.1e-3, reason="machine")
    (fit,) = fits(diagnosis(told, seconds=seconds))
    assert fit.seconds == (3.1e-3, 3.1e-3)
