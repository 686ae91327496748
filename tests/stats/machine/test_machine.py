"""How many processors others used around each step, from a running total. Tier: make test."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from labkit.stats.machine.readings import WINDOW_SECONDS, cores_in_use
from tests.stats import known
from tests.stats.machines import machine_of


def cores_by_hand(so_far: known.Numbers, wall: known.Numbers, start: known.Numbers) -> list[float]:
    """A slow, plain twin: the running total read off a ruler at both ends of each window."""
    told = [
        (begin + took, total)
        for begin, took, total in zip(start, wall, so_far, strict=True)
        if not np.isnan(total)
    ]

    def read_off(when: float) -> float:
        for (before, low), (after, high) in pairwise(told):
            if before <= when <= after:
                return low + (high - low) * (when - before) / (after - before)
        return told[0][1] if when < told[0][0] else told[-1][1]

    found = []
    for begin, took in zip(start, wall, strict=True):
        window = max(WINDOW_SECONDS, 1.2 * took)
        first = begin + took / 2 - window / 2
        first = min(max(first, told[0][0]), max(told[0][0], told[-1][0] - WINDOW_SECONDS))
        end = max(begin + took / 2 + window / 2, first + WINDOW_SECONDS)
        end = min(end, told[-1][0])
        found.append((read_off(end) - read_off(first)) / max(end - first, 1e-3))
    return found


@pytest.mark.parametrize("scale", [0.01, 1.0, 20.0])
def test_use_around_each_step_is_what_a_plain_reading_gives(scale: float) -> None:
    wall = scale * known.flat(known.white(60, 7, 0.5)).seconds / 10
    start = np.cumsum(wall) - wall
    used = np.cumsum(np.random.default_rng(7).uniform(0, 2, 60) * wall)
    so_far = np.where(np.arange(60) % 3 == 1, used, np.nan)
    fast = cores_in_use(so_far, wall, start)
    assert fast is not None and list(fast) == pytest.approx(cores_by_hand(so_far, wall, start))


def test_a_stretch_of_a_run_has_its_own_part_of_the_machine() -> None:
    seconds = np.full(40, 0.01)
    part = machine_of(seconds, queue=np.arange(40.0), cores=3).between(10, 25)
    assert len(part.start_seconds) == 15 and list(part.queue_seconds[:2]) == [10.0, 11.0]
    assert part.cores == 3
