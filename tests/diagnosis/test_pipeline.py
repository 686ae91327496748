"""The pipeline passes each stage once, and reads the evidence of a run once."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from labkit.diagnosis import examine, judgement, until
from labkit.record import Event
from tests.diagnosis.watched import STEPS, ramp, watched

PIPELINE, OBSERVED = "labkit.diagnosis.pipeline", "labkit.diagnosis.observed"
JUDGED = ("stretch_runs", "step_verdict", "speaking", "book")
STAGES = (
    *JUDGED, "claim_of", "growth_findings", "proven", "kept_for_ever", "memory_verdict",
    "spike_findings", "memory_findings", "cost_findings", "machine_findings", "ending_findings",
    "ranked",
)  # fmt: skip


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often each stage is passed."""
    counted: Counter[str] = Counter()

    def count(module: str, name: str) -> None:
        stage = getattr(import_module(module), name)

        def passed(*arguments, **named):
            counted[name] += 1
            return stage(*arguments, **named)

        monkeypatch.setattr(f"{module}.{name}", passed)

    for name in (*STAGES, "by_line"):
        count(PIPELINE, name)
    count(OBSERVED, "evidence")
    return counted


def slow():
    return watched(
        {"session_run_seconds": ramp(1e-3, 5e-3)},
        counters={"graph_ops": np.arange(STEPS)},
        evidence={"kept/losses": np.arange(STEPS)},
    )


def once(*more: str) -> dict[str, int]:
    return dict.fromkeys((*STAGES, *more), 1)


def test_a_diagnosis_passes_each_stage_once(calls):
    assert examine(slow()).findings
    assert calls == once("by_line", "evidence")


def test_of_a_healthy_loop_no_line_is_looked_for(calls):
    assert not examine(watched()).findings
    assert calls == once("evidence")


def test_where_toggles_were_flipped_only_the_judging_is_done_of_each_stretch(calls):
    flip = Event(STEPS // 2, "toggle", "grow on", {"name": "grow", "value": True})
    examine(replace(slow(), toggles={"grow": False}, events=(flip,)))
    assert calls.pop("step_verdict") == 2
    expected = once("by_line", "evidence")
    del expected["step_verdict"]
    assert calls == expected


def test_what_the_whole_run_keeps_is_read_once_more_and_nothing_is_judged_again(calls):
    run = slow()
    examine(until(run, STEPS // 2), whole=run)
    assert calls.pop("evidence") == 2
    assert calls == once("by_line")


def test_a_judgement_is_the_beginning_of_it_and_reads_no_evidence_of_a_quiet_run(calls):
    judgement(watched())
    assert calls == dict.fromkeys(JUDGED, 1)


def test_a_small_slowdown_without_a_cause_is_nowhere_called_one():
    """The claim is proven before anything is made of it, so that no part speaks of a slowdown."""
    said = examine(watched(rest=ramp(1e-3, 1.06e-3), noise=0.002))
    assert said.verdict.label == "flat" and said.verdict.smallest_growth >= 0.1
    assert not said.ledger.rows and not said.slower_lines and not said.findings
