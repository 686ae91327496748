"""Expensive looks are taken when they are due, and every step they touch is marked.

Tier: make test.
"""

from __future__ import annotations

import gc
import math
import os
import sys
import time

import pytest

from labkit.measure.clock.calls import CallCounter
from labkit.measure.clock.sampling import CACHES, FIRST_STEP, Looked, Sampling
from tests.measure.owned_clock import OwnedClock
from tests.measure.watching import numbers_of


class Look:
    """Takes `seconds` and tells how it was called."""

    def __init__(self, clock: OwnedClock, seconds: float = 0.0) -> None:
        self.clock, self.seconds = clock, seconds
        self.starts = 0
        self.stops: list[int] = []

    def start(self) -> None:
        self.starts += 1
        self.clock.pass_ms(1_000 * self.seconds)

    def stop(self, steps: int) -> dict[str, float]:
        self.stops.append(steps)
        return {"seen": float(self.starts)}


class Loop:
    """A loop under sampling: each step takes a tenth of a second."""

    def __init__(self, *looked: Looked, clock: OwnedClock) -> None:
        self.clock = clock
        self.said: list[tuple[int, dict[str, float]]] = []
        self.sampling = Sampling(clock, lambda step, found: self.said.append((step, dict(found))))
        self.sampling.attach(looked)

    def run(self, steps: int) -> list[float]:
        marks: list[float] = []
        for _ in range(steps):
            self.sampling.begin()
            self.clock.pass_ms(100)
            marks += numbers_of(self.sampling)
        return marks


@pytest.fixture
def clock() -> OwnedClock:
    return OwnedClock()


def test_a_look_between_steps_marks_the_step_that_follows_it(clock: OwnedClock) -> None:
    look = Look(clock)
    loop = Loop(Looked(look, pause_seconds=1.0), clock=clock)
    marks = loop.run(25)
    # Not before the loop has got going; and it is over when the step begins.
    assert marks[:4] == [0, 0, CACHES, 0]
    assert look.stops == [0] * look.starts
    assert sum(marks) == CACHES * look.starts and look.starts == len(loop.said) == 3
    assert [step for step, _ in loop.said] == [place for place, mark in enumerate(marks) if mark]


def test_what_is_left_alone_ends_a_look_and_begins_none(clock: OwnedClock) -> None:
    look = Look(clock)
    loop = Loop(Looked(look, steps=3, least_seconds=0.45, pause_seconds=0.1), clock=clock)
    loop.run(4)
    loop.sampling.left_alone = lambda: True
    assert loop.run(20) == [0.0] * 20 and look.stops == [2]
    loop.sampling.left_alone = lambda: False
    assert 1.0 in loop.run(60)


def test_a_look_around_steps_is_told_how_many_they_were(clock: OwnedClock) -> None:
    look = Look(clock)
    loop = Loop(Looked(look, steps=3, least_seconds=0.45, pause_seconds=1e9), clock=clock)
    marks = loop.run(20)
    assert look.stops == [5], "three steps do not last 0.45 s"
    assert marks == [0, 0, 1, 1, 1, 1, 1] + [0] * 13


def test_a_expensive_look_is_taken_less_often(clock: OwnedClock) -> None:
    cheap, expensive = Look(clock, 0.001), Look(clock, 0.5)
    loop = Loop(Looked(cheap, share=0.1), Looked(expensive, share=0.1), clock=clock)
    began = clock()
    loop.run(200)
    assert cheap.starts > 10 * expensive.starts
    assert expensive.starts * 0.5 <= 0.11 * (clock() - began) + 0.5


def test_two_looks_never_overlap(clock: OwnedClock) -> None:
    first, second = Look(clock), Look(clock)
    loop = Loop(Looked(first, steps=2), Looked(second, steps=2), clock=clock)
    loop.run(21)
    assert first.stops + second.stops == [2] * (first.starts + second.starts)
    assert second.starts, "the second has its turn as well"


def test_nothing_is_marked_where_nothing_is_attached(clock: OwnedClock) -> None:
    loop = Loop(clock=clock)
    assert loop.run(50) == [0] * 50 and loop.said == []


def test_a_look_that_is_going_on_ends_with_the_recording(clock: OwnedClock) -> None:
    look = Look(clock)
    loop = Loop(Looked(look, steps=100), clock=clock)
    loop.run(10)
    assert look.starts == 1 and look.stops == []
    loop.sampling.close()
    assert look.stops == [8] and loop.said == []


def test_a_look_that_is_to_wait_leaves_the_first_steps_alone(clock: OwnedClock) -> None:
    loop = Loop(Looked(Look(clock), steps=50, wait_seconds=1.0), clock=clock)
    marks = loop.run(20)
    assert marks[:9] == [0] * 9 and marks[11:] == [1] * 9


def test_a_look_that_waits_for_ever_is_never_taken(clock: OwnedClock) -> None:
    never, soon = Look(clock), Look(clock)
    loop = Loop(Looked(never, wait_seconds=math.inf), Looked(soon, wait_seconds=1), clock=clock)
    marks = loop.run(15)
    assert never.starts == 0 and soon.starts > 0
    assert not any(marks[:10])


def test_a_long_run_is_looked_at_ever_less_often(clock: OwnedClock) -> None:
    loop = Loop(clock=clock)
    loop.sampling.attach([Looked(Look(clock), pause_seconds=1.0)], thin_after_seconds=10.0)
    loop.run(3_000)  # 300 s
    looks = [step for step, _ in loop.said]
    early = sum(step < 100 for step in looks)
    late = sum(step >= 2_000 for step in looks)
    assert early >= 3 and 1 <= late <= early
    assert len(looks) >= 10  # and a trend can still be told


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_process_that_is_forked_within_a_look_is_not_watched() -> None:
    before = list(gc.callbacks)
    sampling = Sampling(time.perf_counter, lambda steps, said: None)
    sampling.attach([Looked(CallCounter(), steps=9)])
    row = [0.0]
    for _ in range(FIRST_STEP + 2):
        sampling.begin()
        sampling.read(row, 0)
    sampling.begin()
    try:
        assert sys.getprofile() is not None
        if (child := os.fork()) == 0:
            os._exit(int(sys.getprofile() is not None or gc.callbacks != before))
        assert os.waitpid(child, 0)[1] == 0
        assert sys.getprofile() is not None  # here it goes on
    finally:
        sampling.close()
