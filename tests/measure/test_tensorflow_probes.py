"""The graph probe against TensorFlow's own counters; every private name it hangs on is there."""

from __future__ import annotations

import time
from types import ModuleType

import pytest

from labkit.measure.clock.timers import Timers
from labkit.measure.memory.resident import MemoryProbe
from labkit.measure.patches.graph import GraphProbe

tf: ModuleType = pytest.importorskip("tensorflow")


def counted(probe: GraphProbe) -> float:
    row = [0.0]
    probe.read(row, 0)
    return row[0]


def test_the_op_count_is_tensorflows_own_for_every_graph() -> None:
    probe = GraphProbe(tf, Timers(time.perf_counter))
    one, other = tf.Graph(), tf.Graph()
    with one.as_default():
        tf.add(1.0, 2.0)
    with other.as_default():
        tf.constant(3.0)
    assert counted(probe) == len(one.get_operations()) + len(other.get_operations())
    probe.close()


def test_a_traced_function_adds_no_graph_ops() -> None:
    probe = GraphProbe(tf, Timers(time.perf_counter))
    tf.function(lambda x: x * 2.0)(tf.constant(1.0))
    assert counted(probe) == 0
    probe.close()


def test_building_extending_and_running_are_booked_apart_and_within_the_step() -> None:
    timers = Timers(time.perf_counter)
    probe = GraphProbe(tf, timers)
    graph = tf.Graph()
    began = time.perf_counter()
    with graph.as_default():
        product = tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))
    tf.compat.v1.Session(graph=graph).run(product)
    whole = time.perf_counter() - began
    row = [0.0] * len(timers.columns)
    timers.read(row, 0)
    probe.close()
    assert [column.title for column in timers.columns] == [
        "graph building", "session extension", "session run",
    ]  # fmt: skip
    assert all(seconds > 0 for seconds in row) and sum(row) < whole


def test_a_run_within_another_place_is_booked_there_and_an_extension_is_not() -> None:
    timers = Timers(time.perf_counter)
    probe = GraphProbe(tf, timers)
    other = timers.add("other", "another place")
    graph = tf.Graph()
    with graph.as_default():
        product = tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))
    session = tf.compat.v1.Session(graph=graph)
    timers.begin()
    assert timers.enter(other)
    session.run(product)
    timers.leave()
    row = [0.0] * len(timers.columns)
    timers.read(row, 0)
    probe.close()
    said = {column.title: seconds for column, seconds in zip(timers.columns, row, strict=True)}
    assert said["session run"] == 0 < said["another place"]
    assert said["session extension"] > 0


def test_resident_memory_agrees_with_psutil() -> None:
    import psutil

    probe = MemoryProbe()
    ours = probe.resident_bytes()
    probe.close()
    assert ours == pytest.approx(psutil.Process().memory_info().rss, rel=0.05)
