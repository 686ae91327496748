"""Places book seconds exclusively: what an inner place takes, the outer one does not."""

from __future__ import annotations

import gc
import sys
import threading
from types import ModuleType, SimpleNamespace

import pytest

from labkit.measure.choke import ChokePoint
from labkit.measure.collector import CollectorProbe
from labkit.measure.events import Events
from labkit.measure.places import Places
from tests.measure.owned_clock import OwnedClock


@pytest.fixture
def clock() -> OwnedClock:
    return OwnedClock()


@pytest.fixture
def places(clock: OwnedClock) -> Places:
    made = Places(clock)
    made.add("outer", "outer work")
    made.add("inner", "inner work")
    return made


def booked(places: Places) -> list[float]:
    row = [0.0] * len(places.columns)
    places.read(row, 0)
    return [round(seconds * 1e3, 6) for seconds in row]


def test_the_outer_place_stands_still_while_an_inner_one_is_open(
    clock: OwnedClock, places: Places
) -> None:
    places.enter(0)
    clock.pass_ms(1)
    places.enter(1)
    clock.pass_ms(5)
    places.leave()
    clock.pass_ms(2)
    places.leave()
    clock.pass_ms(100)
    assert booked(places) == [3.0, 5.0]


def test_a_place_inside_itself_is_not_counted_twice(clock: OwnedClock, places: Places) -> None:
    places.enter(0)
    clock.pass_ms(1)
    places.enter(0)
    clock.pass_ms(1)
    places.leave()
    places.leave()
    assert booked(places) == [2.0, 0.0]


def test_a_new_step_begins_at_zero(clock: OwnedClock, places: Places) -> None:
    places.enter(0)
    clock.pass_ms(9)
    places.leave()
    places.begin()
    assert booked(places) == [0.0, 0.0]


def test_a_step_within_an_open_place_books_its_own_part_of_it_only(
    clock: OwnedClock, places: Places
) -> None:
    places.enter(0)
    clock.pass_ms(50)
    places.begin()
    clock.pass_ms(3)
    assert booked(places) == [3.0, 0.0]
    clock.pass_ms(70)
    places.begin()
    clock.pass_ms(1)
    places.enter(1)
    clock.pass_ms(2)
    places.leave()
    assert booked(places) == [1.0, 2.0]
    places.leave()


def test_a_place_that_is_given_up_is_not_measured_and_the_others_are(
    clock: OwnedClock, places: Places
) -> None:
    places.give_up(0)
    places.begin()
    places.enter(1)
    clock.pass_ms(2)
    places.leave()
    assert str(booked(places)) == "[nan, 2.0]"


def test_what_is_late_is_asked_for_after_an_import_and_not_again(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    places.late.append(lambda: asked.append(1))
    places.begin()
    places.begin()
    assert len(asked) == 1
    monkeypatch.setitem(sys.modules, "labkit_test_imported", ModuleType("labkit_test_imported"))
    places.begin()
    assert len(asked) == 2


def test_another_threads_time_is_not_booked(clock: OwnedClock, places: Places) -> None:
    entered: list[bool] = []
    thread = threading.Thread(target=lambda: entered.append(places.enter(0)))
    thread.start()
    thread.join()
    assert entered == [False]
    assert booked(places) == [0.0, 0.0]


def test_a_choke_point_books_a_call_that_raises_and_is_gone_when_closed(
    clock: OwnedClock, places: Places
) -> None:
    def work() -> None:
        clock.pass_ms(4)
        raise ValueError("as asked")

    module = SimpleNamespace(work=work)
    point = ChokePoint(module, "work", places, 1)
    with pytest.raises(ValueError, match="as asked"):
        module.work()
    point.close()
    assert module.work is work
    assert booked(places) == [0.0, 4.0]


def test_closing_a_choke_point_leaves_no_shadow_of_an_inherited_method(places: Places) -> None:
    class Parent:
        def work(self) -> str:
            return "parent"

    class Child(Parent):
        pass

    ChokePoint(Child, "work", places, 0).close()
    assert "work" not in vars(Child) and Child().work() == "parent"


def test_a_collection_is_counted_and_booked_and_the_hook_taken_away(clock: OwnedClock) -> None:
    before = list(gc.callbacks)
    places = Places(clock)
    probe = CollectorProbe(places, Events())
    places.enter(places.add("work", "work"))
    gc.collect()
    places.leave()
    row = [0.0]
    probe.read(row, 0)
    probe.close()
    assert row[0] >= 1.0
    assert gc.callbacks == before


def test_a_step_without_collection_adds_none_to_the_count(clock: OwnedClock) -> None:
    probe = CollectorProbe(Places(clock), Events())
    gc.collect()
    counts = [[0.0], [0.0]]
    gc.disable()
    for row in counts:
        probe.read(row, 0)
    gc.enable()
    probe.close()
    assert counts[0] == counts[1] and counts[0][0] >= 1


def test_a_long_pause_is_an_event_with_its_generation_and_a_short_one_is_not(
    clock: OwnedClock,
) -> None:
    events = Events()
    probe = CollectorProbe(Places(clock), events)
    hoard = [[number] for number in range(300_000)]
    gc.collect()
    assert [event.detail["generation"] for event in events.take()][-1:] == [2]
    gc.collect(0)
    probe.close()
    assert events.take() == [] and len(hoard) == 300_000
