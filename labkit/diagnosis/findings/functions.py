"""What a compiled function does within, where nothing tells what it is.

A function that is traced once may do more at each call: it goes round as often as a number says, or
takes from a data set what grows. No patch of ours sees into it. So it is named for its time alone,
last of all, and only where that has more than doubled: by less a machine may have changed.
"""

from __future__ import annotations

from labkit.diagnosis.evidence import Evidence
from labkit.diagnosis.rules import NAMED_ALONE
from labkit.record import Finding, Ledger, Run, Verdict
from labkit.record.proof import FunctionsGrew, Grown

RUNNING, HANDED = "function_run_seconds", "function_elements"
LEAST_GROWTH = 1.0


def functions_finding(
    run: Run, verdict: Verdict, ledger: Ledger, evidence: Evidence
) -> Finding | None:
    """Tell that compiled functions do more and more; None where that is not sure.

    Args:
        run: Without its sampled steps.
        verdict: What was said of its steps.
        ledger: Where their growth went.
        evidence: What its counters say.
    """
    row = next((each for each in ledger.rows if each.place == RUNNING), None)
    if row is None or row.share < NAMED_ALONE or not row.first_seconds:
        return None
    if verdict.low is None or verdict.low < LEAST_GROWTH or HANDED not in run.evidence:
        return None
    if HANDED in evidence.work or "traces" in evidence.climbs:
        return None
    share, rise = min(1.0, row.share), evidence.numbers
    numbers = None if rise is None else Grown(rise.name, rise.first, rise.last, rise.per_step)
    grew = FunctionsGrew(share, row.first_seconds, row.seconds, numbers)
    return Finding("work_growth", "growth", share, grew, "equal_rounds")
