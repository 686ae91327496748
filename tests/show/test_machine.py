"""The line on the machine: once for all verdicts, saying which times stand where, or nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from labkit.record import Judgement, Ledger, Stretch, Verdict
from labkit.show import words
from labkit.show.machine import machine

QUIET = Verdict("flat", 0.0, -0.1, 0.1, "flat: 7.0 ms a step", steps=100, contended_share=0.0)


def disturbed(share: float = 0.0, growth: float | None = None, steps: int = 100) -> Verdict:
    at_length = "other programs used 1.2 processors, and so on"
    return replace(
        QUIET, detail=f"{QUIET.detail}; {at_length}", machine_detail=at_length,
        contended_share=share, machine_growth=growth, steps=steps,
    )  # fmt: skip


def judgement_of(*verdicts: Verdict) -> Judgement:
    edges = [0]
    for verdict in verdicts:
        edges.append(edges[-1] + verdict.steps)
    stretches = tuple(Stretch(start, end, {}) for start, end in pairwise(edges))
    return Judgement(stretches, verdicts, Ledger())


def test_a_run_short_of_processors_says_which_times_stand_where() -> None:
    said = machine([judgement_of(disturbed(0.55))])
    assert said == (
        "machine: other programs left no processor idle in 55 % of the steps; "
        "the chart shows wall time, the words give times freed of this"
    )


def test_without_a_chart_none_is_spoken_of() -> None:
    said = machine([judgement_of(disturbed(0.55))], chart=False)
    assert "chart" not in said and said.endswith("; times are freed of this")


@pytest.mark.parametrize(("growth", "way"), [(0.08, "8 % slower"), (-0.27, "27 % faster")])
def test_a_machine_that_drifted_is_one_short_sentence(growth: float, way: str) -> None:
    said = machine([judgement_of(disturbed(0.0, growth))])
    assert said.startswith(f"machine: it became {way}; the chart shows wall time")
    assert len(said) < 100


def test_drift_and_contention_share_one_line() -> None:
    said = machine([judgement_of(disturbed(0.2, 0.08))])
    assert said.startswith("machine: it became 8 % slower; other programs left no processor idle")
    assert said.count("machine") == 1


def test_of_several_stretches_the_share_is_of_all_steps() -> None:
    said = machine([judgement_of(disturbed(0.8, steps=100), replace(QUIET, steps=300))])
    assert "in 20 % of the steps;" in said


def test_several_runs_are_told_in_one_line_by_their_names() -> None:
    told = [judgement_of(disturbed(0.5, 0.1)), judgement_of(QUIET), judgement_of(disturbed(0.3))]
    said = machine(told, ("on", "off", "fixed"))
    assert "it became 10 % slower during 'on';" in said
    assert "in 50 % of the steps of 'on' and 30 % of the steps of 'fixed';" in said
    assert "'off'" not in said
    assert said.count("the chart shows") == 1


@pytest.mark.parametrize(
    "verdict",
    [
        QUIET,
        replace(QUIET, contended_share=None),
        replace(QUIET, contended_share=0.02, machine_growth=0.02),
        Verdict("too_short", None, None, None, "too short: 0 steps"),
    ],
)
def test_a_machine_left_alone_is_not_worth_a_word(verdict: Verdict) -> None:
    assert machine([judgement_of(verdict)]) == ""
    assert machine([judgement_of(verdict)] * 2, ("a", "b")) == ""


def test_no_judgement_says_nothing() -> None:
    assert machine([]) == ""


def test_a_verdict_is_shown_without_what_the_machine_did() -> None:
    assert words.judgement(judgement_of(disturbed(0.5, 0.1))) == ("flat: 7.0 ms a step",)


def test_a_verdict_that_says_nothing_of_the_machine_is_shown_whole() -> None:
    assert words.judgement(judgement_of(QUIET)) == (QUIET.detail,)
