"""Processor time and switches of each step: none is lost, and reading them costs little."""

from __future__ import annotations

import math
import sys

import pytest

from labkit.measure.processor import ProcessorProbe


def test_processor_time_rises_with_work_and_rests_without() -> None:
    probe = ProcessorProbe()
    row = [0.0, 0.0]
    probe.begin()
    sum(range(300_000))
    probe.read(row, 0)
    busy = row[0]
    probe.begin()
    probe.read(row, 0)
    assert busy > 10 * row[0] >= 0


def test_the_seconds_of_back_to_back_steps_add_up_to_all_that_were_used() -> None:
    now, used = [0.0], [0.0]
    probe = ProcessorProbe(lambda: now[0], lambda: used[0], lambda: 0.0)
    row = [0.0, 0.0]
    taken = []
    for _ in range(5):
        probe.begin()
        now[0], used[0] = now[0] + 1e-3, used[0] + 2e-3
        probe.read(row, 0)
        taken.append(row[0])
    assert sum(taken) == pytest.approx(used[0])


def test_what_the_process_does_between_two_distant_steps_is_none_of_theirs() -> None:
    now, used = [0.0], [0.0]
    probe = ProcessorProbe(lambda: now[0], lambda: used[0], lambda: 0.0)
    row = [0.0, 0.0]
    for _ in range(3):
        probe.begin()
        now[0], used[0] = now[0] + 1e-3, used[0] + 2e-3
        probe.read(row, 0)
        assert row[0] == pytest.approx(2e-3)
        now[0], used[0] = now[0] + 1.0, used[0] + 1.0


def test_switches_are_read_in_a_small_share_of_the_time_and_none_is_lost() -> None:
    now, switched = [0.0], [0.0]
    readings = []

    def switches() -> float:
        readings.append(now[0])
        now[0] += 2e-5
        return switched[0]

    probe = ProcessorProbe(lambda: now[0], lambda: 0.0, switches)
    row, counted = [0.0, 0.0], 0.0
    for _ in range(1_000):
        probe.begin()
        now[0], switched[0] = now[0] + 1e-3, switched[0] + 1
        probe.read(row, 0)
        counted += 0.0 if math.isnan(row[1]) else row[1]
    assert 2e-5 * len(readings) < 2e-3 * now[0]
    assert 900 < counted <= 1_000


def test_where_nobody_counts_switches_they_are_not_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    probe = ProcessorProbe()
    row = [0.0, 0.0]
    probe.begin()
    probe.read(row, 0)
    assert math.isnan(row[1]) and row[0] >= 0
