"""Steps of a watched loop that are read as one: what is read when, and what breaks a block off."""

from __future__ import annotations

import math

import pytest

from labkit.measure.open_recorder import OpenRecorder
from labkit.measure.pace import Pace
from labkit.measure.probe import Row
from labkit.record import Column
from tests.measure.owned_clock import OwnedClock


class Counting:
    """Counts from the beginning of a reading; says what it was asked."""

    columns = (Column("calls", "calls", "calls", "counter"),)

    def __init__(self) -> None:
        self.calls = 0

    def begin(self) -> None:
        self.calls = 0

    def read(self, row: Row, place: int) -> None:
        row[place] = float(self.calls)

    def close(self) -> None:
        pass


class Threes(Pace):
    """Three steps at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.block, self.losses = 3, list[int]()
        self.told: list[tuple[float, float]] = []
        self.unusual_seconds, self.between_seconds = 0.0015, 1e-4

    def after(self, seconds: float, cost_seconds: float) -> None:
        self.told.append((seconds, cost_seconds))

    def lost(self, steps: int) -> None:
        self.losses.append(steps)


class Loop:
    """A loop of steps that each call once."""

    def __init__(self) -> None:
        self.clock, self.probe, self.pace = OwnedClock(), Counting(), Threes()
        self.close_look = False
        self.recorder = OpenRecorder(self.clock, [self.probe], self.pace, lambda: self.close_look)
        self.step()  # the first reading learns what is unusual

    def step(self, milliseconds: float = 1.0) -> None:
        self.recorder.begin()
        self.probe.calls += 1
        self.clock.pass_ms(milliseconds)
        self.recorder.end()

    def read(self) -> list[float | None]:
        found = self.recorder.rows[2::3]
        return [None if math.isnan(value) else value for value in found]


def loop_after_a_reading() -> Loop:
    """Return a loop of which three steps were read."""
    loop = Loop()
    for _ in range(2):
        loop.step()
    assert loop.read() == [None, None, 3]
    return loop


def test_the_last_step_of_a_block_has_what_all_of_it_counted() -> None:
    loop = loop_after_a_reading()
    for _ in range(4):
        loop.step()
    assert loop.read() == [None, None, 3, None, None, 3, None]
    assert list(loop.recorder.breaks) == []


def test_every_step_is_timed_by_itself() -> None:
    loop = loop_after_a_reading()
    for milliseconds in (1.0, 1.25, 0.5):
        loop.step(milliseconds)
    assert [round(1e3 * seconds, 6) for seconds in loop.recorder.rows[1::3]][3:] == [1, 1.25, 0.5]


def test_a_step_that_stands_out_ends_its_block() -> None:
    loop = loop_after_a_reading()
    loop.step()
    loop.step(5.0)
    assert loop.read()[3:] == [None, 2]
    assert loop.pace.told[-1] == pytest.approx((1e-3, 0.0)), "what is usual is not what stands out"


def test_what_a_close_look_costs_is_not_what_reading_costs() -> None:
    loop = loop_after_a_reading()
    told, loop.close_look = len(loop.pace.told), True
    loop.step()
    assert len(loop.pace.told) == told


def test_a_step_that_is_looked_at_closely_is_read_by_itself() -> None:
    loop = loop_after_a_reading()
    loop.close_look = True
    loop.step()
    loop.step()
    assert loop.read()[3:] == [1, 1]


def test_what_happens_between_two_steps_breaks_the_block_off_and_is_booked_on_none() -> None:
    loop = loop_after_a_reading()
    loop.step()
    loop.clock.pass_ms(50)
    loop.probe.calls += 1000
    for _ in range(3):
        loop.step()
    assert loop.read()[3:] == [None, None, None, 3]
    assert list(loop.recorder.breaks) == [4] and loop.pace.losses == [1]


def test_a_step_that_is_forgotten_breaks_the_block_off() -> None:
    loop = loop_after_a_reading()
    loop.step()
    loop.recorder.begin()
    loop.probe.calls += 1000
    loop.clock.pass_ms(50)
    loop.recorder.forget()
    for _ in range(3):
        loop.step()
    assert loop.read()[3:] == [None, None, None, 3]
    assert list(loop.recorder.breaks) == [4]


def test_where_nothing_came_since_the_last_step_is_read_when_the_loop_is_over() -> None:
    loop = loop_after_a_reading()
    for _ in range(2):
        loop.step()
    loop.recorder.begin()
    loop.recorder.forget()
    assert loop.read()[3:] == [None, 2] and not loop.recorder.breaks


def test_without_a_pace_every_step_is_read() -> None:
    clock, probe = OwnedClock(), Counting()
    recorder = OpenRecorder(clock, [probe])
    for _ in range(40):
        recorder.begin()
        probe.calls += 1
        clock.pass_ms(0.001)
        recorder.end()
    assert list(recorder.rows[2::3]) == [1.0] * 40 and not recorder.breaks


def test_the_number_of_the_step_is_right_before_within_and_after_it() -> None:
    clock, seen = OwnedClock(), []

    class Asking(Counting):
        def begin(self) -> None:
            seen.append(recorder.step())

        def read(self, row: Row, place: int) -> None:
            super().read(row, place)
            seen.append(recorder.step())

    recorder = OpenRecorder(clock, [Asking()])
    for _ in range(2):
        assert not recorder.begun()
        recorder.begin()
        seen.append(recorder.step())
        assert recorder.begun()
        recorder.end()
    assert seen == [0, 0, 0, 1, 1, 1] and recorder.step() == 2
