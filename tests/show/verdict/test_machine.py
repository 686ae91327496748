"""The line on the machine: once for all verdicts, saying which times stand where, or nothing."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from labkit.record import Diagnosis, Steps, Verdict
from labkit.record.verdict import Throttling
from labkit.show import words
from labkit.show.verdict.machine import machine
from tests.made_diagnosis import NO_STEPS, judged

NAN = math.nan
QUIET = Verdict(
    "flat", 0.0, -0.1, 0.1, steps=100, first_seconds=0.007, last_seconds=0.007, contended_share=0.0
)
SAID = "flat: 7.0 ms per step to within 10 % over 100 steps"


def disturbed(share: float = 0.0, growth: float | None = None, steps: int = 100) -> Verdict:
    return replace(QUIET, contended_share=share, machine_growth=growth, steps=steps)


def judgement_of(*verdicts: Verdict) -> Diagnosis:
    return judged(NO_STEPS, verdicts)


def test_a_run_short_of_processors_says_which_times_stand_where() -> None:
    said = machine([judgement_of(disturbed(0.55))])
    assert said == (
        "machine: other programs took 55 % of the time; "
        "the chart shows wall time; times in the text are corrected for this"
    )


def test_without_a_chart_none_is_spoken_of() -> None:
    said = machine([judgement_of(disturbed(0.55))], chart=False)
    assert "chart" not in said and said.endswith("; times are corrected for this")


@pytest.mark.parametrize(("growth", "way"), [(0.08, "8 % slower"), (-0.27, "27 % faster")])
def test_a_machine_that_drifted_is_one_short_sentence(growth: float, way: str) -> None:
    said = machine([judgement_of(disturbed(0.0, growth))])
    assert said.startswith(f"machine: it became {way}; the chart shows wall time")
    assert len(said) < 100


def test_drift_and_contention_share_one_line() -> None:
    said = machine([judgement_of(disturbed(0.2, 0.08))])
    assert said.startswith("machine: it became 8 % slower; other programs took")
    assert said.count("machine") == 1


def test_of_several_stretches_the_share_is_of_all_steps() -> None:
    said = machine([judgement_of(disturbed(0.8, steps=100), replace(QUIET, steps=300))])
    assert "took 20 % of the time;" in said


def test_several_runs_are_told_in_one_line_by_their_names() -> None:
    told = [judgement_of(disturbed(0.5, 0.1)), judgement_of(QUIET), judgement_of(disturbed(0.3))]
    said = machine(told, ("on", "off", "fixed"))
    assert "it became 10 % slower during 'on';" in said
    assert "took 50 % of the time of 'on' and 30 % of the time of 'fixed';" in said
    assert "'off'" not in said
    assert said.count("the chart shows") == 1


@pytest.mark.parametrize(
    "verdict",
    [
        QUIET,
        replace(QUIET, contended_share=None),
        replace(QUIET, contended_share=0.02, machine_growth=0.02),
        Verdict("too_short", None, None, None, "few_steps"),
    ],
)
def test_a_machine_left_alone_is_not_worth_a_word(verdict: Verdict) -> None:
    assert machine([judgement_of(verdict)]) == ""
    assert machine([judgement_of(verdict)] * 2, ("a", "b")) == ""


def test_no_judgement_says_nothing() -> None:
    assert machine([]) == ""


def test_a_verdict_is_shown_without_what_the_machine_did() -> None:
    assert words.judgement(judgement_of(disturbed(0.5, 0.1))) == (SAID,)


HOT = replace(QUIET, throttling=Throttling("heat", 1590, 1005))
FELL = "fell from 1,590 to 1,005 MHz because of heat (NVML)"


def test_a_card_that_was_held_back_is_told_and_no_time_is_said_to_be_corrected_for_it() -> None:
    assert machine([judgement_of(HOT)]) == f"machine: the graphics card's clock {FELL}"
    both = machine([judgement_of(disturbed(0.2), HOT)])
    assert both.endswith(f"are corrected for this; the graphics card's clock {FELL}")


def test_of_several_runs_the_hot_one_is_named() -> None:
    said = machine([judgement_of(QUIET), judgement_of(HOT)], ("on", "off"))
    assert said == f"machine: the graphics card's clock during 'off' {FELL}"


def test_of_several_stretches_the_largest_fall_of_the_clock_is_told() -> None:
    less = replace(QUIET, throttling=Throttling("power", 1590, 1500))
    assert machine([judgement_of(less, HOT, less)]) == machine([judgement_of(HOT)])


@pytest.mark.parametrize(
    ("others", "told"),
    [
        ([1.0, NAN, NAN, 2.0], "machine: other programs computed on the graphics card"),
        ([0.0, NAN, NAN, 0.0], ""),
        ([NAN] * 4, ""),  # nobody asked
        ([0.0] * 39 + [1.0], ""),  # for a moment
    ],
)
def test_other_programs_on_the_graphics_card_are_worth_a_word(
    others: list[float], told: str
) -> None:
    each = [0.0] * len(others)
    steps = Steps({"start_seconds": each, "seconds": each, "card_others": others})
    run = replace(NO_STEPS, steps=steps)
    assert machine([replace(judgement_of(QUIET), run=run)]) == told
