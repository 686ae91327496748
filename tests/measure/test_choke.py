"""A choke point books, counts, and gives back what it wrapped."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

import pytest

from labkit.measure.choke import ChokePoint, ChokePoints, PrivateName
from labkit.measure.events import MOST_OF_A_KIND, Events
from labkit.measure.functions import OwnFunctions
from labkit.measure.places import Places
from tests.measure.owned_clock import OwnedClock


class Machine:
    """Something with functions to wrap."""

    clock: OwnedClock

    def work(self, seconds: float) -> float:
        self.clock.pass_ms(seconds * 1e3)
        return seconds * 2

    @staticmethod
    def fixed(seconds: float) -> float:
        Machine.clock.pass_ms(seconds * 1e3)
        return seconds


@pytest.fixture
def places() -> Iterator[Places]:
    Machine.clock = OwnedClock()
    yield Places(Machine.clock)


def booked(places: Places) -> list[float]:
    row = [0.0] * len(places.columns)
    places.read(row, 0)
    return row


def test_arguments_and_result_are_seen_and_passed_through(places: Places) -> None:
    seen: list[Any] = []
    point = ChokePoint(
        Machine, "work", places, places.add("w", "work"),
        before=lambda args: seen.append(args[1]), after=lambda args, result: seen.append(result),
    )  # fmt: skip
    assert Machine().work(3.0) == 6.0
    point.close()
    assert seen == [3.0, 6.0] and booked(places) == pytest.approx([3.0])


def test_a_staticmethod_stays_one_and_comes_back(places: Places) -> None:
    kept = vars(Machine)["fixed"]
    point = ChokePoint(Machine, "fixed", places, places.add("f", "fixed"))
    assert Machine().fixed(2.0) == Machine.fixed(2.0) == 2.0
    point.close()
    assert vars(Machine)["fixed"] is kept and booked(places) == pytest.approx([4.0])


def test_a_point_that_only_counts_books_nothing(places: Places) -> None:
    calls: list[Any] = []
    point = ChokePoint(Machine, "work", places, None, before=calls.append)
    Machine().work(1.0)
    point.close()
    assert len(calls) == 1 and booked(places) == []


def test_a_point_that_books_alone_leaves_an_open_place_its_time(places: Places) -> None:
    outer = places.add("outer", "outer")
    point = ChokePoint(Machine, "work", places, places.add("inner", "inner"), alone=True)
    places.enter(outer)
    Machine().work(2.0)
    places.leave()
    Machine().work(3.0)
    point.close()
    assert booked(places) == pytest.approx([2.0, 3.0])


def test_the_same_place_asked_for_twice_is_one(places: Places) -> None:
    assert places.add("one", "one") == places.add("one", "one") == 0
    assert places.add("other", "other") == 1


def test_a_name_that_is_not_there_is_reported_and_the_others_work(places: Places) -> None:
    points = ChokePoints(places)
    points.hook([
        PrivateName("tests.measure.test_choke", "Machine", "gone", "g", "gone"),
        PrivateName(__name__, "Machine", "work", "w", "work"),
    ])  # fmt: skip
    assert points.missing == ["tests.measure.test_choke.Machine.gone"]
    assert [column.title for column in places.columns] == ["work"]
    points.close()


def test_an_own_function_is_booked_through_its_modules_names(places: Places) -> None:
    names: dict[str, Any] = {"spend": lambda: Machine.clock.pass_ms(5_000.0)}
    before = names["spend"]
    own = OwnFunctions(names, {"spend": "spending"}, places)
    names["spend"]()
    own.close()
    assert booked(places) == pytest.approx([5.0]) and names["spend"] is before


def test_an_own_function_that_is_not_there_is_refused(places: Places) -> None:
    with pytest.raises(AttributeError):
        OwnFunctions({}, {"spend": "spending"}, places)


def test_places_fill_their_slice_of_a_row_and_no_more(places: Places) -> None:
    for name in ("a", "b"):
        places.add(name, name)
    row = array("d", [9.0] * 5)
    places.read(memoryview(row), 2)
    assert list(row) == [9.0, 9.0, 0.0, 0.0, 9.0]


def test_a_flood_of_events_is_cut_and_counted_and_other_kinds_still_come() -> None:
    events = Events()
    for _ in range(MOST_OF_A_KIND + 50):
        events.add("gc", "a pause")
    events.add("checkpoint", "written", bytes=7)
    taken = events.take()
    assert len(taken) == MOST_OF_A_KIND + 1 and events.counts["gc"] == MOST_OF_A_KIND + 50
    assert taken[-1].detail == {"bytes": 7}
    assert events.take() == []
