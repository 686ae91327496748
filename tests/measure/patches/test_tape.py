"""The tape probe against what TensorFlow says it went back through. Tier: make test."""

from __future__ import annotations

import math
import threading
from types import ModuleType
from typing import Any

import pytest

from labkit.measure.patches import tape
from labkit.measure.patches.group import Group, PrivateName
from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")
PROBES = ("tape",)
OPS = "gradient_ops"


@pytest.fixture
def weights() -> Any:
    return tf.Variable(tf.ones([4, 4]))


@pytest.mark.parametrize("length", [1, 2, 5])
def test_the_gradient_of_a_chain_goes_back_through_each_op_once(
    watching: Watching, length: int
) -> None:
    x = tf.constant(0.5)
    with tf.GradientTape() as recorded:
        recorded.watch(x)
        y = x
        for _ in range(length):
            y = tf.sin(y)
    watching.step(lambda: recorded.gradient(y, x))
    assert watching.counter(OPS) == length


def test_ops_that_do_not_lead_to_the_loss_are_not_met(watching: Watching, weights: Any) -> None:
    with tf.GradientTape(persistent=True) as recorded:
        for _ in range(20):
            tf.matmul(weights, weights)
        loss = tf.reduce_sum(weights)
    for _ in range(2):
        watching.step(lambda: recorded.gradient(loss, weights))
        assert watching.counter(OPS) == 2  # the sum, and the reading of the variable


def test_the_gradient_of_a_graph_goes_back_through_what_leads_to_it(watching: Watching) -> None:
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [])
        y = tf.cos(tf.sin(x))
        tf.exp(x)
        watching.step(lambda: tf.compat.v1.gradients(y, [x]))
    assert watching.counter(OPS) == 2
    assert watching.seconds()["gradients"] > 0


def test_gradients_are_booked_within_the_step_and_recording_and_building_are_not(
    watching: Watching, weights: Any
) -> None:
    def record() -> None:
        with recorded:
            losses.append(tf.reduce_sum(tf.matmul(weights, weights)))
            with recorded.stop_recording():
                tf.sin(weights)
        with tf.Graph().as_default():
            tf.sin(tf.constant(1.0))

    recorded, losses = tf.GradientTape(), list[Any]()
    watching.step(record)
    assert watching.counter(OPS) == 0 and watching.seconds() == {}
    whole = watching.step(lambda: recorded.gradient(losses[0], weights))
    assert 0 < watching.seconds()["gradients"] < whole


def test_a_tape_that_is_open_as_a_step_ends_is_counted(watching: Watching, weights: Any) -> None:
    left = tf.GradientTape(persistent=True)

    def well_closed() -> None:
        with tf.GradientTape() as inner:
            loss = tf.reduce_sum(weights)
            with inner.stop_recording():
                tf.sin(weights)
        inner.gradient(loss, weights)

    watching.step(well_closed)
    assert watching.counter("open_tapes") == 0
    watching.step(left.__enter__)
    assert watching.counter("open_tapes") == 1
    watching.step(well_closed)
    watching.step(left.reset)
    assert watching.counter("open_tapes") == 1
    watching.step(lambda: left.__exit__(None, None, None))
    assert watching.counter("open_tapes") == 0


def test_a_tape_that_was_open_before_is_none_of_the_loop_s() -> None:
    """It was opened before anybody looked, and may be closed at any step."""
    with tf.GradientTape() as before, Watching(*PROBES) as watching:
        watching.step(lambda: before.__exit__(None, None, None))
        assert watching.counter("open_tapes") == 0
        before.__enter__()


def test_a_gradient_that_fails_closes_its_place(watching: Watching, weights: Any) -> None:
    with tf.GradientTape() as recorded:
        loss = tf.reduce_sum(weights)
    recorded.gradient(loss, weights)
    with pytest.raises(RuntimeError, match="non-persistent"):
        recorded.gradient(loss, weights)
    assert not watching.timers.busy


def test_a_gradient_on_another_thread_is_not_the_steps(watching: Watching, weights: Any) -> None:
    def work() -> None:
        with tf.GradientTape() as recorded:
            loss = tf.reduce_sum(weights)
        recorded.gradient(loss, weights)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert watching.counter(OPS) == 0 and watching.seconds() == {}


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        ("REGISTRY", PrivateName("no.such.module", "", "registry")),
        ("LOOKUP", Group(None, {"no.such.module": ("registry",)})),
    ],
)
def test_without_the_registry_the_ops_are_unknown_and_not_zero(
    monkeypatch: pytest.MonkeyPatch, name: str, gone: object
) -> None:
    monkeypatch.setattr(tape, name, gone)
    with Watching("tape") as watching:
        assert math.isnan(watching.counter(OPS))
        assert watching.missing == ["no.such.module.registry"]
