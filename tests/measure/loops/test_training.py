"""A function that trains is known by its graph, however deep in it that stands. Tier: make test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import tensorflow as tf

from labkit.measure.clock.events import Events
from labkit.measure.clock.timers import Timers
from labkit.measure.loops.training import TrainingProbe
from tests.measure.watching import context_of

BATCHES = tf.data.Dataset.range(3)


@pytest.fixture(scope="module")
def parts() -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Return what trains, and what only looks at how good it is."""
    weights, seen = tf.Variable([[1.0]] * 4), tf.Variable(0.0)
    data = tf.ones([2, 4])

    def train() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(data @ weights - 1.0))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    def validate() -> Any:
        seen.assign_add(1.0)
        return tf.reduce_mean(data @ weights)

    return train, validate


def over_batches(body: Callable[[], Any]) -> None:
    for _ in BATCHES:
        body()


def until_good(body: Callable[[], Any]) -> None:
    for _ in BATCHES:
        if body() < 0.0:
            break


def over_range(body: Callable[[], Any]) -> None:
    for _ in tf.range(3):
        body()


FORMS: dict[str, Callable[[Callable[[], Any]], Any]] = {
    "plain": lambda body: body(),
    "a loop over a dataset": over_batches,
    "a loop with a break": until_good,
    "a reduction": lambda body: BATCHES.reduce(0.0, lambda total, _: total + body()),
    "a loop over a range": over_range,
    "one of two": lambda body: tf.cond(tf.constant(1) > 0, body, lambda: 0.0),
    "one of many": lambda body: tf.switch_case(tf.constant(0), [body, body]),
    "a function within": lambda body: tf.function(body)(),
}


@pytest.mark.parametrize("form", FORMS)
def test_who_trains_within_a_compiled_function_is_told_from_who_validates(
    parts: tuple[Callable[[], Any], Callable[[], Any]], form: str
) -> None:
    """Seen: an epoch written as a loop over a dataset passed for a validation, and so a gate."""
    timers = Timers(lambda: 0.0)
    counted = []
    for body in parts:
        compiled = tf.function(lambda body=body: FORMS[form](body))
        compiled()
        probe = TrainingProbe(context_of(timers, Events(), tf), lambda: False)
        try:
            compiled()
            counted.append(probe.values[probe.first])
        finally:
            probe.close()
    assert counted == [1, 0]
