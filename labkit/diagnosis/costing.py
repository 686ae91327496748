"""Findings of cost: a large share of every step that need not be there. Never a slowdown."""

from __future__ import annotations

import numpy as np

from labkit.diagnosis.every_step import rises_at_every_step
from labkit.diagnosis.suspects import SUSPECTS
from labkit.record import Finding, Run, Verdict
from labkit.record.quantity import duration

# Only what is large, and what a known repair takes away; else it is the work itself.
LEAST_SHARE = 0.5
LEAST_SECONDS = 5e-4
# A loop may well wait for its data, write a checkpoint at every step, or draw: that is its work.
NAMED = ("retracing", "session_churn", "garbage", "observer", "host_transfer")
COUNTED_EVERY_STEP = {"retracing": ("traces", "compilations"), "session_churn": ("sessions",)}


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
    titles = {column.name: column.title for column in run.columns}
    found = []
    for each in SUSPECTS:
        if each.cause not in NAMED or not _every_step(run, each.cause, verdict.warmup_steps):
            continue
        parts = {
            name: float(np.nanmedian(np.asarray(run.steps.column(name))[verdict.warmup_steps :]))
            for name in each.places
            if name in run.steps.names
        }
        taken = sum(parts.values())
        if taken < LEAST_SHARE * typical or taken < LEAST_SECONDS:
            continue
        largest = max(parts, key=lambda name: parts[name])
        proof = (
            f"Of {duration(typical)} that a step takes, {duration(taken)} are spent on it at every "
            f"step, most in {titles[largest]}{'' if verdict.slower else '; it does not grow'}."
        )
        found.append(Finding(each.cause, "cost", min(1.0, taken / typical), proof, each.fix))
    return sorted(found, key=lambda finding: -finding.share)[:1]


def _every_step(run: Run, cause: str, first: int) -> bool:
    """Tell whether one of a cause's counters rises at nearly every step, where it has some."""
    names = COUNTED_EVERY_STEP.get(cause, ())
    return not names or any(
        rises_at_every_step(run.steps.column(name)[first:])
        for name in names
        if name in run.steps.names
    )
