"""The work of one step: exact, the same for the same step, more for longer sequences.

Tier: make test.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from labkit.measure.memory import workload
from labkit.measure.memory.workload import FEEDS, OPS, Workload
from labkit.measure.patches.group import PrivateName

tf: ModuleType = pytest.importorskip("tensorflow")


def elements(step: Callable[[], object], steps: int = 1) -> float:
    look = Workload()
    look.start()
    try:
        for _ in range(steps):
            step()
    finally:
        found = look.stop(steps)
    assert look.missing == []
    return found["argument_elements"]


def test_arguments_of_ops_are_counted_and_results_are_not() -> None:
    a, b = tf.ones([4, 8]), tf.ones([8, 2])
    assert elements(lambda: tf.matmul(a, b)) == 32 + 16
    assert elements(lambda: tf.concat([a, a, a], 0)) == 96


def test_arrays_handed_to_a_function_count_like_tensors() -> None:
    double = tf.function(lambda x: x * 2, reduce_retracing=True)
    rows = np.ones([5, 7], np.float32)
    double(rows), double(np.ones([6, 7], np.float32))
    assert elements(lambda: double(rows)) >= 35


def test_what_goes_to_traced_functions_is_counted_apart() -> None:
    total = tf.function(lambda x: tf.reduce_sum(x))
    rows = tf.ones([5, 7])
    total(rows)
    look = Workload()
    look.start()
    total(rows), tf.reduce_sum(tf.ones([9, 9]))
    found = look.stop()
    assert found["function_elements"] == 35
    assert found["argument_elements"] >= 35 + 81


def test_the_whole_numbers_that_functions_are_handed_are_summed() -> None:
    @tf.function
    def rounds(rows: object, times: object, first: object) -> object:
        return tf.reduce_sum(rows) * tf.cast(times + first, tf.float32)  # type: ignore[operator]

    handed = tf.ones([5, 7]), tf.constant(40), tf.constant(-2)
    rounds(*handed)
    look = Workload()
    look.start()
    rounds(*handed), rounds(*handed), tf.add(tf.constant(900), 1)
    assert look.stop(2)["whole_numbers"] == 42, "of ops none is"


def test_a_train_step_counts_the_same_every_time_and_by_the_step() -> None:
    weights = tf.Variable(tf.ones([8, 2]))
    batch = tf.ones([32, 8])

    @tf.function
    def train(rows: object) -> object:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(rows @ weights)  # type: ignore[operator]
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    train(batch)
    once = elements(lambda: train(batch))
    assert once >= 256 and elements(lambda: train(batch), 10) == once


def test_a_large_table_does_not_hide_what_grows_beside_it() -> None:
    table, look = tf.ones([1000, 1000]), Workload()

    def sizes(rows: int) -> float:
        look.start()
        tf.tanh(table[:rows])
        return look.stop()["argument_sizes"]

    once = sizes(10)
    assert sizes(10) == once and sizes(30) == once + 2


def test_other_ops_than_at_the_first_look_are_not_compared() -> None:
    look = Workload()
    for turn, ops in enumerate((1, 2, 1)):
        look.start()
        for _ in range(ops):
            tf.tanh(tf.ones([4]))
        assert ("argument_sizes" in look.stop()) == (turn != 1)


def test_what_is_fed_to_a_session_counts() -> None:
    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(tf.float32, [None, 3])
        y = x * 2
    with tf.compat.v1.Session(graph=graph) as session:
        assert elements(lambda: session.run(y, {x: np.ones([50, 3])})) == 150


def test_another_threads_work_is_not_the_steps() -> None:
    batch = tf.ones([100, 100])

    def step() -> None:
        other = threading.Thread(target=lambda: tf.tanh(batch))
        other.start()
        other.join()

    assert elements(step) == 0


def test_what_the_reader_hands_over_is_never_asked_for_its_size() -> None:
    class Batch(np.ndarray):
        @property
        def size(self) -> int:  # type: ignore[override]
            raise AssertionError("asked")

    rows = np.ones([2, 2], np.float32).view(Batch)
    assert elements(lambda: tf.constant(rows)) >= 0


def test_everything_is_put_back() -> None:
    before = [getattr(name.find(), name.attribute) for name in (*OPS, FEEDS)]
    look = Workload()
    look.start()
    look.stop()
    assert [getattr(name.find(), name.attribute) for name in (*OPS, FEEDS)] == before
    assert look.stop() == {}


def test_a_function_that_is_missing_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workload, "FEEDS", PrivateName("no.such.module", "", "feed"))
    look = Workload()
    for _ in range(2):
        look.start()
        assert look.stop()["argument_elements"] == 0
    assert look.missing == ["no.such.module.feed"]
