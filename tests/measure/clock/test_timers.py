"""Timers count seconds exclusively: what an inner place takes, the outer one does not."""

from __future__ import annotations

import gc
import math
import sys
import threading
import time
from array import array
from types import ModuleType, SimpleNamespace

import pytest

from labkit.measure.clock.events import Events
from labkit.measure.clock.timers import Timers
from labkit.measure.memory.collector import TELLING_SECONDS, CollectorProbe
from labkit.measure.patches.patch import timed_patch
from labkit.record import Column
from tests.measure.owned_clock import OwnedClock
from tests.measure.watching import context_of, numbers_of


@pytest.fixture
def clock() -> OwnedClock:
    return OwnedClock()


@pytest.fixture
def timers(clock: OwnedClock) -> Timers:
    made = Timers(clock)
    made.add("outer", "outer work")
    made.add("inner", "inner work")
    return made


def counter(name: str) -> Column:
    return Column(name, name, "times", "counter")


def booked(timers: Timers) -> list[float]:
    return [round(seconds * 1e3, 6) for seconds in numbers_of(timers)]


def test_the_outer_place_stands_still_while_an_inner_one_is_open(
    clock: OwnedClock, timers: Timers
) -> None:
    timers.enter(0)
    clock.pass_ms(1)
    timers.enter(1)
    clock.pass_ms(5)
    timers.leave()
    clock.pass_ms(2)
    timers.leave()
    clock.pass_ms(100)
    assert booked(timers) == [3.0, 5.0]


def test_a_place_inside_itself_is_not_counted_twice(clock: OwnedClock, timers: Timers) -> None:
    timers.enter(0)
    clock.pass_ms(1)
    timers.enter(0)
    clock.pass_ms(1)
    timers.leave()
    timers.leave()
    assert booked(timers) == [2.0, 0.0]


def test_a_new_step_begins_at_zero(clock: OwnedClock, timers: Timers) -> None:
    timers.enter(0)
    clock.pass_ms(9)
    timers.leave()
    timers.begin()
    assert booked(timers) == [0.0, 0.0]


def test_a_step_within_an_open_place_books_its_own_part_of_it_only(
    clock: OwnedClock, timers: Timers
) -> None:
    timers.enter(0)
    clock.pass_ms(50)
    timers.begin()
    clock.pass_ms(3)
    assert booked(timers) == [3.0, 0.0]
    clock.pass_ms(70)
    timers.begin()
    clock.pass_ms(1)
    timers.enter(1)
    clock.pass_ms(2)
    timers.leave()
    assert booked(timers) == [1.0, 2.0]
    timers.leave()


def test_a_place_that_is_given_up_is_not_measured_and_the_others_are(
    clock: OwnedClock, timers: Timers
) -> None:
    timers.give_up(0)
    timers.begin()
    timers.enter(1)
    clock.pass_ms(2)
    timers.leave()
    assert str(booked(timers)) == "[nan, 2.0]"


def test_counters_stand_before_the_places_and_those_that_count_anew_forget_the_last_step(
    clock: OwnedClock,
) -> None:
    """Places and counters of several probes, in the order in which they were made."""
    timers = Timers(clock)
    timers.count([counter("all")])
    place = timers.add("work", "work")
    first = timers.count([counter("each"), counter("whole")], anew=("each",))
    gathered = timers.count([counter("gathered")])
    timers.gathering.append(lambda: timers.values.__setitem__(gathered, clock()))
    rows = []
    for step in range(3):
        timers.begin()
        for at in (0, first, first + 1):
            timers.values[at] += step
        timers.enter(place)
        clock.pass_ms(1_000)
        timers.leave()
        row = array("d", [-1.0] * 7)
        timers.read(row, 1)
        rows.append(list(row))
    assert [column.name for column in timers.columns] == [
        "all", "each", "whole", "gathered", "work_seconds",
    ]  # fmt: skip
    assert rows[2] == pytest.approx([-1, 3, 2, 3, clock(), 1, -1])


def test_a_counter_that_is_given_up_stays_unmeasured_through_counts_and_steps(
    timers: Timers,
) -> None:
    first = timers.count([counter("each"), counter("other")], anew=("each", "other"))
    timers.give_up_count(first)
    timers.values[first] += 1
    timers.values[first + 1] += 1
    timers.begin()
    assert math.isnan(timers.values[first]) and timers.values[first + 1] == 0


def test_what_is_late_is_asked_for_after_an_import_and_not_again(
    timers: Timers, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    timers.deferred.append(lambda: asked.append(1))
    timers.begin()
    timers.begin()
    assert len(asked) == 1
    monkeypatch.setitem(sys.modules, "labkit_test_imported", ModuleType("labkit_test_imported"))
    timers.begin()
    assert len(asked) == 2


def test_another_threads_time_is_not_booked(clock: OwnedClock, timers: Timers) -> None:
    entered: list[bool] = []
    thread = threading.Thread(target=lambda: entered.append(timers.enter(0)))
    thread.start()
    thread.join()
    assert entered == [False]
    assert booked(timers) == [0.0, 0.0]


def test_a_patched_function_books_a_call_that_raises_and_is_gone_when_closed(
    clock: OwnedClock, timers: Timers
) -> None:
    def work() -> None:
        clock.pass_ms(4)
        raise ValueError("as asked")

    module = SimpleNamespace(work=work)
    point = timed_patch(module, "work", timers, 1)
    with pytest.raises(ValueError, match="as asked"):
        module.work()
    point.close()
    assert module.work is work
    assert booked(timers) == [0.0, 4.0]


def test_closing_a_patch_leaves_no_shadow_of_an_inherited_method(timers: Timers) -> None:
    class Parent:
        def work(self) -> str:
            return "parent"

    class Child(Parent):
        pass

    timed_patch(Child, "work", timers, 0).close()
    assert "work" not in vars(Child) and Child().work() == "parent"


def test_a_collection_is_counted_and_booked_and_the_hook_taken_away(clock: OwnedClock) -> None:
    before = list(gc.callbacks)
    timers = Timers(clock)
    probe = CollectorProbe(context_of(timers, Events()))
    timers.enter(timers.add("work", "work"))
    gc.collect()
    timers.leave()
    timers.read([0.0] * len(timers.columns), 0)
    probe.close()
    assert timers.values[probe.first] >= 1.0
    assert gc.callbacks == before


def test_a_step_without_collection_adds_none_to_the_count(timers: Timers) -> None:
    probe = CollectorProbe(context_of(timers, Events()))
    gc.collect()
    counts = []
    gc.disable()
    for _ in range(2):
        timers.begin()
        counts.append(timers.values[probe.first])
    gc.enable()
    probe.close()
    assert counts[0] == counts[1] >= 1


def test_a_long_pause_is_an_event_with_its_generation_and_a_short_one_is_not() -> None:
    # Made before anything is counted: it is collected for as well, and may take long.
    hoard = [[number] for number in range(300_000)]
    events, timers = Events(), Timers(time.perf_counter)
    probe = CollectorProbe(context_of(timers, events))
    gc.collect()
    timers.begin()
    assert [event.detail["generation"] for event in events.take()] == [2]
    for _ in range(20):
        gc.collect(0)
    timers.begin()
    probe.close()
    # On a busy machine one of these may be long as well.
    told = events.take()
    assert len(told) < 10 and len(hoard) == 300_000
    assert all(event.detail["seconds"] >= TELLING_SECONDS for event in told)
