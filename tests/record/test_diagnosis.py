"""What can be asked of a verdict, a ledger and a diagnosis. Tier: make test."""

from __future__ import annotations

from dataclasses import replace

from labkit.record import (
    LABELS,
    UNEXPLAINED,
    Diagnosis,
    Ledger,
    LedgerRow,
    Verdict,
)
from tests.made_diagnosis import NO_STEPS

GREW = Verdict("slowdown", 1.8, 1.6, 2.0, steps=100)
FLAT = Verdict("flat", 0.0, -0.01, 0.01, steps=300)
LEDGER = Ledger(0.01, (LedgerRow("session_run", 0.006, 0.6), LedgerRow(UNEXPLAINED, 0.004, 0.4)))


def judged(*verdicts: Verdict) -> Diagnosis:
    return Diagnosis(NO_STEPS, NO_STEPS, verdicts, LEDGER)


def test_a_machine_that_did_little_disturbed_nothing() -> None:
    assert not GREW.disturbed
    assert not replace(GREW, machine_growth=-0.02, contended_share=0.02).disturbed
    assert replace(GREW, machine_growth=-0.04).disturbed
    assert replace(GREW, contended_share=0.04).disturbed


def test_only_a_trend_up_or_a_level_up_is_slower() -> None:
    slower = [label for label in LABELS if Verdict(label, None, None, None).slower]
    assert slower == ["slowdown", "shift"]


def test_the_unexplained_rest_explains_nothing() -> None:
    assert LEDGER.explained == 0.6


def test_an_empty_ledger_explains_nothing() -> None:
    assert Ledger().explained == 0


def test_the_first_slower_stretch_speaks_for_the_run() -> None:
    assert judged(FLAT, GREW).verdict is GREW


def test_else_the_longest_stretch_speaks_for_it() -> None:
    short = Verdict("too_short", None, None, None, steps=3)
    assert judged(short, FLAT).verdict is FLAT
