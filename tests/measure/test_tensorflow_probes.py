"""The graph probe against TensorFlow's own counters; every private name it hangs on is there."""

from __future__ import annotations

import time
from types import ModuleType

import pytest

from labkit.measure.choke import PrivateName
from labkit.measure.graph import CHOKE_POINTS, GraphProbe
from labkit.measure.memory import MemoryProbe
from labkit.measure.places import Places

tf: ModuleType = pytest.importorskip("tensorflow")


def counted(probe: GraphProbe) -> float:
    row = [0.0]
    probe.read(row, 0)
    return row[0]


def test_no_private_name_is_missing_in_this_tensorflow() -> None:
    probe = GraphProbe(tf, Places(time.perf_counter))
    probe.close()
    assert probe.missing == []


def test_a_missing_private_name_is_reported_and_nothing_else_breaks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = "tensorflow.python.client.session"
    gone = PrivateName(session, "BaseSession", "_not_there", "lost", "a lost place")
    moved = PrivateName("no.such.module", "", "function", "lost", "a lost place")
    monkeypatch.setattr("labkit.measure.graph.CHOKE_POINTS", (*CHOKE_POINTS, gone, moved))
    places = Places(time.perf_counter)
    probe = GraphProbe(tf, places)
    probe.close()
    assert probe.missing == [f"{session}.BaseSession._not_there", "no.such.module.function"]
    assert "a lost place" not in [column.title for column in places.columns]


def test_the_op_count_is_tensorflows_own_for_every_graph() -> None:
    probe = GraphProbe(tf, Places(time.perf_counter))
    one, other = tf.Graph(), tf.Graph()
    with one.as_default():
        tf.add(1.0, 2.0)
    with other.as_default():
        tf.constant(3.0)
    assert counted(probe) == len(one.get_operations()) + len(other.get_operations())
    probe.close()


def test_a_traced_function_adds_no_graph_ops() -> None:
    probe = GraphProbe(tf, Places(time.perf_counter))
    tf.function(lambda x: x * 2.0)(tf.constant(1.0))
    assert counted(probe) == 0
    probe.close()


def test_building_extending_and_running_are_booked_apart_and_within_the_step() -> None:
    places = Places(time.perf_counter)
    probe = GraphProbe(tf, places)
    graph = tf.Graph()
    began = time.perf_counter()
    with graph.as_default():
        product = tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))
    tf.compat.v1.Session(graph=graph).run(product)
    whole = time.perf_counter() - began
    row = [0.0] * len(places.columns)
    places.read(row, 0)
    probe.close()
    assert [column.title for column in places.columns] == [
        "graph building", "session extension", "session run",
    ]  # fmt: skip
    assert all(seconds > 0 for seconds in row) and sum(row) < whole


def test_a_run_within_another_place_is_booked_there_and_an_extension_is_not() -> None:
    places = Places(time.perf_counter)
    probe = GraphProbe(tf, places)
    other = places.add("other", "another place")
    graph = tf.Graph()
    with graph.as_default():
        product = tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))
    session = tf.compat.v1.Session(graph=graph)
    places.begin()
    assert places.enter(other)
    session.run(product)
    places.leave()
    row = [0.0] * len(places.columns)
    places.read(row, 0)
    probe.close()
    said = {column.title: seconds for column, seconds in zip(places.columns, row, strict=True)}
    assert said["session run"] == 0 < said["another place"]
    assert said["session extension"] > 0


def test_closing_the_probe_gives_tensorflow_its_own_functions_back() -> None:
    before = tf.Graph._create_op_internal
    probe = GraphProbe(tf, Places(time.perf_counter))
    assert tf.Graph._create_op_internal is not before
    probe.close()
    assert tf.Graph._create_op_internal is before


def test_resident_memory_agrees_with_psutil() -> None:
    import psutil

    probe = MemoryProbe()
    ours = probe.resident_bytes()
    probe.close()
    assert ours == pytest.approx(psutil.Process().memory_info().rss, rel=0.05)
