"""Two runs of one machine: what of each can be compared, and how far the machine may part them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from labkit.stats.judge import SHORTEST
from labkit.stats.machine.contention import contention
from labkit.stats.machine.drift import FOLLOWED, canary_readings, level, shared_drift
from labkit.stats.machine.readings import Machine, others_cores
from labkit.stats.series import Numbers, read_seconds
from labkit.stats.uncertainty import NEIGHBOUR_COST, handover_doubt

# The canary of a calm machine comes back within this, run after run.
LEAST_PACE = 0.03


def undisturbed(seconds: Sequence[float] | Numbers, machine: Machine) -> Numbers:
    """Return the step times without what other programs took, and without the machine's drift.

    Args:
        seconds: The time of each step, in order, in seconds.
        machine: What was recorded of the machine at these steps.

    Raises:
        LabkitError: If there is no time at all, or one is not a finite number above zero.
    """
    times = read_seconds(seconds)
    if len(times) < SHORTEST:
        return times
    likely = contention(times, machine).likely
    drifted = shared_drift(likely, machine)
    return np.asarray(likely / np.exp(drifted.shared)) if drifted else likely


def doubt_between(
    runs: tuple[tuple[Numbers, Machine], tuple[Numbers, Machine]], level_seconds: float
) -> float:
    """Return the difference between two runs that the machine may have made alone.

    Args:
        runs: The step times of either run, and what was recorded of the machine at these steps.
        level_seconds: How long a step takes.

    Returns:
        A difference of logarithms, whichever way it goes.
    """
    one, other = runs
    neighbours = NEIGHBOUR_COST * abs(_others(*one) - _others(*other))
    pools = abs(_between_bounds(*one) - _between_bounds(*other))
    return (
        handover_doubt(level_seconds)
        + max(neighbours, pools)
        + _pace_doubt(_pace(*one), _pace(*other))
    )


def _between_bounds(times: Numbers, machine: Machine) -> float:
    """Return how far apart the bounds of a typical step are, as a difference of logarithms."""
    found = contention(np.asarray(times), machine)
    return float(np.median(np.log(found.longest / found.shortest)))


def _pace_doubt(one: float | None, other: float | None) -> float:
    """Return what it may have made that the machine was faster in one run than in the other."""
    if one is None or other is None:
        return 0.0
    apart = abs(other - one)
    return FOLLOWED * apart if apart > LEAST_PACE else 0.0


def _pace(times: Numbers, machine: Machine) -> float | None:
    """Return the logarithm of the canary's time in a run, None where it was never run.

    Of a machine that drifted it is that of the start: the steps are corrected for what came later.
    """
    _, readings = canary_readings(machine.canary_seconds)
    if not len(readings):
        return None
    if len(times) >= SHORTEST and shared_drift(np.asarray(times), machine):
        return level(readings, 0)
    return float(np.median(readings))


def _others(times: Numbers, machine: Machine) -> float:
    cores = others_cores(np.asarray(times), machine)
    return 0.0 if cores is None else float(cores.mean())
