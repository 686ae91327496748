"""Findings of cost: a large share of every step that need not be there. Never a slowdown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from labkit.diagnosis.monotone import rises_at_every_step
from labkit.diagnosis.rules import RULES
from labkit.record import Finding, Run, Verdict
from labkit.record.proof import EveryStep

# Less is the work itself, however large a part of it.
LEAST_SECONDS = 5e-4


def cost_findings(run: Run, verdict: Verdict) -> list[Finding]:
    """Return what takes a large part of every step and need not.

    Args:
        run: Without its sampled steps.
        verdict: What was said of its steps.
    """
    if verdict.label == "too_short":
        return []
    settled = verdict.warmup_steps
    seconds = np.asarray(run.steps.seconds)[settled:]
    typical = float(np.median(seconds))
    found = []
    for each in RULES:
        if each.least_cost is None:
            continue
        counters = each.at_every_step
        if counters and not rises_at_every_step(run, counters, first=settled):
            continue
        if each.one_of_each and not _one_of_each(run, each.one_of_each, counters, settled):
            continue
        parts = {
            name: float(np.nanmedian(np.asarray(run.steps.column(name))[settled:]))
            for name in each.places
            if name in run.steps.names
        }
        taken = sum(parts.values())
        if taken < each.least_cost * typical or taken < LEAST_SECONDS:
            continue
        largest = max(parts, key=lambda name: parts[name])
        proof = EveryStep(typical, taken, largest, verdict.slower)
        found.append(Finding(each.cause, "cost", min(1.0, taken / typical), proof, each.fix))
    return sorted(found, key=lambda finding: -finding.share)[:1]


def _one_of_each(run: Run, name: str, counters: Sequence[str], first: int) -> bool:
    """Tell whether a typical step counts as many of something as some counter rises by."""
    if name not in run.steps.names:
        return False
    came = float(np.nanmedian(np.asarray(run.steps.column(name))[first:]))
    rises = (
        np.diff(np.asarray(run.steps.column(counter))[first:])
        for counter in counters
        if counter in run.steps.names
    )
    return any(came == float(np.nanmedian(rise)) for rise in rises)
