"""The ratio of two runs: how long a step of one takes, over a step of the other.

Where both levels hold, typical steps are compared. Where one moves, what is typical depends on how
long the run was, so the last levels are. There spikes are set aside; the ratio of the means, with
them, is what the steps take in all. Which run takes longer is decided here and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from labkit.record import Verdict
from labkit.stats.judge import judge
from labkit.stats.mean_ratio import MeanRatio, half_width, mean_of
from labkit.stats.noise import standard_error, t_quantile
from labkit.stats.series import MOST_POINTS, Numbers, read_seconds
from labkit.stats.shape.segmentation import SHORTEST_REST
from labkit.stats.shape.spikes import spike_mask

# Two processes of one loop differ by a few percent even on a quiet machine (Barrett et al. 2017;
# Traini et al. 2023), and no interval made from one run of each can know of that.
SMALLEST_DIFFERENCE = math.log(1.05)
# The chance of error on either side, as in the judge; the interval of 95 % alone would call about
# one in a hundred pairs alike different under noise that remembers, even with the 5 %.
ALPHA = 0.002
FLOOR_SHARE = 0.4


@dataclass(frozen=True)
class Ratio:
    """How long a step of the second run takes, over a step of the first.

    Args:
        basis: What was compared: ``typical`` steps, or the ``last`` levels where a run moves;
            ``too_short`` where a run has too few steps for either.
        ratio: Second over first; None where a run is too short.
        low: Lower end of its 95 % interval. It is about these two runs; that another process of
            the same loop may differ by a few percent is not in it.
        high: Upper end of it.
        different: Whether that is at least 5 %, and neither noise nor bursts can have made it.
        seconds: What was compared of the first run and of the second.
        verdicts: What is said of the first run and of the second, as far as they were compared.
        at_step: Where both move and one is longer: the step at which both were compared.
        mean: What the steps take in all, spikes with them; None where a run, or what two runs have
            in common after the warm-up, is too short.
    """

    basis: Literal["typical", "last", "too_short"]
    ratio: float | None
    low: float | None
    high: float | None
    different: bool
    seconds: tuple[float, float] | None
    verdicts: tuple[Verdict, Verdict]
    at_step: int | None = None
    mean: MeanRatio | None = None

    @property
    def way(self) -> Literal["longer", "shorter", "alike", "too_short"]:
        """What the second run is said to be: by its time in all, else by its usual steps."""
        if self.ratio is None:
            return "too_short"
        if not self.apart:
            return "alike"
        return "longer" if self._told > 1 else "shorter"

    @property
    def apart(self) -> float:
        """How far the runs are said to be apart, as a logarithm of either way; 0 where alike."""
        different = self.different or (self.mean is not None and self.mean.different)
        return abs(math.log(self._told)) if different else 0.0

    @property
    def _told(self) -> float:
        if self.mean is not None and self.mean.different:
            return self.mean.ratio
        return self.ratio or 1.0


@dataclass(frozen=True)
class _Level:
    """What of one run is compared.

    Args:
        log_seconds: The level.
        half_width: Half its 95 % interval.
        points: How many points both come from.
        floor: The logarithm of its fast steps, where those are known.
    """

    log_seconds: float
    half_width: float
    points: int
    floor: float | None = None


def ratio(
    first: Sequence[float] | Numbers, second: Sequence[float] | Numbers, *, doubt: float = 0.0
) -> Ratio:
    """Compare the steps of two runs.

    The intervals of both levels are joined as root of the sum of squares (Zou and Donner 2008).

    Args:
        first: The time of each step of the first run, in order, in seconds.
        second: The same of the second run; any number of steps.
        doubt: The difference of logarithms that the machine may have made between them.

    Returns:
        The ratio of the second to the first.

    Raises:
        LabkitError: If a run has no step, or a time is not a finite number above zero.
    """
    series = (read_seconds(first), read_seconds(second))
    verdicts = (judge(series[0]), judge(series[1]))
    at_step = None
    if moves(verdicts[0]) and moves(verdicts[1]) and len(series[0]) != len(series[1]):
        # Who moves for longer gets further: both are compared where the shorter one ends.
        at_step = min(len(series[0]), len(series[1]))
        series = (series[0][:at_step], series[1][:at_step])
        verdicts = (judge(series[0]), judge(series[1]))
    if any(verdict.label == "too_short" for verdict in verdicts):
        return Ratio("too_short", None, None, None, False, None, verdicts)
    if any(map(moves, verdicts)):
        one, other = (_last_level(verdict) for verdict in verdicts)
    else:
        one, other = (
            _typical_level(times, verdict.warmup_steps)
            for times, verdict in zip(series, verdicts, strict=True)
        )
    apart = other.log_seconds - one.log_seconds
    half = math.hypot(one.half_width, other.half_width)
    different = _different(one, other, apart, half) and abs(apart) - half > doubt
    return Ratio(
        basis="typical" if one.floor is not None else "last",
        ratio=_factor(apart),
        low=_factor(apart - half),
        high=_factor(apart + half),
        different=different,
        seconds=(_factor(one.log_seconds), _factor(other.log_seconds)),
        verdicts=verdicts,
        at_step=at_step,
        mean=_mean_ratio(series, verdicts, apart if different else 0.0, doubt),
    )


def _mean_ratio(
    series: tuple[Numbers, Numbers], verdicts: tuple[Verdict, Verdict], apart: float, doubt: float
) -> MeanRatio | None:
    """Compare what the steps take in all.

    Args:
        series: The times of both runs.
        verdicts: What is said of both.
        apart: By how much their usual steps differ, as a logarithm; 0 where they do not.
        doubt: As of `ratio`.

    Returns:
        The ratio; None where the warm-up of one run leaves too few steps that both have.
    """
    # Where a level moves the mean depends on how long the run was.
    count = min(map(len, series)) if any(map(moves, verdicts)) else None
    compared = [
        times[verdict.warmup_steps : count] for times, verdict in zip(series, verdicts, strict=True)
    ]
    if min(map(len, compared)) < SHORTEST_REST:
        return None
    one, other = map(mean_of, compared)
    between = other.log_seconds - one.log_seconds
    sure = half_width(one, other, 1 - ALPHA)
    # A burst on a shared machine lifts a mean as a pause of the loop does. So it takes a pattern
    # that a verdict calls the loop's own, or usual steps that differ in the same direction.
    longer = verdicts[1] if between > 0 else verdicts[0]
    explained = between * apart > 0 or longer.label == "spikes"
    half = half_width(one, other, 0.975)
    return MeanRatio(
        _factor(between),
        _factor(between - half),
        _factor(between + half),
        explained
        and abs(between) >= max(SMALLEST_DIFFERENCE, sure)
        and abs(between) - half > doubt,
    )


def _factor(logarithm: float) -> float:
    """Return the factor; times of absurd sizes must not overflow."""
    return math.exp(min(700.0, logarithm))


def moves(verdict: Verdict) -> bool:
    """Tell whether a run's level goes up or down, so that it depends on where one looks."""
    return verdict.slower or verdict.label == "speedup"


def _different(one: _Level, other: _Level, apart: float, half: float) -> bool:
    points = min(one.points, other.points)
    sure = half * t_quantile(1 - ALPHA, points) / t_quantile(0.975, points)
    if abs(apart) < max(SMALLEST_DIFFERENCE, sure):
        return False
    if one.floor is None or other.floor is None:
        return True
    # A busy machine makes many steps slower, a slower loop its fastest ones too.
    floors = other.floor - one.floor
    return floors * math.copysign(1, apart) >= FLOOR_SHARE * abs(apart)


def _last_level(verdict: Verdict) -> _Level:
    """Return the fitted level at the end of a run, as its verdict has it.

    Its error is at most that of the rise from the first level to the last, which is what the
    verdict knows: the fits leave the end no less sure than the difference of both ends.
    """
    last, low, high = verdict.last_seconds, verdict.low, verdict.high
    assert last is not None and low is not None and high is not None  # not too short
    # Growth of -100 % is no step time at all; rounding can get there on wild series.
    half = (math.log1p(max(high, -0.999999)) - math.log1p(max(low, -0.999999))) / 2
    points = min(MOST_POINTS, verdict.steps - verdict.warmup_steps)
    return _Level(math.log(last), half, points)


def _typical_level(times: Numbers, warmup: int) -> _Level:
    """Return the geometric mean of a run's steps after warm-up, spikes set aside.

    Not their median: where a loop has two speeds by turns, that jumps between them from run to run
    (its interval covered 0.67 of the truths instead of 0.95).
    """
    log_seconds = np.log(times[warmup:])
    calm = log_seconds[~spike_mask(log_seconds)]
    count, level = len(calm), float(calm.mean())
    error = standard_error(np.full(count, 1 / count), calm - level, 1)
    half = t_quantile(0.975, count) * error
    return _Level(level, half, count, floor=float(np.quantile(calm, 0.25)))
