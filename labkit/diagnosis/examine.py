"""The diagnosis of a run: verdict, memory verdict, ledger, and the causes that can be proved."""

from __future__ import annotations

from labkit.diagnosis.by_line import by_line
from labkit.diagnosis.costing import cost_findings
from labkit.diagnosis.drifting import machine_findings
from labkit.diagnosis.early import early_growth
from labkit.diagnosis.ending import ending_findings
from labkit.diagnosis.evidence import evidence
from labkit.diagnosis.growing import growth_findings
from labkit.diagnosis.judgement import judgement
from labkit.diagnosis.keeping import memory_findings, memory_verdict
from labkit.diagnosis.spiking import spike_findings
from labkit.diagnosis.unproven import without_small_slowdown
from labkit.diagnosis.unsampled import unsampled
from labkit.record import Diagnosis, Finding, Ledger, Run


def examine(run: Run, *, whole: Run | None = None) -> Diagnosis:
    """Say what happened to a run's steps, and why.

    Four kinds of finding, best first: growth, spikes, memory, cost; last, what ended the run early.
    A cause is named once; a loop in which nothing is wrong has no finding.

    Args:
        run: Recorded with everything that can tell why, finished or still going.
        whole: The run that it is a part of, from its first step: what that keeps is told.

    Raises:
        LabkitError: If a recorded step time is not a finite number above zero.
    """
    plain = unsampled(run)
    judged = judgement(plain)
    # Counters went on in the sampled steps as well: without those, each would rise too fast.
    seen = growing = evidence(run)
    slowed = plain
    if early := early_growth(run, judged.main):
        slowed, judged, growing = unsampled(early.part), early.judgement, evidence(early.growing)
    if whole is not None:
        seen = evidence(whole)
    memory = memory_verdict(seen)
    causes = growth_findings(slowed, judged.main, judged.ledger, growing)
    verdict = without_small_slowdown(judged.main, causes)
    findings = [
        *causes,
        *spike_findings(plain, verdict),
        *memory_findings(memory, seen),
        *cost_findings(plain, verdict),
        *machine_findings(plain, verdict),
        *ending_findings(plain),
    ]
    booked = judged.ledger if verdict.slower else Ledger()
    ledger = by_line(booked, growing.functions, growing.unbooked_seconds)
    return Diagnosis(verdict, memory, ledger, _once_each(findings))


def _once_each(findings: list[Finding]) -> tuple[Finding, ...]:
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.cause, finding)
    return tuple(first.values())
