"""Findings of cost: a large share of every step that need not be there. Never a slowdown."""

from __future__ import annotations

import numpy as np

from labkit.diagnosis.observations.every_step import rises_at_every_step
from labkit.diagnosis.rules import LEAST_COST, RULES, Rule
from labkit.record import Finding, Run, Verdict
from labkit.record.proof import EveryStep

# Less is the work itself, however large a part of it.
LEAST_SECONDS = 5e-4


def cost_findings(run: Run, verdict: Verdict) -> list[Finding]:
    """Return what takes half of every step and need not.

    Args:
        run: Without its sampled steps.
        verdict: What was said of its steps.
    """
    if verdict.label == "too_short":
        return []
    seconds = np.asarray(run.steps.seconds)[verdict.warmup_steps :]
    typical = float(np.median(seconds))
    found = []
    for each in RULES:
        if not each.avoidable or not _every_step(run, each, verdict.warmup_steps):
            continue
        parts = {
            name: float(np.nanmedian(np.asarray(run.steps.column(name))[verdict.warmup_steps :]))
            for name in each.places
            if name in run.steps.names
        }
        taken = sum(parts.values())
        if taken < LEAST_COST * typical or taken < LEAST_SECONDS:
            continue
        largest = max(parts, key=lambda name: parts[name])
        proof = EveryStep(typical, taken, largest, verdict.slower)
        found.append(Finding(each.cause, "cost", min(1.0, taken / typical), proof, each.fix))
    return sorted(found, key=lambda finding: -finding.share)[:1]


def _every_step(run: Run, each: Rule, first: int) -> bool:
    """Tell whether one of a cause's counters rises at nearly every step, where it has some."""
    return not each.counters or any(
        rises_at_every_step(run.steps.column(name)[first:])
        for name in each.counters
        if name in run.steps.names
    )
