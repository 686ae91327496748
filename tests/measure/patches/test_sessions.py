"""The sessions probe on real sessions. Tier: make test."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")
PROBES = ("sessions",)


def test_each_session_is_counted_once_and_opening_and_closing_are_booked_apart(
    watching: Watching,
) -> None:
    def step() -> None:
        for _ in range(3):
            session = tf.compat.v1.Session(graph=tf.Graph())
            session.close()
            del session

    whole = watching.step(step)
    seconds = watching.seconds()
    assert watching.counter("sessions") == 3
    assert set(seconds) == {"opening a session", "closing a session"}
    assert sum(seconds.values()) < whole and not watching.timers.busy


def test_what_a_session_runs_is_not_booked_here(watching: Watching) -> None:
    graph = tf.Graph()
    with graph.as_default():
        one = tf.constant(1.0)
    session = tf.compat.v1.Session(graph=graph)
    before = watching.counter("sessions")
    watching.step(lambda: session.run(one))
    assert watching.counter("sessions") == before and watching.seconds() == {}
