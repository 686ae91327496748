"""The recorder times the body and nothing else; probes fill their own columns."""

from __future__ import annotations

import math

import pytest

from labkit.measure.clock.open_recorder import OpenRecorder
from labkit.measure.clock.probe import Row
from labkit.measure.clock.recorder import Recorder, recorded_columns
from labkit.record import Column
from tests.measure.owned_clock import OwnedClock


class Rows:
    """A store that keeps rows in a list."""

    def __init__(self, columns: int, capacity: int = 10) -> None:
        self._columns = columns
        self.rows = [0.0] * (columns * capacity)
        self.committed = [0]

    def recorded(self) -> list[list[float]]:
        width = self._columns
        return [self.rows[row * width : (row + 1) * width] for row in range(self.committed[0])]


class DearProbe:
    """A probe that takes a whole second to read."""

    columns = (Column("expensive", "an expensive counter", "things", "counter"),)

    def __init__(self, clock: OwnedClock) -> None:
        self._clock = clock

    def begin(self) -> None:
        self._clock.pass_ms(1000)

    def read(self, row: Row, place: int) -> None:
        self._clock.pass_ms(1000)
        row[place] = 42.0


class SeldomProbe:
    """Asked every ten milliseconds; says how often it was."""

    due = 0.0

    def __init__(self, clock: OwnedClock, *, lasting: bool) -> None:
        self.columns = (Column("asked", "how often it was asked", "times", "counter"),)
        self.lasting = lasting
        self._clock = clock
        self._asked = 0

    def read(self, row: Row, place: int) -> None:
        if self._clock() >= self.due:
            self.due = self._clock() + 0.01
            self._asked += 1
        row[place] = float(self._asked)


@pytest.mark.parametrize(
    ("lasting", "wanted"),
    [(True, [1, 1, 1, 2, 2]), (False, [1, math.nan, math.nan, 2, math.nan])],
)
def test_a_seldom_probe_is_asked_when_it_is_due_and_only_what_lasts_stands_in_between(
    lasting: bool, wanted: list[float]
) -> None:
    clock = OwnedClock()
    probe = SeldomProbe(clock, lasting=lasting)
    store, watched = Rows(3), OpenRecorder(clock, [probe])
    recorder = Recorder(clock, store, [SeldomProbe(clock, lasting=lasting)])
    for _ in range(5):
        recorder.step(lambda: clock.pass_ms(4))
    for _ in range(5):
        watched.begin()
        clock.pass_ms(4)
        watched.end()
    assert [row[2] for row in store.recorded()] == pytest.approx(wanted, nan_ok=True)
    assert list(watched.rows[2::3]) == pytest.approx(wanted, nan_ok=True)


class Used:
    """Counts from one step's end to the next one's."""

    columns = (Column("used", "what was used", "s", "machine"),)

    def __init__(self, clock: OwnedClock) -> None:
        self._clock = clock
        self._since = 0.0

    def resume(self) -> None:
        self._since = self._clock()

    def read(self, row: Row, place: int) -> None:
        row[place], self._since = self._clock() - self._since, self._clock()


def test_an_end_too_many_does_not_book_what_lay_before_on_the_next_step() -> None:
    clock = OwnedClock()
    recorder = OpenRecorder(clock, [Used(clock)])
    for pause_ms in (0.0, 500.0):
        clock.pass_ms(pause_ms)
        recorder.end()
        recorder.begin()
        clock.pass_ms(4)
        recorder.end()
    assert list(recorder.rows[2::3]) == pytest.approx([0.004, 0.004])


def test_an_end_without_a_beginning_and_a_step_that_is_forgotten_leave_no_row() -> None:
    clock = OwnedClock()
    recorder = OpenRecorder(clock, [])
    recorder.end()
    recorder.begin()
    recorder.forget()
    recorder.end()
    assert len(recorder.rows) == 0


def test_a_step_takes_exactly_what_the_body_takes() -> None:
    clock = OwnedClock()
    store = Rows(2)
    recorder = Recorder(clock, store)
    for milliseconds in (5.0, 7.5):
        recorder.step(lambda ms=milliseconds: clock.pass_ms(ms))  # type: ignore[misc]
    assert store.recorded() == [pytest.approx([0.0, 0.005]), pytest.approx([0.005, 0.0075])]


def test_the_cost_of_a_expensive_probe_is_left_out_of_the_step() -> None:
    clock = OwnedClock()
    probe = DearProbe(clock)
    store = Rows(len(recorded_columns([probe])))
    Recorder(clock, store, [probe]).step(lambda: clock.pass_ms(5))
    assert store.recorded() == [pytest.approx([1.0, 0.005, 42.0])]


def test_waiting_for_a_device_belongs_to_the_step() -> None:
    clock = OwnedClock()
    store = Rows(2)
    recorder = Recorder(clock, store, synchronise=lambda: clock.pass_ms(20))
    recorder.step(lambda: clock.pass_ms(1))
    assert store.recorded()[0][1] == pytest.approx(0.021)


def test_a_step_that_raises_is_not_recorded_and_the_error_passes() -> None:
    store = Rows(2)
    recorder = Recorder(OwnedClock(), store)
    with pytest.raises(ZeroDivisionError):
        recorder.step(lambda: 1 / 0)
    assert store.recorded() == []


def test_without_probes_only_the_clock_is_recorded() -> None:
    assert [column.name for column in recorded_columns([])] == ["start_seconds", "seconds"]
