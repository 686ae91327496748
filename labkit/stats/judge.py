"""The judge: what the times of a loop's steps say, in one verdict.

The level is judged freed of warm-up, spikes and bursts; a slowdown must be significant, at least
5 % and lift the fastest steps too. It knows nothing of the machine's own drift: what it is handed
may have been freed of that before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from labkit.record import Verdict
from labkit.record.verdict import Label
from labkit.stats import sentence
from labkit.stats.decay import LEFT_OVER
from labkit.stats.interference import LONGEST_SHARE, one_way, risen, shortest_last_level
from labkit.stats.series import Numbers, joined, read_seconds
from labkit.stats.shape import Shape, find_shape
from labkit.stats.spikes import comb, common, spike_mask, wandering_comb
from labkit.stats.warmup import warmup_steps

SHORTEST = 30
SHORTEST_REST = 20
SMALLEST_GROWTH = 0.05
STEADY_SHARE = 0.65
STEADY_BAND = math.log(1.08)
SPIKE_SHARE = 0.10
WANDERING = 1.5
# From here on "flat" alone would promise too much.
BLIND_GROWTH = 0.25


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
        LabkitError: If there is no time at all, or one is not a finite number above zero.
    """
    times = read_seconds(seconds)
    if len(times) < SHORTEST:
        return too_short(len(times))
    # Seconds or microseconds must give one verdict, to the last bit of the sums.
    log_unit = math.log(float(np.median(times)))
    log_seconds = np.log(times) - log_unit
    warmup = warmup_steps(log_seconds)
    if len(times) - warmup < SHORTEST_REST:
        return too_short(len(times), warmup=warmup)
    points, width = joined(log_seconds[warmup:])
    shape = find_shape(points, width=width)
    more = warmup + width * _early_fall(shape)
    if more > warmup and 2 * more <= len(times) and len(times) - more >= SHORTEST_REST:
        points, new_width = joined(log_seconds[more:])
        rest = find_shape(points, width=new_width)
        # A level that goes on falling was not warming up.
        if shape.kind == "levels" or rest.rise + rest.half_width() >= 0:
            warmup, width, shape = more, new_width, rest
    return _verdict(times, warmup, width, shape, log_unit, doubt)


def too_short(steps: int, *, warmup: int = 0) -> Verdict:
    """Return the verdict that refuses to say anything about so few steps."""
    needed = SHORTEST_REST if warmup else SHORTEST
    detail = sentence.too_short(steps - warmup, needed, warmup)
    return Verdict("too_short", None, None, None, detail, steps=steps, warmup_steps=warmup)


def _early_fall(shape: Shape) -> int:
    """Return where the level fell for good to the last one, in points; 0 where it did not."""
    kept, trend = shape.kept, shape.trend
    if shape.kind == "trend" and trend.shape == "settling" and shape.significant:
        over = trend.over(LEFT_OVER)
        return round(over * len(shape.used)) if trend.rise < 0 and over <= 0.5 else 0
    if shape.kind != "levels" or len(kept.values) < 2 or min(kept.values[:-1]) <= kept.values[-1]:
        return 0
    return int(np.flatnonzero(shape.used)[kept.edges[-2]])


def _verdict(
    times: Numbers, warmup: int, width: int, shape: Shape, log_unit: float, doubt: float
) -> Verdict:
    """Put a described series into words."""
    half = math.hypot(shape.half_width(), doubt)
    figures = sentence.Figures(
        steps=len(times),
        warmup=warmup,
        first=math.exp(shape.start + log_unit),
        last=math.exp(shape.start + shape.rise + log_unit),
        growth=math.expm1(shape.rise),
        low=math.expm1(shape.rise - half),
        high=math.expm1(shape.rise + half),
    )
    mask = spike_mask(np.log(times[warmup:]))
    teeth = comb(mask) or wandering_comb(mask)
    share = float(times[warmup:][mask].sum() / times.sum())
    # Only what spikes cost beyond an ordinary step: else bursts of +20 % would pass for spikes.
    extra = share - mask.sum() * float(np.median(times)) / times.sum()
    dear = extra >= SPIKE_SHARE
    many_spikes = teeth is not None or (dear and common(times[warmup:], mask))
    smallest = max(SMALLEST_GROWTH, math.expm1(shape.smallest_rise()))
    label = _label(shape, figures, many_spikes)
    onset = None
    if label == "shift":
        onset = warmup + width * int(np.flatnonzero(shape.used)[shape.kept.edges[1]])
    if label == "slowdown" and shape.trend.shape == "late":
        onset = warmup + width * round(shape.trend.onset * len(shape.used))
    period = teeth.period if teeth else None
    if label == "spikes":
        count = int(mask.sum())
        about = teeth is not None and teeth.wanders
        detail = sentence.spikes(count, len(mask), period, share, figures.flat(), about=about)
    else:
        detail = _words(label, shape, figures, onset, log_unit)
        if dear:
            detail += sentence.beside(int(mask.sum()), share, period)
    if label in ("flat", "warmup", "spikes") and smallest > BLIND_GROWTH:
        detail += f"; growth below {100 * smallest:.0f} % could not be seen, run more steps"
    return Verdict(
        label=label,
        growth=figures.growth,
        low=figures.low,
        high=figures.high,
        detail=detail,
        steps=len(times),
        warmup_steps=warmup,
        first_seconds=figures.first,
        last_seconds=figures.last,
        onset_step=onset,
        spike_period=period,
        spike_share=share,
        smallest_growth=smallest,
    )


def _label(shape: Shape, figures: sentence.Figures, many_spikes: bool) -> Label:
    """Choose the word: a changed level first, then spikes, then warm-up."""
    if _unsteady(shape):
        return "unsteady"
    if shape.significant and figures.growth >= SMALLEST_GROWTH:
        if shape.kind == "trend":
            return "slowdown"
        if shape.kept.edges[-1] - risen(shape.kept) >= shortest_last_level(len(shape.used)):
            return "shift"
    if shape.significant and figures.growth <= -SMALLEST_GROWTH:
        return "speedup"
    if many_spikes:
        return "spikes"
    return "warmup" if figures.warmup else "flat"


def _unsteady(shape: Shape) -> bool:
    """Tell whether the level moves both ways, three times or more, and none holds for long."""
    moved = shape.moved
    if len(moved.changes) < 3 or one_way(moved):
        return False
    # A step or a trend among a few bursts moves both ways too, but only until the bursts are set
    # aside; then nothing of the wandering may be left.
    calm = shape.kind == "trend" or one_way(shape.kept)
    if calm and shape.left_over <= WANDERING and 1 - shape.used.mean() <= LONGEST_SHARE:
        return False
    values, lengths = np.asarray(moved.values), np.asarray(moved.lengths)
    held = max(lengths[np.abs(values - value) <= STEADY_BAND].sum() for value in values)
    return bool(held < STEADY_SHARE * len(shape.used))


def _words(
    label: Label, shape: Shape, figures: sentence.Figures, onset: int | None, log_unit: float
) -> str:
    """Return the sentence for every label but spikes."""
    if label in ("slowdown", "shift", "speedup"):
        return figures.changed(label, onset=onset)
    if label == "unsteady":
        ends = np.exp(np.asarray([min(shape.moved.values), max(shape.moved.values)]) + log_unit)
        changes = len(shape.moved.changes)
        return figures.wandering(float(ends[0]), float(ends[1]), changes)
    text = figures.warm() if label == "warmup" else figures.flat()
    if shape.late:
        text += "; the last steps are slower, run more steps to tell whether that lasts"
    return text
