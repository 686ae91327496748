"""Findings of spikes: what happens in the steps that take much longer than their neighbours."""

from __future__ import annotations

import numpy as np

from labkit.diagnosis.suspects import SUSPECTS, Suspect
from labkit.record import Finding, Run, Verdict
from labkit.stats import spike_mask

# Spikes below are a habit of every loop: a collection now and then, a checkpoint every hundred
# steps.
LEAST_SHARE = 0.3
# Work that somebody planned: a checkpoint now and then is no fault, unless it is most of the time.
PLANNED = ("checkpoint_io", "observer", "input_pipeline")
LEAST_PLANNED_SHARE = 0.6
HELD = 0.6
FEWEST_SPIKES = 3


def spike_findings(run: Run, verdict: Verdict) -> list[Finding]:
    """Return the cause of the spikes, where its places or events hold most of what they take.

    Args:
        run: Without its sampled steps.
        verdict: What was said of its steps.
    """
    if (verdict.spike_share or 0.0) < LEAST_SHARE or verdict.label == "too_short":
        return []
    seconds = np.asarray(run.steps.seconds)[verdict.warmup_steps :]
    spikes = np.flatnonzero(spike_mask(np.log(seconds)))
    if len(spikes) < FEWEST_SPIKES:
        return []
    rest = np.delete(np.arange(len(seconds)), spikes)
    extra = float((seconds[spikes] - np.median(seconds[rest])).sum())
    found = []
    for each in SUSPECTS:
        if each.cause in PLANNED and (verdict.spike_share or 0.0) < LEAST_PLANNED_SHARE:
            continue
        held = sum(_extra(run, name, verdict.warmup_steps, spikes, rest) for name in each.places)
        where = "is spent there"
        if met := [event for event in run.events if event.kind in each.events]:
            hit = np.isin(spikes + verdict.warmup_steps, [event.step for event in met])
            held += float((seconds[spikes[hit]] - np.median(seconds[rest])).sum())
            where = f"is in steps that say why, e.g. step {met[0].step:,}: {met[0].text}"
        if extra > 0 and held >= HELD * extra:
            found.append(_finding(each, held / extra, len(spikes), verdict, where))
    return sorted(found, key=lambda finding: -finding.share)[:1]


def _extra(run: Run, name: str, first: int, spikes: np.ndarray, rest: np.ndarray) -> float:
    """Return how many seconds a place holds more in the spikes than in other steps."""
    if name not in run.steps.names:
        return 0.0
    seconds = np.nan_to_num(np.asarray(run.steps.column(name))[first:])
    return float((seconds[spikes] - np.median(seconds[rest])).sum())


def _finding(each: Suspect, held: float, count: int, verdict: Verdict, where: str) -> Finding:
    share = verdict.spike_share or 0.0
    every = f", one every {verdict.spike_period:.0f} steps" if verdict.spike_period else ""
    proof = (
        f"{count} spikes{every} take {100 * share:.0f} % of all time, and {100 * held:.0f} % of "
        f"what they take {where}."
    )
    return Finding(each.cause, "spikes", min(1.0, held), proof, each.fix)
