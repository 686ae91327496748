"""Processor time and switches of each step: none is lost, and reading them costs little."""

from __future__ import annotations

import math
import sys

import pytest

from labkit.measure.clock.open_recorder import OpenRecorder
from labkit.measure.machine.processor import ProcessorProbe, SwitchesProbe
from tests.measure.watching import numbers_of


class Machine:
    """A clock and a processor that go on only when they are told to."""

    def __init__(self) -> None:
        self.now = self.used = 0.0
        self.recorder = OpenRecorder(lambda: self.now, [ProcessorProbe(lambda: self.used)])

    def step(self, seconds: float, used: float) -> None:
        self.recorder.begin()
        self.now, self.used = self.now + seconds, self.used + used
        self.recorder.end()

    def cpu_seconds(self) -> list[float]:
        return list(self.recorder.rows[2::3])


def test_processor_time_rises_with_work_and_rests_without() -> None:
    probe = ProcessorProbe()
    probe.resume()
    sum(range(300_000))
    (busy,) = numbers_of(probe)
    probe.resume()
    (idle,) = numbers_of(probe)
    assert busy > 10 * idle >= 0


def test_the_seconds_of_back_to_back_steps_add_up_to_all_that_were_used() -> None:
    machine = Machine()
    for _ in range(5):
        machine.step(1e-3, 2e-3)
        machine.now, machine.used = machine.now + 1e-5, machine.used + 1e-5
    assert sum(machine.cpu_seconds()) == pytest.approx(machine.used - 1e-5)


def test_what_the_process_does_between_two_distant_steps_is_none_of_theirs() -> None:
    machine = Machine()
    for _ in range(3):
        machine.now, machine.used = machine.now + 1.0, machine.used + 1.0
        machine.step(1e-3, 2e-3)
    assert machine.cpu_seconds() == pytest.approx([2e-3] * 3)


def test_switches_are_read_in_a_small_share_of_the_time_and_none_is_lost() -> None:
    now, switched = [0.0], [0.0]
    readings = []

    def switches() -> float:
        readings.append(now[0])
        now[0] += 2e-5
        return switched[0]

    probe = SwitchesProbe(lambda: now[0], switches)
    row, counted = [0.0], 0.0
    for _ in range(3_000):
        now[0], switched[0] = now[0] + 1e-3, switched[0] + 1
        probe.read(row, 0)
        counted += 0.0 if math.isnan(row[0]) else row[0]
    assert 2e-5 * len(readings) < 1e-3 * now[0]
    assert 2_800 < counted <= 3_000


def test_where_nobody_counts_switches_they_are_not_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    probe = SwitchesProbe()
    assert math.isnan(numbers_of(probe)[0]) and math.isinf(probe.due)
