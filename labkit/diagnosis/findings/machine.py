"""The finding of a machine that got slower, or was shared, while the loop stayed as it was."""

from __future__ import annotations

from labkit.record import Finding, Run, Verdict
from labkit.record.proof import ByClockOnly
from labkit.stats import judge

# Less is the habit of any machine, and nobody would have asked.
LEAST_GROWTH = 0.1


def machine_findings(run: Run, verdict: Verdict) -> list[Finding]:
    """Return the machine as the cause of a growth that is the clock's and not the loop's.

    Args:
        run: Without its sampled steps.
        verdict: What was said of its steps, corrected for what the machine did to them.
    """
    if verdict.slower or not verdict.disturbed:
        return []
    by_the_clock = judge(run.steps.seconds)
    growth = by_the_clock.growth
    if not by_the_clock.slower or growth is None or growth < LEAST_GROWTH:
        return []
    return [Finding("machine", "growth", 1.0, ByClockOnly(growth, verdict), "idle_machine")]
