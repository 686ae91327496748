"""Calls that each step makes deeper: a function that is wrapped once more, again and again."""

from __future__ import annotations

from labkit.diagnosis.evidence import RECURSION, Evidence
from labkit.record import UNEXPLAINED, Finding, Ledger, Run
from labkit.record.proof import CallsDeeper
from labkit.record.source_line import NESTED, SourceLine

# Calls that a step adds; where a step alone goes as deep, it is no growth.
LEAST_PER_STEP, MOST_PER_STEP = 0.2, 5.0


def recursion_findings(run: Run, ledger: Ledger) -> list[Finding]:
    """Return what made the calls so deep that the run ended; empty where nothing did.

    Args:
        run: With all its steps.
        ledger: Where the growth of a step went, if it grew.
    """
    for name, pairs in run.evidence.items():
        if not name.startswith(RECURSION) or not len(run.steps):
            continue
        steps, depth = len(run.steps), int(pairs[-1][1])
        if LEAST_PER_STEP <= depth / steps <= MOST_PER_STEP:
            rest = [row.share for row in ledger.rows if row.place == UNEXPLAINED]
            share = min(1.0, max([*rest, 0.0])) or 1.0
            return [_finding(name.removeprefix(RECURSION), depth, steps, share)]
    return []


def nesting_finding(evidence: Evidence, steps: int, share: float) -> Finding | None:
    """Return what makes the calls deeper from step to step, in a run that goes on; None if nothing.

    Args:
        evidence: What the counters of the run say.
        steps: How many there are.
        share: Of the growth, what no other cause's places hold.
    """
    for name, each in evidence.climbs.items():
        if name.startswith(NESTED) and LEAST_PER_STEP <= each.per_step <= MOST_PER_STEP:
            return _finding(name.removeprefix(NESTED), round(each.last), steps, share)
    return None


def _finding(place: str, depth: int, steps: int, share: float) -> Finding:
    file, _, line = place.rpartition(":")
    at = SourceLine(file, int(line))  # its code is read where lines are located
    return Finding("work_growth", "growth", share, CallsDeeper(depth, steps), "wrap_once", at)
