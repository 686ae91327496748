"""Findings of spikes: what happens in the steps that take much longer than their neighbours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from labkit.diagnosis.rules import LEAST_SPIKES, NAMED_ALONE, RULES
from labkit.record import Finding, Run, Verdict
from labkit.record.proof import SpikesHeld
from labkit.stats import spike_mask

FEWEST_SPIKES = 3


def spike_findings(run: Run, verdict: Verdict) -> list[Finding]:
    """Return the cause of the spikes, where its places or events hold most of what they take.

    Args:
        run: Without its sampled steps.
        verdict: What was said of its steps.
    """
    share = verdict.spike_share or 0.0
    if share < LEAST_SPIKES or verdict.label == "too_short":
        return []
    seconds = np.asarray(run.steps.seconds)[verdict.warmup_steps :]
    spikes = np.flatnonzero(spike_mask(np.log(seconds)))
    if len(spikes) < FEWEST_SPIKES:
        return []
    rest = np.delete(np.arange(len(seconds)), spikes)
    extra = float((seconds[spikes] - np.median(seconds[rest])).sum())
    found = []
    for each in RULES:
        if share < each.least_spikes:
            continue
        held = sum(_extra(run, name, verdict.warmup_steps, spikes, rest) for name in each.places)
        if met := [event for event in run.events if event.kind in each.events]:
            hit = np.isin(spikes + verdict.warmup_steps, [event.step for event in met])
            held += float((seconds[spikes[hit]] - np.median(seconds[rest])).sum())
        if extra > 0 and held >= NAMED_ALONE * extra:
            proof = SpikesHeld(len(spikes), verdict.spike_period, share, held / extra)
            if met:
                proof = replace(proof, event_step=met[0].step, event_text=met[0].text)
            found.append(Finding(each.cause, "spikes", min(1.0, held / extra), proof, each.fix))
    return sorted(found, key=lambda finding: -finding.share)[:1]


def _extra(run: Run, name: str, first: int, spikes: np.ndarray, rest: np.ndarray) -> float:
    """Return how many seconds a place holds more in the spikes than in other steps."""
    if name not in run.steps.names:
        return 0.0
    seconds = np.nan_to_num(np.asarray(run.steps.column(name))[first:])
    return float((seconds[spikes] - np.median(seconds[rest])).sum())
