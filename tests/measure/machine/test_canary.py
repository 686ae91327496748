"""The canary runs for one part in a hundred of the time, and always does the same work."""

from __future__ import annotations

import gc
import math
import threading
import time
from collections.abc import Callable

import numpy as np
import psutil
import pytest

from labkit.measure.machine.canary import (
    CanaryProbe,
    Used,
    canary,
    other_threads_seconds,
    processors_used,
)
from tests.measure.owned_clock import OwnedClock
from tests.measure.watching import numbers_of

NOTHING_USED = Used(others=0.0, idle=0.0)


def probe_of(clock: OwnedClock, *lengths_ms: float) -> CanaryProbe:
    """A canary whose turns take these times, the last of them for ever."""
    left = list(lengths_ms)

    def work() -> None:
        clock.pass_ms(left.pop(0) if len(left) > 1 else left[0])

    return CanaryProbe(clock, work, lambda: NOTHING_USED, lambda: 0.0)


def test_the_quickest_turn_counts_and_the_first_does_not() -> None:
    seconds, _, _ = numbers_of(probe_of(OwnedClock(), 0.001, 0.020, 0.012, 0.015))
    assert seconds == pytest.approx(0.012e-3)


def test_a_canary_beside_which_own_threads_computed_says_nothing_of_the_machine() -> None:
    clock = OwnedClock()
    own_ms = [0.0]

    def beside(share: float) -> Callable[[], None]:
        def work() -> None:
            clock.pass_ms(0.01)
            own_ms[0] += share * 0.01

        return work

    for share, measured in ((0.0, True), (0.1, True), (0.5, False), (1.0, False)):
        probe = CanaryProbe(clock, beside(share), lambda: NOTHING_USED, lambda: own_ms[0] / 1000)
        seconds, others, _ = numbers_of(probe)
        assert math.isnan(seconds) is not measured
        assert others == 0  # what other programs used is known all the same


def test_a_thread_of_this_process_that_computes_is_one_of_its_own() -> None:
    over = threading.Event()
    matrix = np.ones((200, 200))

    def compute() -> None:
        while not over.is_set():
            np.dot(matrix, matrix)

    thread = threading.Thread(target=compute)
    before = other_threads_seconds()
    thread.start()
    while other_threads_seconds() - before < 0.05:  # it is counted, or this has no end
        time.sleep(0.005)
    over.set()
    thread.join()
    rests = other_threads_seconds()
    while True:  # NumPy's own threads go on waiting for work for a moment, and compute meanwhile
        time.sleep(0.05)
        before, rests = rests, other_threads_seconds()
        if rests - before < 0.001:
            break
    sum(range(1_000_000))
    assert other_threads_seconds() - rests < 0.02


def test_it_takes_one_part_in_a_hundred_of_the_time() -> None:
    clock = OwnedClock()
    probe = probe_of(clock, 0.01)
    runs, steps, step_ms = 0, 5_000, 0.5
    for _ in range(steps):
        clock.pass_ms(step_ms)
        runs += not math.isnan(numbers_of(probe)[0])
    assert 0.008 < runs * 4 * 0.01 / (steps * step_ms) <= 0.0101


def test_beside_long_steps_it_runs_at_each() -> None:
    clock = OwnedClock()
    probe = probe_of(clock, 0.01)
    for _ in range(20):
        clock.pass_ms(50)
        assert not math.isnan(numbers_of(probe)[0])


def test_one_long_interruption_does_not_silence_it() -> None:
    clock = OwnedClock()
    probe = probe_of(clock, 0.01, 0.01, 400.0, 0.01)
    numbers_of(probe)
    clock.pass_ms(41)  # a hundred times what 40 turns of the quickest take
    assert not math.isnan(numbers_of(probe)[0])


def test_what_others_used_is_counted_from_the_beginning() -> None:
    clock = OwnedClock()
    told = iter([Used(100.0, 1000.0), Used(100.5, 1000.25)])
    probe = CanaryProbe(clock, lambda: clock.pass_ms(0.01), lambda: next(told), lambda: 0.0)
    assert numbers_of(probe)[1:] == [0.5, 0.25]


def test_the_work_leaves_no_garbage() -> None:
    work = canary()
    gc.disable()
    try:
        before = gc.get_count()
        results = {work() for _ in range(50)}
        assert gc.get_count()[1:] == before[1:]
    finally:
        gc.enable()
    assert len(results) == 1, "the same work has the same result"


def _burn(seconds: float, clock: Callable[[], float] = time.process_time) -> None:
    end = clock() + seconds
    while clock() < end:
        pass


def test_own_work_is_not_that_of_others_and_all_processors_are_accounted_for() -> None:
    before, began, own = processors_used(), time.monotonic(), time.process_time()
    _burn(0.5)
    after, elapsed, own = processors_used(), time.monotonic() - began, time.process_time() - own
    others, idle = after.others - before.others, after.idle - before.idle
    assert others > -0.1 and idle > -0.1
    cores = psutil.cpu_count() or 1
    # Processor times come in ticks of 10 ms for each processor.
    assert others + idle + own == pytest.approx(cores * elapsed, rel=0.2, abs=0.05 * cores)
