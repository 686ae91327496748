"""The tape probe against what TensorFlow says it went back through. Tier: make test."""

from __future__ import annotations

import threading
import time
from types import ModuleType
from typing import Any

import pytest

from labkit.measure import tape
from labkit.measure.choke import PrivateName
from labkit.measure.places import Places
from labkit.measure.tape import TapeProbe

tf: ModuleType = pytest.importorskip("tensorflow")


class Watched:
    """A probe with a stopwatch, closed at the end of the ``with`` block."""

    def __init__(self) -> None:
        self.places = Places(time.perf_counter)
        self.probe = TapeProbe(self.places)

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *_error: object) -> None:
        self.probe.close()

    def begin(self) -> None:
        self.probe.begin()
        self.places.begin()

    @property
    def ops(self) -> float:
        row = [0.0]
        self.probe.read(row, 0)
        return row[0]

    @property
    def seconds(self) -> float:
        row = [0.0] * len(self.places.columns)
        self.places.read(row, 0)
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
        assert not watched.places.busy


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


def test_no_private_name_is_missing_in_this_tensorflow() -> None:
    with Watched() as watched:
        assert watched.probe.missing == []


def test_a_missing_private_name_is_reported_and_nothing_else_breaks(
    monkeypatch: pytest.MonkeyPatch, weights: Any
) -> None:
    gone = PrivateName("no.such.module", "", "gradients", "gradients", "gradients")
    monkeypatch.setattr(tape, "CHOKE_POINTS", (gone,))
    with Watched() as watched:
        with tf.GradientTape() as recorded:
            loss = tf.reduce_sum(weights)
        recorded.gradient(loss, weights)
        assert watched.probe.missing == ["no.such.module.gradients"]
        assert watched.places.columns == ()
        assert watched.ops == 2


@pytest.mark.parametrize("name", ["REGISTRY", "LOOKUP"])
def test_without_the_registry_the_ops_are_unknown_and_not_zero(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    gone = PrivateName("tensorflow.python.framework.ops", "", "no_such_registry")
    monkeypatch.setattr(tape, name, gone)
    with Watched() as watched:
        assert watched.ops != watched.ops
        assert watched.probe.missing == [str(gone)]


def test_closing_the_probe_gives_tensorflow_its_own_functions_back() -> None:
    names = (*tape.CHOKE_POINTS, tape.LOOKUP)
    own = [vars(name.find())[name.attribute] for name in names]
    watched = Watched()
    hooked = [vars(name.find())[name.attribute] for name in names]
    watched.probe.close()
    assert all(one is not other for one, other in zip(own, hooked, strict=True))
    assert [vars(name.find())[name.attribute] for name in names] == own
