"""Collections are counted and booked, and nothing of ours runs within them. Tier: make test."""

from __future__ import annotations

import gc
import signal
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from labkit.measure.clock.events import Events
from labkit.measure.clock.timers import Timers
from labkit.measure.memory.collector import CollectorProbe
from tests.measure.watching import context_of


@pytest.fixture
def timers() -> Timers:
    return Timers(time.perf_counter)


@pytest.fixture
def probe(timers: Timers) -> Iterator[CollectorProbe]:
    made = CollectorProbe(context_of(timers, Events()))
    yield made
    made.close()


def seconds_of(timers: Timers) -> dict[str, float]:
    row = [0.0] * len(timers.columns)
    timers.read(row, 0)
    return {column.title: row[at] for at, column in enumerate(timers.columns)}


class Slow:
    """Takes its time when it is collected; within a place of its own, if it is handed one."""

    def __init__(self, seconds: float, timers: Timers | None = None, place: int = 0) -> None:
        self.me, self.seconds, self.timers, self.place = self, seconds, timers, place

    def __del__(self) -> None:
        if self.timers is not None:
            self.timers.enter(self.place)
        time.sleep(self.seconds)
        if self.timers is not None:
            self.timers.leave()


def test_a_pause_is_taken_from_the_place_that_is_open(
    timers: Timers, probe: CollectorProbe
) -> None:
    work = timers.add("work", "work")
    gc.collect()
    timers.begin()
    timers.enter(work)
    Slow(0.05)
    gc.collect()
    timers.leave()
    found = seconds_of(timers)
    assert found["garbage collection"] >= 0.05 > 5 * abs(found["work"])
    assert found["garbage collections"] >= 1


def test_what_a_collection_calls_keeps_its_own_place(timers: Timers, probe: CollectorProbe) -> None:
    closing, work = timers.add("closing", "closing"), timers.add("work", "work")
    gc.collect()
    timers.begin()
    timers.enter(work)
    Slow(0.05, timers, closing)
    began = time.perf_counter()
    gc.collect()
    whole = time.perf_counter() - began
    timers.leave()
    found = seconds_of(timers)
    assert found["closing"] >= 0.05
    assert found["closing"] + found["garbage collection"] <= whole
    assert found["garbage collection"] >= 0


def test_a_long_collection_is_told_with_the_line_that_asks_for_it(timers: Timers) -> None:
    events = Events()
    probe = CollectorProbe(context_of(timers, events))
    timers.begin()
    Slow(0.01)
    gc.collect()  # here
    timers.begin()
    probe.close()
    (found,) = [each for each in events.take() if float(str(each.detail["seconds"])) >= 0.01]
    lines = Path(__file__).read_text().splitlines()
    assert found.detail["file"] == __file__
    assert lines[int(str(found.detail["line"])) - 1].strip() == "gc.collect()  # here"


def test_a_collection_of_another_thread_is_counted_and_not_booked(
    timers: Timers, probe: CollectorProbe
) -> None:
    gc.collect()
    timers.begin()
    before = timers.values[probe.first]
    thread = threading.Thread(target=gc.collect)
    gc.disable()  # none of this thread's own
    try:
        thread.start()
        thread.join()
        found = seconds_of(timers)
    finally:
        gc.enable()
    assert found["garbage collections"] == before + 1 and found["garbage collection"] == 0


def test_whether_python_collects_just_now_is_known_in_what_it_calls(
    timers: Timers, probe: CollectorProbe
) -> None:
    seen = []

    class Asking:
        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            seen.append(timers.collecting())

    Asking()
    gc.collect()
    assert seen == [True] and not timers.collecting()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer here")
def test_an_error_of_a_handler_of_signals_is_never_lost_in_a_collection(
    timers: Timers, probe: CollectorProbe
) -> None:
    """Recorded: one of sixty timeouts was, and a loop went on for ever."""
    rung, caught = [0], 0

    class Rung(Exception): ...

    def ring(number: int, frame: object) -> None:
        rung[0] += 1
        raise Rung

    # Hypothesis has a function of Python's there, in which one is lost now and then.
    others = list(gc.callbacks)
    gc.callbacks[:] = [each for each in others if each is probe._callback]
    before = signal.signal(signal.SIGALRM, ring)
    try:
        for _ in range(150):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0005)
                for _ in range(1_000_000):
                    gc.collect(0)
            except Rung:
                caught += 1
            timers.begin()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.callbacks[:] = others
    assert caught == rung[0] == 150


def test_the_lowest_threshold_leads_to_no_more_collections_at_each_step(
    timers: Timers, probe: CollectorProbe
) -> None:
    """Seen: what was made to book one led to more than one, and 20 steps came to no end."""
    counts = []
    usual = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(6):
            timers.begin()
            _ = [[] for _ in range(200)]
            counts.append(seconds_of(timers)["garbage collections"])
    finally:
        gc.set_threshold(*usual)
    assert gc.isenabled()
    new = [after - before for before, after in pairwise(counts)]
    assert 50 <= max(new) < 3 * min(new), new
