"""Two runs of one machine: what of each can be compared, and how far the machine may part them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from labkit.stats.crowding import crowding
from labkit.stats.doubt import WAITING_COST, handover_doubt
from labkit.stats.drift import level, shared_drift
from labkit.stats.judge import SHORTEST
from labkit.stats.machine import Machine, others_cores
from labkit.stats.series import Numbers, read_seconds
from labkit.stats.unrest import FOLLOWED

# A neighbour on the other processor makes the same work 5 to 15 % slower, through the caches.
NEIGHBOUR_COST = 0.15
# The canary of a calm machine comes back within this, run after run.
LEAST_PACE = 0.03


def undisturbed(seconds: Sequence[float] | Numbers, machine: Machine) -> Numbers:
    """Return the steps that did not wait for a processor, freed of the machine's drift.

    All steps, as far as they had a processor, where too few are left.

    Args:
        seconds: The time of each step, in order, in seconds.
        machine: What was recorded of the machine at these steps.

    Raises:
        LabkitError: If there is no time at all, or one is not a finite number above zero.
    """
    times = read_seconds(seconds)
    if len(times) < SHORTEST:
        return times
    drifted = shared_drift(times, machine)
    freed = times / np.exp(drifted.shared) if drifted else times
    crowd = crowding(times, machine)
    if crowd is None or not crowd.waited.any():
        return freed
    rested = crowd.rested()
    if rested is None:
        # As if all work were shared out; without this the waits themselves would be compared.
        return np.asarray(freed * crowd.seconds / times * np.exp(crowd.lost))
    return np.asarray(freed[rested])


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
    doubt = handover_doubt(level_seconds)
    costs = []
    for cost, told in ((NEIGHBOUR_COST, _others), (WAITING_COST, _waited)):
        one, other = (told(np.asarray(times), machine) for times, machine in runs)
        costs.append(cost * abs(one - other))
    return doubt + max(costs) + _pace_doubt(*(_pace(*run) for run in runs))


def _pace_doubt(one: float | None, other: float | None) -> float:
    """Return what it may have made that the machine was faster in one run than in the other."""
    if one is None or other is None:
        return 0.0
    apart = abs(other - one)
    return FOLLOWED * apart if apart > LEAST_PACE else 0.0


def _pace(times: Numbers, machine: Machine) -> float | None:
    """Return the logarithm of the canary's time in a run, None where it was never run.

    Of a machine that drifted it is that of the start: the steps are freed of what came later.
    """
    songs = machine.canary_seconds
    read = np.log(songs[np.isfinite(songs) & (songs > 0)])
    if not len(read):
        return None
    if len(times) >= SHORTEST and shared_drift(times, machine):
        return level(read, 0)
    return float(np.median(read))


def _others(times: Numbers, machine: Machine) -> float:
    cores = others_cores(times, machine)
    return 0.0 if cores is None else float(cores.mean())


def _waited(times: Numbers, machine: Machine) -> float:
    crowd = crowding(times, machine)
    return 0.0 if crowd is None else float(crowd.waited.mean())
