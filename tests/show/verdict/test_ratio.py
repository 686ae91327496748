"""The ratio of two runs in words: what was compared, how sure it is, and what to do next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from labkit.record import Verdict
from labkit.show.verdict.ratio import headline, number, sentence
from labkit.stats.mean_ratio import MeanRatio
from labkit.stats.ratio import Ratio

FLAT = Verdict("flat", 0.0, -0.01, 0.01, spike_share=0.0)
SHORT = Verdict("too_short", None, None, None, "few_steps", 12, needed_steps=30)
ALIKE = Ratio("typical", 1.01, 0.97, 1.05, False, (0.005, 0.005), (FLAT, FLAT))


def said(value: Ratio, **changes: object) -> str:
    return sentence(replace(value, **changes), "grow on", "grow off")  # type: ignore[arg-type]


def test_runs_alike_are_told_plainly() -> None:
    assert said(ALIKE) == (
        "no difference found between typical steps of 'grow off' and 'grow on' "
        "(1.01x, 95 % CI 0.97-1.05)"
    )


def test_a_difference_that_the_machine_may_have_made_is_not_called_none() -> None:
    assert said(ALIKE, ratio=1.88, low=1.65, high=2.1) == (
        "no reliable difference between typical steps of 'grow off' and 'grow on' "
        "(1.88x, 95 % CI 1.65-2.1); the machine was too busy to be sure, so run both again"
    )


def test_a_growing_run_and_its_fix_are_told_by_their_last_steps() -> None:
    assert said(ALIKE, basis="last", ratio=0.331, low=0.306, high=0.358, different=True) == (
        "the last steps of 'grow off' take 0.33x as long as those of 'grow on' (95 % CI 0.31-0.36)"
    )


def test_a_slower_run_takes_as_long_as() -> None:
    assert said(ALIKE, ratio=2.96, low=2.84, high=3.08, different=True) == (
        "a typical step of 'grow off' takes 3.0x as long as one of 'grow on' (95 % CI 2.8-3.1)"
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"ratio": 1.08, "low": 1.06, "high": 1.1, "different": True}, "so run both again"),
        ({"ratio": 0.93, "low": 0.92, "high": 0.94, "different": True}, "so run both again"),
        ({"ratio": 1.07, "low": 1.01, "high": 1.14}, "too busy to be sure, so run both again"),
        ({"low": 0.7, "high": 1.4}, "within that range could go unnoticed, so run more steps"),
        ({"basis": "last", "at_step": 1200}, "both at step 1,200, where the shorter run ends"),
    ],
)
def test_what_limits_a_figure_is_said_with_it(changes: dict[str, object], words: str) -> None:
    assert said(ALIKE, **changes).endswith(words)


@pytest.mark.parametrize(
    "changes",
    [
        {"ratio": 1.5, "low": 1.4, "high": 1.6, "different": True},
        {"ratio": 1.02, "low": 1.01, "high": 1.03},
        {"low": 0.85, "high": 1.2},
    ],
)
def test_a_clear_figure_stands_alone(changes: dict[str, object]) -> None:
    assert ";" not in said(ALIKE, **changes)


def test_spikes_that_cost_much_are_not_left_unsaid() -> None:
    spiky = replace(FLAT, label="spikes", spike_share=0.42)
    assert said(ALIKE, verdicts=(spiky, FLAT)).endswith(
        "; spikes set aside: 0 % of the time of 'grow off', 42 % of 'grow on'"
    )


@pytest.mark.parametrize(
    ("verdicts", "name"), [((SHORT, FLAT), "grow on"), ((FLAT, SHORT), "grow off")]
)
def test_too_few_steps_are_named(verdicts: tuple[Verdict, Verdict], name: str) -> None:
    none = Ratio("too_short", None, None, None, False, None, verdicts)
    assert said(none) == (
        f"no ratio: '{name}' is too short: 12 steps, and a verdict needs at least 30; "
        "run more steps"
    )


@pytest.mark.parametrize(
    ("factor", "text"),
    [(0.0246, "0.025"), (0.996, "1.00"), (1.94, "1.94"), (10.46, "10.5"), (812.3, "812")],
)
def test_a_factor_has_the_digits_that_count(factor: float, text: str) -> None:
    assert number(factor) == text


IN_ALL = MeanRatio(5.9, 5.1, 6.8, True)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "no difference found"),
        ({"ratio": None}, "too few steps to compare"),
        ({"ratio": 2.5, "different": True}, "2.5x as long per step"),
        ({"ratio": 0.4, "different": True}, "2.5x as fast per step"),
        ({"ratio": 0.4, "different": True, "basis": "last"}, "2.5x as fast at the end"),
        ({"mean": IN_ALL}, "5.9x as long in all"),
        ({"mean": IN_ALL, "ratio": 5.8, "different": True}, "5.8x as long per step"),
        ({"mean": IN_ALL, "ratio": 9.0, "different": True, "basis": "last"},
         "5.9x as long in all, 9.0x at the end"),
        ({"mean": IN_ALL, "ratio": 0.5, "different": True},
         "5.9x as long in all, 0.50x per step"),
        ({"mean": replace(IN_ALL, different=False)}, "no reliable difference"),
        ({"mean": MeanRatio(1.1, 0.9, 1.3, False)}, "no difference found"),
        ({"mean": replace(IN_ALL, different=False), "ratio": 0.5, "different": True},
         "2.0x as fast per step, in all unclear"),
    ],
)  # fmt: skip
def test_the_headline_has_the_time_in_all_before_that_of_the_usual_step(
    changes: dict[str, object], words: str
) -> None:
    assert headline(replace(ALIKE, **changes)) == words  # type: ignore[arg-type]
    assert len(words.split()) <= 9


def test_a_difference_in_all_is_told_with_that_of_the_usual_step() -> None:
    assert said(ALIKE, mean=IN_ALL) == (
        "in all 'grow off' takes 5.9x as long as 'grow on' (95 % CI 5.1-6.8); no difference found "
        "between typical steps (1.01x, 95 % CI 0.97-1.05)"
    )
