"""The finding of a run that ended because its calls had become too deep."""

from __future__ import annotations

import linecache

from labkit.diagnosis.evidence import RECURSION
from labkit.record import UNEXPLAINED, Finding, Ledger, Run
from labkit.record.proof import CallsDeeper
from labkit.record.source_line import SourceLine

# Calls that a step adds; where a step alone goes as deep, it is no growth.
LEAST_PER_STEP, MOST_PER_STEP = 0.2, 5.0


def recursion_findings(run: Run, ledger: Ledger) -> list[Finding]:
    """Return what made the calls deeper from step to step; empty where nothing did.

    Args:
        run: With all its steps.
        ledger: Where the growth of a step went, if it grew.
    """
    for name, pairs in run.evidence.items():
        if not name.startswith(RECURSION) or not len(run.steps):
            continue
        steps, depth = len(run.steps), int(pairs[-1][1])
        if LEAST_PER_STEP <= depth / steps <= MOST_PER_STEP:
            file, _, line = name.removeprefix(RECURSION).rpartition(":")
            code = linecache.getline(file, int(line)).strip()
            rest = [row.share for row in ledger.rows if row.place == UNEXPLAINED]
            share = min(1.0, max([*rest, 0.0])) or 1.0
            proof, at = CallsDeeper(depth, steps), SourceLine(file, int(line), code)
            return [Finding("work_growth", "growth", share, proof, "wrap_once", at)]
    return []
