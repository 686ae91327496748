"""The tape probe against what TensorFlow says it went back through. Tier: make test."""

from __future__ import annotations

import threading
import time
from types import ModuleType
from typing import Any

import pytest

from labkit.measure.clock.timers import Timers
from labkit.measure.patches import tape
from labkit.measure.patches.group import Group, PrivateName
from labkit.measure.patches.tape import TapeProbe

tf: ModuleType = pytest.importorskip("tensorflow")


class Watched:
    """A probe with timers, closed at the end of the ``with`` block."""

    def __init__(self) -> None:
        self.timers = Timers(time.perf_counter)
        self.probe = TapeProbe(self.timers)

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *_error: object) -> None:
        self.probe.close()

    def begin(self) -> None:
        self.probe.begin()
        self.timers.begin()

    @property
    def ops(self) -> float:
        row = [0.0]
        self.probe.read(row, 0)
        return row[0]

    @property
    def seconds(self) -> float:
        row = [0.0] * len(self.timers.columns)
        self.timers.read(row, 0)
        return sum(row)


@pytest.fixture
def weights() -> Any:
    return tf.Variable(tf.ones([4, 4]))


@pytest.mark.parametrize("length", [1, 2, 5])
def test_the_gradient_of_a_chain_goes_back_through_each_op_once(length: int) -> None:
    x = tf.constant(0.5)
    with Watched() as watched:
        with tf.GradientTape() as recorded:
            recorded.watch(x)
            y = x
            for _ in range(length):
                y = tf.sin(y)
        watched.begin()
        gradient = recorded.gradient(y, x)
        assert watched.ops == length
    assert float(gradient) != 0


def test_ops_that_do_not_lead_to_the_loss_are_not_met(weights: Any) -> None:
    with Watched() as watched:
        with tf.GradientTape(persistent=True) as recorded:
            for _ in range(20):
                tf.matmul(weights, weights)
            loss = tf.reduce_sum(weights)
        watched.begin()
        recorded.gradient(loss, weights)
        first = watched.ops
        watched.begin()
        recorded.gradient(loss, weights)
        assert watched.ops == first == 2  # the sum, and the reading of the variable


def test_the_gradient_of_a_graph_goes_back_through_what_leads_to_it() -> None:
    with Watched() as watched, tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [])
        y = tf.cos(tf.sin(x))
        tf.exp(x)
        watched.begin()
        tf.compat.v1.gradients(y, [x])
        assert watched.ops == 2
        assert watched.seconds > 0


def test_gradients_are_booked_within_the_step(weights: Any) -> None:
    with Watched() as watched:
        began = time.perf_counter()
        with tf.GradientTape() as recorded:
            loss = tf.reduce_sum(tf.matmul(weights, weights))
        assert watched.seconds == 0
        recorded.gradient(loss, weights)
        assert 0 < watched.seconds < time.perf_counter() - began


def test_recording_and_building_leave_the_counter_alone(weights: Any) -> None:
    with Watched() as watched:
        watched.begin()
        with tf.GradientTape() as recorded:
            tf.reduce_sum(tf.matmul(weights, weights))
            with recorded.stop_recording():
                tf.sin(weights)
        with tf.Graph().as_default():
            tf.sin(tf.constant(1.0))
        assert (watched.ops, watched.seconds) == (0, 0)


def test_a_gradient_that_fails_closes_its_place(weights: Any) -> None:
    with Watched() as watched:
        with tf.GradientTape() as recorded:
            loss = tf.reduce_sum(weights)
        recorded.gradient(loss, weights)
        with pytest.raises(RuntimeError, match="non-persistent"):
            recorded.gradient(loss, weights)
        assert not watched.timers.busy


def test_a_gradient_on_another_thread_is_not_the_steps(weights: Any) -> None:
    def work() -> None:
        with tf.GradientTape() as recorded:
            loss = tf.reduce_sum(weights)
        recorded.gradient(loss, weights)

    with Watched() as watched:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert (watched.ops, watched.seconds) == (0, 0)


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
    with Watched() as watched:
        assert watched.ops != watched.ops
        assert watched.probe.missing == ["no.such.module.registry"]
