"""The sessions probe on real sessions. Tier: make test."""

from __future__ import annotations

import time
from types import ModuleType

import pytest

from labkit.measure.clock.timers import Timers
from labkit.measure.patches.counting_probe import TableProbe
from labkit.measure.patches.timed_functions import SESSIONS

tf: ModuleType = pytest.importorskip("tensorflow")


def counted(probe: TableProbe) -> float:
    row = [0.0]
    probe.read(row, 0)
    return row[0]


def booked(timers: Timers) -> dict[str, float]:
    row = [0.0] * len(timers.columns)
    timers.read(row, 0)
    return {column.title: seconds for column, seconds in zip(timers.columns, row, strict=True)}


def test_each_session_is_counted_once_and_opening_and_closing_are_booked_apart() -> None:
    timers = Timers(time.perf_counter)
    probe = TableProbe(SESSIONS, timers)
    began = time.perf_counter()
    for _ in range(3):
        session = tf.compat.v1.Session(graph=tf.Graph())
        session.close()
        del session
    whole = time.perf_counter() - began
    probe.close()
    said = booked(timers)
    assert counted(probe) == 3
    assert said["opening a session"] > 0 < said["closing a session"]
    assert sum(said.values()) < whole and not timers.busy


def test_what_a_session_runs_is_not_booked_here() -> None:
    graph = tf.Graph()
    with graph.as_default():
        one = tf.constant(1.0)
    session = tf.compat.v1.Session(graph=graph)
    timers = Timers(time.perf_counter)
    probe = TableProbe(SESSIONS, timers)
    for _ in range(5):
        session.run(one)
    probe.close()
    assert counted(probe) == 0 and sum(booked(timers).values()) == 0
