"""A function that changes weights without a gradient, and what only looks like it. Tier: make test.

And a session's callable: it trains as the session does.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from labkit.measure.clock.events import Events
from labkit.measure.clock.timers import Timers
from labkit.measure.loops.changing import changes_what_it_reads
from labkit.measure.loops.training import TrainingProbe
from tests.measure.watching import context_of

Function = Callable[[], Any]


def weights_changed() -> dict[str, Function]:
    """Return functions that train without a tape and without an optimizer."""
    weights = tf.Variable([1.0, 2.0])

    def evolve() -> None:
        noise = tf.random.normal([2])
        weights.assign_add(0.01 * noise * tf.reduce_sum(tf.square(weights + noise)))

    def maximise() -> None:
        weights.assign(0.9 * weights + 0.1 * tf.reduce_mean(tf.random.normal([9])))

    def often() -> None:
        for _ in tf.range(3):
            maximise()

    def sometimes() -> None:
        if tf.random.uniform([]) > 0.5:
            maximise()

    compiled = tf.function(maximise)
    within: Function = lambda: compiled()  # noqa: E731
    return {"evolve": evolve, "maximise": maximise, "often": often, "sometimes": sometimes,
            "within": within}  # fmt: skip


def harmless() -> dict[str, Function]:
    """Return what changes variables and trains nothing."""
    weights, seen = tf.Variable([1.0, 2.0]), tf.Variable(0.0)
    steps, average = tf.Variable(0), tf.Variable([1.0, 2.0], trainable=False)
    mean, layer = tf.keras.metrics.Mean(), tf.keras.layers.BatchNormalization()
    layer.build((None, 2))

    def own_metric() -> Any:
        seen.assign_add(tf.reduce_mean(weights))
        return seen + 1.0

    def metric() -> Any:
        mean.update_state(weights)
        return mean.result()

    return {
        "own metric": own_metric,
        "metric": metric,
        "counter of steps": lambda: steps.assign(steps + 1),
        "initialiser": lambda: weights.assign(tf.zeros([2])),
        "average of what is trained": lambda: average.assign(0.9 * average + 0.1 * weights),
        "evaluation": lambda: layer(weights[None], training=False),
        "statistics": lambda: layer(weights[None], training=True),
        "no change": lambda: tf.reduce_sum(weights),
    }


@pytest.mark.parametrize(("made", "changes"), [(weights_changed, True), (harmless, False)])
def test_who_changes_weights_is_told_from_who_only_counts(
    made: Callable[[], dict[str, Function]], changes: bool
) -> None:
    for name, function in made().items():
        graph = tf.function(function).get_concrete_function().graph
        assert changes_what_it_reads(graph) is changes, name


def test_what_keras_evaluates_with_changes_no_weights() -> None:
    model = tf.keras.Sequential([tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse", metrics=["mae"])
    data = np.ones((8, 2), np.float32)
    model.evaluate(data, data[:, :1], verbose=0)
    probe = TrainingProbe(context(), lambda: True, between=lambda: True)
    try:
        model.evaluate(data, data[:, :1], verbose=0)
        assert (probe.unseen, probe.unseen_changes, probe.unseen_seconds) == (0, 0, 0.0)
    finally:
        probe.close()


def test_changes_count_in_no_row_alone_and_never_as_trainings() -> None:
    """In a row they may be a validation, which is no step."""
    changing = tf.function(weights_changed()["maximise"])
    changing()
    probe = TrainingProbe(context(), lambda: False, between=lambda: False)
    try:
        changing()
        assert (probe.unseen_changes, probe.values[probe.first]) == (0, 0)
        thread = Thread(target=changing)
        thread.start()
        thread.join()
        assert (probe.unseen_changes, probe.unseen, probe.values[probe.first]) == (1, 0, 0)
        assert probe.unseen_seconds > 0
    finally:
        probe.close()


def test_a_callable_of_a_session_trains_as_the_session_does() -> None:
    """Recorded: 1,500 trainings by it in `exec`, and the gate passed."""
    v1 = tf.compat.v1
    probe = TrainingProbe(context(), lambda: False)
    try:
        with tf.Graph().as_default():
            weight = v1.get_variable("weight", initializer=1.0)
            fed = v1.placeholder(tf.float32, [])
            train = v1.train.GradientDescentOptimizer(0.1).minimize(weight * weight)
            session = v1.Session()
            session.run(weight.initializer)
            trains = [session.make_callable(each) for each in (train, train.name, {"a": [train]})]
            trains.append(session.make_callable([train], feed_list=[fed]))
            looks = session.make_callable(weight * 2.0), session.make_callable(fed * weight, [fed])
        for each in trains[:3]:
            each()
        trains[3](1.0)
        assert probe.values[probe.first] == 4
        assert looks[0]() == looks[1](2.0) < 2.0 and probe.values[probe.first] == 4
    finally:
        probe.close()
    trains[0]()  # it still trains
    assert looks[0]() == pytest.approx(2.0 * 0.8**5)


def context() -> Any:
    return context_of(Timers(lambda: 0.0), Events(), tf)
