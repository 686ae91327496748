"""A function that trains is known by its graph, however deep in it that stands. Tier: make test."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from threading import Thread
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


def in_scope(body: Callable[[], Any]) -> Any:
    with tf.name_scope("train"):
        return body()


FORMS: dict[str, Callable[[Callable[[], Any]], Any]] = {
    "plain": lambda body: body(),
    "a loop over a dataset": over_batches,
    "a loop with a break": until_good,
    "a reduction": lambda body: BATCHES.reduce(0.0, lambda total, _: total + body()),
    "a loop over a range": over_range,
    "one of two": lambda body: tf.cond(tf.constant(1) > 0, body, lambda: 0.0),
    "one of many": lambda body: tf.switch_case(tf.constant(0), [body, body]),
    "a function within": lambda body: tf.function(body)(),
    "a name scope": lambda body: in_scope(body),
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


def test_trainings_in_no_row_are_timed_in_each_thread(
    parts: tuple[Callable[[], Any], Callable[[], Any]],
) -> None:
    trains, validates = (tf.function(body) for body in parts)
    for compiled in (trains, validates):
        compiled()
    seconds, context = count(0.0), context_of(Timers(lambda: 0.0), Events(), tf)
    work = iter([0.0, 0.25, 9.0])
    probe = TrainingProbe(context, lambda: False, lambda: next(seconds), lambda: next(work))
    try:
        trains()
        assert (probe.unseen, probe.unseen_seconds) == (0, 0.0)
        thread = Thread(target=lambda: [each() for each in (trains, validates, trains)])
        thread.start()
        thread.join()
        assert (probe.unseen, probe.unseen_seconds) == (2, 2.0)
        trains()  # so that what is worked from here on is not the thread's alone
        thread = Thread(target=trains)
        thread.start()
        thread.join()
        assert (probe.unseen, probe.unseen_seconds) == (3, 3.0)
    finally:
        probe.close()


def test_replicas_of_a_strategy_train_for_the_loop_that_waits_for_them() -> None:
    """Found: each step of an eager `strategy.run` was said to train outside all loops."""
    strategy = tf.distribute.MirroredStrategy(["cpu:0"])
    with strategy.scope():
        weights = tf.Variable(2.0)

    def replica() -> None:
        with tf.GradientTape() as tape:
            loss = weights * weights
        weights.assign_sub(0.1 * tape.gradient(loss, weights))

    probe = TrainingProbe(context_of(Timers(lambda: 0.0), Events(), tf), lambda: False)
    try:
        strategy.run(replica)
        assert (probe.values[probe.first], probe.unseen) == (1, 0)
    finally:
        probe.close()


def test_what_a_thread_works_before_it_asks_for_the_gradient_is_its_training() -> None:
    """Found: 45 ever longer eager steps in a thread took 17 s, of which the gradients 0.3."""
    weights, seconds, work = tf.Variable(1.0), count(0.0), count(0.0, 5.0)
    context = context_of(Timers(lambda: 0.0), Events(), tf)
    probe = TrainingProbe(context, lambda: False, lambda: next(seconds) * 4, lambda: next(work))

    def trains() -> None:
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = weights * weights
            tape.gradient(loss, weights)

    try:
        thread = Thread(target=trains)
        thread.start()
        thread.join()
        # The first took 4 s; from its end to that of the next went 8 s, of which 5 were worked.
        assert (probe.unseen, probe.unseen_seconds) == (3, 4.0 + 5.0 + 5.0)
    finally:
        probe.close()
