"""The sessions probe on real sessions. Tier: make test."""

from __future__ import annotations

import time
from types import ModuleType

import pytest

from labkit.measure import sessions
from labkit.measure.choke import PrivateName
from labkit.measure.places import Places
from labkit.measure.sessions import CHOKE_POINTS, SESSION, SessionsProbe

tf: ModuleType = pytest.importorskip("tensorflow")


def counted(probe: SessionsProbe) -> float:
    row = [0.0]
    probe.read(row, 0)
    return row[0]


def booked(places: Places) -> dict[str, float]:
    row = [0.0] * len(places.columns)
    places.read(row, 0)
    return {column.title: seconds for column, seconds in zip(places.columns, row, strict=True)}


def test_no_private_name_is_missing_in_this_tensorflow() -> None:
    probe = SessionsProbe(Places(time.perf_counter))
    probe.close()
    assert probe.missing == []


def test_a_missing_private_name_is_reported_and_sessions_are_still_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone = PrivateName(SESSION, "BaseSession", "_not_there", "lost", "a lost place")
    monkeypatch.setattr(sessions, "CHOKE_POINTS", (CHOKE_POINTS[0], gone))
    places = Places(time.perf_counter)
    probe = SessionsProbe(places)
    tf.compat.v1.Session(graph=tf.Graph()).close()
    probe.close()
    assert probe.missing == [f"{SESSION}.BaseSession._not_there"]
    assert counted(probe) == 1 and "a lost place" not in booked(places)


def test_each_session_is_counted_once_and_opening_and_closing_are_booked_apart() -> None:
    places = Places(time.perf_counter)
    probe = SessionsProbe(places)
    began = time.perf_counter()
    for _ in range(3):
        session = tf.compat.v1.Session(graph=tf.Graph())
        session.close()
        del session
    whole = time.perf_counter() - began
    probe.close()
    said = booked(places)
    assert counted(probe) == 3
    assert said["opening a session"] > 0 < said["closing a session"]
    assert sum(said.values()) < whole and not places.busy


def test_what_a_session_runs_is_not_booked_here() -> None:
    graph = tf.Graph()
    with graph.as_default():
        one = tf.constant(1.0)
    session = tf.compat.v1.Session(graph=graph)
    places = Places(time.perf_counter)
    probe = SessionsProbe(places)
    for _ in range(5):
        session.run(one)
    probe.close()
    assert counted(probe) == 0 and sum(booked(places).values()) == 0


def test_closing_the_probe_gives_tensorflow_its_own_functions_back() -> None:
    base = CHOKE_POINTS[0].find()
    before = [vars(base)[name.attribute] for name in CHOKE_POINTS]
    probe = SessionsProbe(Places(time.perf_counter))
    assert all(vars(base)[n.attribute] is not b for n, b in zip(CHOKE_POINTS, before, strict=True))
    probe.close()
    assert [vars(base)[name.attribute] for name in CHOKE_POINTS] == before
