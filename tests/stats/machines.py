"""Machines with known truth beside a series of step times."""

from __future__ import annotations

import numpy as np

from labkit.stats.machine.readings import Machine
from labkit.stats.series import Numbers
from tests.stats.known import white


def canary(machine: Numbers, seed: int = 9, every: int = 3) -> Numbers:
    """What a canary shows of a machine: a reading every few steps, with noise of its own."""
    readings = 11e-6 * np.exp(machine + white(len(machine), seed, 0.01))
    return np.where(np.arange(len(machine)) % every == 0, readings, np.nan)


def machine_of(
    seconds: Numbers,
    *,
    computed: Numbers | None = None,
    canary_seconds: Numbers | None = None,
    others: float | Numbers = 0.0,
    idle: float | Numbers = 1.0,
    queue: Numbers | None = None,
    thread: Numbers | None = None,
    pools: Numbers | None = None,
    cores: int = 2,
) -> Machine:
    """Return a machine on which these steps were run; without arguments an idle one.

    Args:
        seconds: The step times by the wall clock, shape (steps,).
        computed: Processor time of each step; else all of it.
        canary_seconds: The canary's times; else it was never run.
        others: How many processors others used during each step.
        idle: How many nobody used.
        queue: How long the step's thread had no processor; else that is not counted here.
        thread: Processor time of the step's thread; else nobody read it.
        pools: The same of the pool's slowest thread; else it had one at all times.
        cores: How many there are.
    """
    steps = len(seconds)
    nowhere = np.full(steps, np.nan)
    waited = np.zeros(steps) if pools is None else pools
    return Machine(
        start_seconds=np.cumsum(seconds) - seconds,
        processor_seconds=seconds if computed is None else computed,
        canary_seconds=nowhere if canary_seconds is None else canary_seconds,
        others_seconds=np.cumsum(others * seconds),
        idle_seconds=np.cumsum(idle * seconds),
        queue_seconds=nowhere if queue is None else queue,
        thread_seconds=nowhere if thread is None else thread,
        pool_queue_seconds=nowhere if queue is None else np.cumsum(waited),
        cores=cores,
    )
