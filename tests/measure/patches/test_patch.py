"""A patched function is timed, counted, and gives back what it wrapped."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

from labkit.measure.clock.events import MOST_OF_A_KIND, Events
from labkit.measure.clock.timers import Timers
from labkit.measure.clock.timing import timed
from labkit.measure.patches.eager import op_timing
from labkit.measure.patches.group import Group
from labkit.measure.patches.patch import timed_patch
from labkit.measure.patches.patches import OwnFunctions, Patches
from labkit.record import Column
from tests.measure.owned_clock import OwnedClock
from tests.measure.watching import numbers_of


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
def timers() -> Iterator[Timers]:
    Machine.clock = OwnedClock()
    yield Timers(Machine.clock)


def booked(timers: Timers) -> list[float]:
    numbers = zip(numbers_of(timers), timers.columns, strict=True)
    return [each for each, column in numbers if column.kind == "place"]


class Ops:
    """Functions that run ops, timed and counted."""

    def __init__(self, timers: Timers, place: int, **others: int) -> None:
        self._values = timers.values
        self._at = timers.count([Column("ops", "ops", "ops", "counter")])
        self.wrapper, self.gather = op_timing(timers, place, at=self._at, others={**others})

    def counted(self) -> float:
        self.gather()
        return self._values[self._at]


def test_arguments_and_result_are_seen_and_passed_through(timers: Timers) -> None:
    seen: list[Any] = []
    point = timed_patch(
        Machine, "work", timers, timers.add("w", "work"),
        before=lambda args: seen.append(args[1]), after=lambda args, result: seen.append(result),
    )  # fmt: skip
    assert Machine().work(3.0) == 6.0
    point.close()
    assert seen == [3.0, 6.0] and booked(timers) == pytest.approx([3.0])


def test_a_staticmethod_stays_one_and_comes_back(timers: Timers) -> None:
    kept = vars(Machine)["fixed"]
    point = timed_patch(Machine, "fixed", timers, timers.add("f", "fixed"))
    assert Machine().fixed(2.0) == Machine.fixed(2.0) == 2.0
    point.close()
    assert vars(Machine)["fixed"] is kept and booked(timers) == pytest.approx([4.0])


def test_a_point_that_only_counts_books_nothing(timers: Timers) -> None:
    calls: list[Any] = []
    point = timed_patch(Machine, "work", timers, None, before=calls.append)
    Machine().work(1.0)
    point.close()
    assert len(calls) == 1 and booked(timers) == []


def test_a_point_that_books_alone_leaves_an_open_place_its_time(timers: Timers) -> None:
    outer = timers.add("outer", "outer")
    point = timed_patch(Machine, "work", timers, timers.add("inner", "inner"), alone=True)
    timers.enter(outer)
    Machine().work(2.0)
    timers.leave()
    Machine().work(3.0)
    point.close()
    assert booked(timers) == pytest.approx([2.0, 3.0])


def test_a_point_that_books_alone_books_within_a_place_that_only_surrounds(timers: Timers) -> None:
    around = timers.add("around", "around", around=True)
    point = timed_patch(Machine, "work", timers, timers.add("inner", "inner"), alone=True)
    timers.enter(around)
    Machine().work(2.0)
    timers.leave()
    point.close()
    assert booked(timers) == pytest.approx([0.0, 2.0])


def test_a_classmethod_stays_one_and_comes_back(timers: Timers) -> None:
    class Child(Machine):
        @classmethod
        def made(cls, seconds: float) -> tuple[type, float]:
            return cls, cls().work(seconds)

    kept = vars(Child)["made"]
    point = timed_patch(Child, "made", timers, timers.add("m", "made"))
    assert Child.made(2.0) == (Child, 4.0)
    point.close()
    assert vars(Child)["made"] is kept and booked(timers) == pytest.approx([2.0])


def test_closing_leaves_alone_what_somebody_has_put_over_it_since(
    timers: Timers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Machine, "work", Machine.work)
    point = timed_patch(Machine, "work", timers, timers.add("w", "work"))
    ours = Machine.work

    def theirs(self: Machine, seconds: float) -> float:
        return ours(self, seconds) + 1

    Machine.work = theirs  # type: ignore[method-assign]
    point.close()
    assert Machine.work is theirs and Machine().work(1.0) == 3.0


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_three_points_over_each_other_may_be_closed_in_any_order(
    timers: Timers, order: tuple[int, ...]
) -> None:
    """Two callbacks of one fit, and one that an interrupt left over."""
    kept = vars(Machine)["work"]
    points = [timed_patch(Machine, "work", timers, timers.add("w", "work")) for _ in order]
    for place in order:
        points[place].close()
    assert vars(Machine)["work"] is kept


def test_what_somebody_wrapped_around_a_closed_point_stays(
    timers: Timers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Machine, "work", Machine.work)
    below = timed_patch(Machine, "work", timers, timers.add("w", "work"))
    theirs = functools.wraps(Machine.work)(lambda self, seconds: seconds + 1)
    Machine.work = theirs  # type: ignore[method-assign]
    above = timed_patch(Machine, "work", timers, timers.add("w", "work"))
    below.close()
    above.close()
    assert Machine.work is theirs


def test_a_wrapper_looks_like_the_function_it_wraps_and_autograph_leaves_it_alone(
    timers: Timers,
) -> None:
    def work(seconds: float) -> float:
        """Do it."""
        return seconds

    made = timed(work, timers, timers.add("w", "work"))
    assert (made.__name__, made.__doc__, vars(made)["__wrapped__"]) == ("work", "Do it.", work)
    assert vars(made)["autograph_info__"] == {}


def test_ops_of_other_names_are_booked_on_their_own_place_wherever_they_run(
    timers: Timers,
) -> None:
    outer, ops, save = (timers.add(name, name) for name in ("outer", "ops", "save"))
    timing = Ops(timers, ops, Save=save)
    run = timing.wrapper(0, lambda name: Machine.clock.pass_ms(1_000.0))
    run("Add")
    run("Save")
    timers.enter(outer)
    run("Add")
    run("Save")
    timers.leave()
    assert [timing.counted() for _ in range(2)] == [4, 4]
    assert booked(timers) == pytest.approx([1.0, 1.0, 2.0])


def test_what_interrupts_an_op_is_none_of_the_ops_time(timers: Timers) -> None:
    pause = timers.add("pause", "pause")

    def run(name: str) -> None:
        Machine.clock.pass_ms(1_000.0)
        timers.enter(pause)
        Machine.clock.pass_ms(5_000.0)
        timers.leave()
        Machine.clock.pass_ms(2_000.0)

    timing = Ops(timers, timers.add("ops", "ops"))
    timing.wrapper(0, run)("Add")
    timing.gather()
    assert booked(timers) == pytest.approx([5.0, 3.0])


def test_an_op_of_another_thread_and_one_that_raises_are_not_counted(timers: Timers) -> None:
    timing = Ops(timers, timers.add("o", "ops"))
    run = timing.wrapper(0, lambda name: 1 // len(name))
    thread = threading.Thread(target=run, args=("Add",))
    thread.start()
    thread.join()
    with pytest.raises(ZeroDivisionError):
        run("")
    assert timing.counted() == 0 and not timers.busy


def test_the_same_place_asked_for_twice_is_one(timers: Timers) -> None:
    assert timers.add("one", "one") == timers.add("one", "one") == 0
    assert timers.add("other", "other") == 1


def test_a_name_that_is_not_there_is_reported_and_the_others_work(timers: Timers) -> None:
    patches = Patches(timers)
    where = f"{__name__}:Machine"
    assert not patches.patch(
        Group(("g", "gone"), {where: ("gone",), "no.such.module": ("function",)}),
        Group(("w", "work"), {where: ("work",)}),
    )
    assert patches.missing == [f"{__name__}.Machine.gone", "no.such.module.function"]
    assert [column.title for column in timers.columns] == ["work"]
    patches.close()


def test_an_own_function_is_booked_through_its_modules_names(timers: Timers) -> None:
    names: dict[str, Any] = {"spend": lambda: Machine.clock.pass_ms(5_000.0)}
    before = names["spend"]
    own = OwnFunctions(names, {"spend": "spending"}, timers)
    names["spend"]()
    own.close()
    assert booked(timers) == pytest.approx([5.0]) and names["spend"] is before


def test_an_own_function_that_is_not_there_is_refused(timers: Timers) -> None:
    with pytest.raises(AttributeError):
        OwnFunctions({}, {"spend": "spending"}, timers)


def test_a_flood_of_events_is_cut_and_counted_and_other_kinds_still_come() -> None:
    events = Events()
    for _ in range(MOST_OF_A_KIND + 50):
        events.add("gc", "a pause")
    events.add("checkpoint", "written", bytes=7)
    taken = events.take()
    assert len(taken) == MOST_OF_A_KIND + 1 and events.counts["gc"] == MOST_OF_A_KIND + 50
    assert taken[-1].detail == {"bytes": 7}
    assert events.take() == []


def test_what_goes_wrong_in_our_note_of_a_call_is_not_the_callers(
    timers: Timers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labkit.measure.clock.source_names.KIT", __file__)

    def fail(*_: object) -> None:
        raise TypeError("a note of ours")

    point = timed_patch(Machine, "work", timers, None, before=fail, after=fail)
    assert point is not None
    try:
        assert Machine().work(3) == Machine.work.__wrapped__(Machine(), 3)  # type: ignore[attr-defined]
    finally:
        point.close()
