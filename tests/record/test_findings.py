"""The plain forms of verdict, ledger and diagnosis that scripts depend on. Tier: make test."""

from __future__ import annotations

import json
from dataclasses import replace

from labkit.record import (
    LABELS,
    UNEXPLAINED,
    Diagnosis,
    Finding,
    Judgement,
    Ledger,
    LedgerRow,
    Memory,
    Stretch,
    Verdict,
)

GREW = Verdict("slowdown", 1.8, 1.6, 2.0, "It got slower.", steps=100)
FLAT = Verdict("flat", 0.0, -0.01, 0.01, "Nothing grew.", steps=300)
LEDGER = Ledger(0.01, (LedgerRow("session_run", 0.006, 0.6), LedgerRow(UNEXPLAINED, 0.004, 0.4)))


def judged(*verdicts: Verdict) -> Judgement:
    return Judgement(tuple(Stretch(0, each.steps, {}) for each in verdicts), verdicts, LEDGER)


def test_a_verdict_keeps_its_five_stable_fields_first() -> None:
    assert list(GREW.as_json()) == ["label", "growth", "low", "high", "detail", "more"]


def test_a_verdict_can_leave_out_what_the_machine_did() -> None:
    busy = replace(GREW, detail="It got slower; others worked", machine_detail="others worked")
    assert busy.loop_detail == "It got slower"
    assert GREW.loop_detail == GREW.detail


def test_only_a_trend_up_or_a_level_up_is_slower() -> None:
    slower = [label for label in LABELS if Verdict(label, None, None, None, "").slower]
    assert slower == ["slowdown", "shift"]


def test_the_unexplained_rest_explains_nothing() -> None:
    assert LEDGER.explained == 0.6


def test_an_empty_ledger_explains_nothing() -> None:
    assert Ledger().explained == 0
    assert Ledger().as_json() == []


def test_a_diagnosis_is_plain_enough_for_a_file() -> None:
    finding = Finding("graph_growth", "growth", 0.6, "It grew.", "build once")
    plain = Diagnosis(GREW, Memory("flat", 0.0, ("ops",)), LEDGER, (finding,)).as_json()
    assert list(plain) == ["verdict", "memory", "ledger", "findings"]
    assert json.loads(json.dumps(plain))["ledger"][-1]["place"] == UNEXPLAINED


def test_the_first_slower_stretch_speaks_for_the_run() -> None:
    assert judged(FLAT, GREW).main is GREW


def test_else_the_longest_stretch_speaks_for_it() -> None:
    short = Verdict("too_short", None, None, None, "Too few steps.", steps=3)
    assert judged(short, FLAT).main is FLAT
