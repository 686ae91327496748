"""A verdict at a glance: a headline, and the line of each stretch with its label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labkit.record import Diagnosis, Verdict
from labkit.show.charts.typical_line import Corner, bends, level
from labkit.show.thinning import own_seconds_of
from labkit.show.verdict_words import number, scale_of

TONES = {
    "slowdown": "slower", "shift": "slower", "speedup": "faster", "flat": "even", "warmup": "even",
    "spikes": "spikes",
}  # fmt: skip
# A level known better than that looks flat, whatever smaller change the machine may hide.
WIDE = 1.25
# With so much of the time in teeth, that the steps between them became quicker is no headline.
MOST_OF_TIME = 0.5
# Where noise could hide so large a growth, the next second may show it.
HIDES = 1.5


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
    return tuple(_fit(verdict, stretch.start, seconds) for stretch, verdict in pairs)


def headline(verdicts: Sequence[Verdict]) -> str:
    """Return the newest verdict in eight words at most; of a stretch just begun the one before."""
    judged = [each for each in verdicts if each.label != "too_short"]
    if not judged:
        return "too few steps to judge yet" if verdicts else ""
    verdict = judged[-1]
    first, last = verdict.first_seconds, verdict.last_seconds
    if not first or not last:
        undecided = _undecided(verdict)
        return "unclear: the machine was busy" if undecided else verdict.label.replace("_", " ")
    scale, unit = scale_of(max(first, last))
    level = f"{number((first * last) ** 0.5 * scale)} {unit}"
    if _undecided(verdict):
        # How long a step takes is known, and after a flip it is the lesson.
        return f"about {level} per step, growth unclear"
    if _is_comb(verdict):
        return f"{_spikes(verdict)}, between them {level}"
    if verdict.label in ("slowdown", "shift", "speedup"):
        way = "slower" if verdict.slower else "faster"
        levels = f"{number(first * scale)} to {number(last * scale)} {unit}"
        return f"{_times(verdict)} {way}: {levels} per step"
    if verdict.label == "unsteady":
        return f"unsteady, about {level} per step"
    return f"flat at {level} per step"


def tone(verdict: Verdict) -> str:
    """Return how a verdict is coloured."""
    if _undecided(verdict):
        return "open"
    return "spikes" if _is_comb(verdict) else TONES.get(verdict.label, "open")


def _is_comb(verdict: Verdict) -> bool:
    """Tell whether teeth are what one is to see, and not the pace of the steps between them."""
    held = verdict.spike_period is not None and (verdict.spike_share or 0.0) > MOST_OF_TIME
    return verdict.label == "spikes" or (verdict.label == "speedup" and held)


def _undecided(verdict: Verdict) -> bool:
    """Tell whether noise or the machine hides a change that one would see in the chart."""
    by_machine = verdict.reason == "machine"
    if not by_machine and TONES.get(verdict.label) != "even":
        return False
    if verdict.low is None or verdict.high is None:
        return by_machine
    apart = max(1 + verdict.high, 1 / max(1 + verdict.low, 1e-9))
    if by_machine:
        return apart >= WIDE
    return max(apart, 1 + (verdict.smallest_growth or 0.0)) >= HIDES


def _label(verdict: Verdict) -> str:
    if verdict.label == "too_short":
        return ""
    if _undecided(verdict):
        return "growth unclear"
    if _is_comb(verdict):
        return _spikes(verdict)
    if verdict.label in ("slowdown", "shift", "speedup"):
        return f"{verdict.label} {_times(verdict)}"
    return "flat" if tone(verdict) == "even" else verdict.label.replace("_", " ")


def _fit(verdict: Verdict, start: int, seconds: NDArray[np.float64]) -> Fit:
    label, how = _label(verdict), tone(verdict)
    known = verdict.first_seconds and verdict.last_seconds
    begin = start + verdict.warmup_steps
    end = min(start + verdict.steps, len(seconds)) - 1
    if not label or not known or verdict.label == "unsteady" or begin > end:
        return Fit(label, how)
    corners: list[Corner] = []
    onset = None if verdict.onset_step is None else start + verdict.onset_step
    if how not in ("slower", "faster"):
        corners = level(seconds, begin, end)
    elif onset is None or not begin < onset <= end:
        corners = bends(seconds, begin, end)
    else:
        before, high = level(seconds, begin, onset - 1)
        after = (
            bends(seconds, onset, end)[1:]
            if verdict.label == "slowdown"
            else level(seconds, onset, end)
        )
        corners = [before, (onset, high[1]), *after]
    if verdict.later is not None:
        later = end + verdict.later.steps
        corners += [(end, verdict.later.seconds), (later, verdict.later.seconds)]
    steps, highs = zip(*corners, strict=True)
    return Fit(label, how, steps, highs)


def _times(verdict: Verdict) -> str:
    """Say how many times as long the last step is as the first, or the first as the last."""
    factor = (verdict.last_seconds or 1.0) / (verdict.first_seconds or 1.0)
    factor = max(factor, 1 / factor)
    return f"{factor:.1f}x" if factor >= 2 else f"{factor:.2f}x"


def _spikes(verdict: Verdict) -> str:
    if verdict.spike_period is None:
        return "irregular spikes"
    return f"spikes every {verdict.spike_period:.0f} steps"
