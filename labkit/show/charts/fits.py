"""What is drawn of a verdict over the curve: the line of each stretch, and its label."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from labkit.record import Diagnosis, Verdict
from labkit.show.charts.typical_line import Corner, among, bends
from labkit.show.thinning import own_seconds_of
from labkit.show.verdict import glance


@dataclass(frozen=True)
class Fit:
    """One stretch between two flips, as it is drawn over the curve.

    Args:
        label: At most four words.
        tone: ``slower``, ``faster``, ``even``, ``spikes`` or ``open``.
        steps: Where the line has its corners, as steps of the run; empty where no level is known.
        seconds: How high it is there.
    """

    label: str
    tone: str
    steps: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()


def fits(value: Diagnosis) -> tuple[Fit, ...]:
    """Return what is drawn of each stretch that was judged, in their order."""
    pairs = zip(value.stretches, value.verdicts, strict=False)
    seconds = own_seconds_of(value.judged)
    drawn = [_fit(verdict, stretch.start, seconds) for stretch, verdict in pairs]
    if drawn and drawn[-1].tone in ("even", "faster") and value.run.state.name == "failed":
        # In green it would say that all was well.
        drawn[-1] = replace(drawn[-1], label=f"{drawn[-1].label}, then failed", tone="slower")
    return tuple(drawn)


def _fit(verdict: Verdict, start: int, seconds: NDArray[np.float64]) -> Fit:
    label, tone = _label(verdict), glance.tone(verdict)
    first, last = verdict.first_seconds, verdict.last_seconds
    begin = start + verdict.warmup_steps
    end = min(start + verdict.steps, len(seconds)) - 1
    unsteady = verdict.label == "unsteady" and tone != "spikes"
    if not label or not first or not last or unsteady or begin > end:
        return Fit(label, tone)
    corners: list[Corner] = []
    onset = None if verdict.onset_step is None else start + verdict.onset_step
    if tone not in ("slower", "faster"):
        # The level that the headline tells, as far as there are such steps.
        high = among(seconds[begin : end + 1], verdict.level_seconds or first)
        corners = [(begin, high), (end, high)]
    elif onset is None or not begin < onset <= end:
        corners = bends(seconds, begin, end, first, last)
    else:
        before = among(seconds[begin:onset], first)
        after = among(seconds[onset : end + 1], last)
        corners = [(begin, before), (onset, after), (end, after)]
        if verdict.label == "slowdown":
            corners[1:] = bends(seconds, onset, end, before, last)
        else:
            corners.insert(1, (onset, before))
    if verdict.later is not None:
        later = end + verdict.later.steps
        corners += [(end, verdict.later.seconds), (later, verdict.later.seconds)]
    steps, highs = zip(*corners, strict=True)
    return Fit(label, tone, steps, highs)


def _label(verdict: Verdict) -> str:
    if verdict.label == "too_short":
        return ""
    tone = glance.tone(verdict)
    if tone == "spikes" or (verdict.label == "spikes" and not glance.undecided(verdict)):
        return glance.spikes(verdict)
    if glance.undecided(verdict):
        return f"about {glance.duration(verdict.level_seconds)}" if verdict.level_seconds else ""
    if tone in ("slower", "faster"):
        return f"{verdict.label} {glance.times(verdict)}"
    if verdict.label in ("flat", "warmup"):
        return glance.no_growth(verdict)
    return verdict.label.replace("_", " ")
