"""The judge: what the times of a loop's steps say, in one verdict.

The level is judged without warm-up, spikes and bursts; a slowdown must be significant, at least
5 % and lift the fastest steps too. It knows nothing of the machine's own drift: what it is handed
may have been corrected for that before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from labkit.record import Verdict
from labkit.record.verdict import Label, Spikes, Wandering
from labkit.stats.noise import median
from labkit.stats.series import Numbers, read_seconds
from labkit.stats.shape.interference import risen, shortest_last_level
from labkit.stats.shape.segmentation import SHORTEST_REST, Described, describe
from labkit.stats.shape.shape import Shape
from labkit.stats.shape.spikes import comb, common, rising, spike_growth, spike_mask, wandering_comb
from labkit.stats.shape.warmup import warmup_steps

SHORTEST = 30
SMALLEST_GROWTH = 0.05
SPIKE_SHARE = 0.10
# The exponential of more would overflow.
LARGEST = 700.0
# Where even twice as slow is not excluded, there is nothing to say.
DOUBLED = math.log(2)


def judge(seconds: Sequence[float] | Numbers, *, doubt: float = 0.0) -> Verdict:
    """Say what step times say.

    Args:
        seconds: The time of each step, in order, in seconds.
        doubt: By how much else the growth may be wrong, half a 95 % interval as a difference of
            logarithms; it widens the interval and changes no label.

    Returns:
        The verdict. `onset_step` and `warmup_steps` count from the first time given.
        `smallest_growth` is what four of five such runs would have shown. The levels are those
        between the spikes, without stretches that went up and came back.

    Raises:
        LabkitError: If there is no time at all, one is not a finite number above zero, or two are
            more than a factor of 1e16 apart.
    """
    times = read_seconds(seconds)
    if len(times) < SHORTEST:
        return too_short(len(times))
    # Seconds or microseconds must give one verdict, to the last bit of the sums.
    log_times = np.log(times)
    log_unit = median(log_times)
    log_seconds = log_times - log_unit
    warmup = warmup_steps(log_seconds)
    if len(times) - warmup < SHORTEST_REST:
        return too_short(len(times), warmup=warmup)
    return _verdict(log_seconds, describe(log_seconds, warmup), log_unit, doubt)


def too_short(steps: int, *, warmup: int = 0) -> Verdict:
    """Return the verdict that refuses to say anything about so few steps."""
    needed = SHORTEST_REST if warmup else SHORTEST
    return Verdict(
        "too_short", None, None, None, "few_steps",
        steps=steps, warmup_steps=warmup, needed_steps=needed,
    )  # fmt: skip


def _verdict(log_seconds: Numbers, found: Described, log_unit: float, doubt: float) -> Verdict:
    """Return what a described series says."""
    warmup, shape, wandering = found.warmup, found.shape, found.wandering
    steps, half = len(log_seconds), math.hypot(shape.half_width(), doubt)
    if wandering:
        # Which levels the run began and ended on is chance.
        half = max(half, wandering.highest - wandering.lowest)
    smallest = max(SMALLEST_GROWTH, _growth(shape.smallest_rise()))
    rest = log_seconds[warmup:]
    mask = spike_mask(rest)
    teeth = comb(mask) or wandering_comb(mask)
    # In units of an ordinary step, so that no sum of seconds can overflow.
    relative = np.exp(log_seconds)
    share = float(relative[warmup:][mask].sum() / relative.sum())
    # Only what spikes cost beyond an ordinary step: else bursts of +20 % would pass for spikes.
    expensive = share - mask.sum() / relative.sum() >= SPIKE_SHARE
    many_spikes = teeth is not None or (expensive and common(np.exp(rest), mask))
    label = "unsteady" if wandering else _label(shape, warmup, many_spikes)
    if label in ("flat", "warmup") and shape.half_width() >= DOUBLED:
        return Verdict(
            "too_short", None, None, None, "noise",
            steps=steps, warmup_steps=warmup, smallest_growth=smallest,
        )  # fmt: skip
    onset = _onset(label, shape)
    spikes = moves = None
    if expensive or label == "spikes":
        grown = (spike_growth(rest, mask) if label == "spikes" else None) or (None, None)
        first, last = (None if end is None else _seconds(end + log_unit) for end in grown)
        longer = _growth(rising(rest, mask))
        wanders = teeth is not None and teeth.wanders
        spikes = Spikes(int(mask.sum()), wanders, first, last, longer)
    if wandering:
        lowest, highest = wandering.lowest + log_unit, wandering.highest + log_unit
        moves = Wandering(_seconds(lowest), _seconds(highest), wandering.changes)
    return Verdict(
        label=label,
        growth=_growth(shape.rise),
        low=_growth(shape.rise - half),
        high=_growth(shape.rise + half),
        reason="late_rise" if shape.late and label in ("flat", "warmup") else None,
        steps=steps,
        warmup_steps=warmup,
        first_seconds=_seconds(shape.start + log_unit),
        last_seconds=_seconds(shape.start + shape.rise + log_unit),
        median_seconds=_seconds(float(np.median(rest)) + log_unit),
        onset_step=None if onset is None else warmup + found.width * onset,
        spike_period=teeth.period if teeth else None,
        spike_share=share,
        spike_seconds=_seconds(float(np.median(rest[mask])) + log_unit) if mask.any() else None,
        spikes=spikes,
        wandering=moves,
        smallest_growth=smallest,
    )


def _onset(label: Label, shape: Shape) -> int | None:
    """Return at which point a level changed or a growth began that was flat before."""
    if label not in ("slowdown", "shift", "speedup"):
        return None
    if shape.kind == "levels":
        return int(np.flatnonzero(shape.used)[shape.kept.edges[1]])
    return round(shape.trend.onset * len(shape.used)) if shape.trend.shape == "late" else None


def _growth(logarithm: float) -> float:
    """Return the growth; that of absurd sizes must not overflow."""
    return math.expm1(min(LARGEST, logarithm))


def _seconds(logarithm: float) -> float:
    """Return the seconds; those of absurd sizes must not overflow."""
    return math.exp(min(LARGEST, max(-LARGEST, logarithm)))


def _label(shape: Shape, warmup: int, many_spikes: bool) -> Label:
    """Choose the word: a changed level first, then spikes, then warm-up."""
    growth = _growth(shape.rise)
    if shape.significant and growth >= SMALLEST_GROWTH:
        if shape.kind == "trend":
            return "slowdown"
        if shape.kept.edges[-1] - risen(shape.kept) >= shortest_last_level(len(shape.used)):
            return "shift"
    if shape.significant and growth <= -SMALLEST_GROWTH:
        return "speedup"
    if many_spikes:
        return "spikes"
    return "warmup" if warmup else "flat"
