"""The graph probe against TensorFlow's own counters. Tier: make test."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")
PROBES = ("graph",)


def built() -> Any:
    """Return the product of two matrices in a graph of its own."""
    with tf.Graph().as_default():
        return tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))


def test_the_op_count_is_tensorflows_own_for_every_graph(watching: Watching) -> None:
    one, other = tf.Graph(), tf.Graph()
    with one.as_default():
        tf.add(1.0, 2.0)
    with other.as_default():
        tf.constant(3.0)
    ops = len(one.get_operations()) + len(other.get_operations())
    assert watching.counter("graph_ops") == ops


def test_a_traced_function_adds_no_graph_ops(watching: Watching) -> None:
    tf.function(lambda x: x * 2.0)(tf.constant(1.0))
    assert watching.counter("graph_ops") == 0


def test_building_extending_and_running_are_booked_apart_and_within_the_step(
    watching: Watching,
) -> None:
    def step() -> None:
        product = built()
        tf.compat.v1.Session(graph=product.graph).run(product)

    whole = watching.step(step)
    seconds = watching.seconds()
    assert set(seconds) == {"graph building", "session extension", "session run"}
    assert sum(seconds.values()) < whole


def test_a_run_within_another_place_is_booked_there_and_an_extension_is_not(
    watching: Watching,
) -> None:
    other = watching.timers.add("other", "another place")
    product = built()
    session = tf.compat.v1.Session(graph=product.graph)

    def step() -> None:
        assert watching.timers.enter(other)
        session.run(product)
        watching.timers.leave()

    watching.step(step)
    assert set(watching.seconds()) == {"another place", "session extension"}
