"""The eager probe against ops that are counted by hand. Tier: make test."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import ModuleType

import pytest

from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")
PROBES = ("eager",)


def measured(watching: Watching, body: Callable[[], object]) -> tuple[float, float]:
    """Return the ops counted and the seconds recorded while the body ran."""
    watching.step(body)
    return watching.counter("ops_run"), sum(watching.seconds().values())


def test_each_eager_op_is_counted_once(watching: Watching) -> None:
    tensor = tf.ones([8, 8])
    ops, seconds = measured(
        watching, lambda: [tf.reduce_sum(tf.matmul(tensor, tensor) * tensor) for _ in range(5)]
    )
    # A sum over all axes asks for the axes first: range is made of Python numbers, no op.
    assert ops % 5 == 0 and 3 * 5 <= ops <= 4 * 5
    assert seconds > 0


def test_a_traced_function_is_one_op_however_much_it_does(watching: Watching) -> None:
    @tf.function
    def many(tensor: object) -> object:
        for _ in range(20):
            tensor = tensor * 2.0  # type: ignore[operator]
        return tensor

    tensor = tf.ones([4])
    many(tensor)
    assert measured(watching, lambda: many(tensor))[0] == 1


def test_nearly_all_the_time_of_a_heavy_op_is_booked(watching: Watching) -> None:
    tensor = tf.ones([700, 700])
    shares = []
    for _ in range(5):
        began = time.perf_counter()
        _, booked = measured(watching, lambda: [tf.matmul(tensor, tensor) for _ in range(5)])
        shares.append(booked / (time.perf_counter() - began))
    # Whoever takes the processor between two ops takes a share of one try, seldom of all.
    assert max(shares) > 0.8 and all(share < 1 for share in shares)


def test_an_op_within_another_place_stays_with_that_place(watching: Watching) -> None:
    timers = watching.timers
    other = timers.add("other", "another place")
    tensor = tf.ones([4])

    def body() -> None:
        timers.enter(other)
        tf.add(tensor, tensor)
        timers.leave()

    ops, _ = measured(watching, body)
    assert ops == 1 and set(watching.seconds()) == {"another place"}


def test_an_op_that_fails_closes_its_place_and_is_not_counted(watching: Watching) -> None:
    def body() -> None:
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))

    measured(watching, lambda: tf.ones([2, 3]))
    fill = measured(watching, lambda: [tf.ones([2, 3]) for _ in range(2)])[0]
    assert measured(watching, body)[0] == fill
    assert not watching.timers.busy


def test_python_without_ops_and_ops_of_other_threads_stay_out(watching: Watching) -> None:
    tensor = tf.ones([64, 64])
    assert measured(watching, lambda: sum(range(10_000))) == (0, 0)

    def elsewhere() -> None:
        thread = threading.Thread(target=lambda: tf.matmul(tensor, tensor))
        thread.start()
        thread.join()

    assert measured(watching, elsewhere) == (0, 0)


def test_building_a_graph_runs_no_op(watching: Watching) -> None:
    def body() -> None:
        with tf.Graph().as_default():
            tf.add(tf.ones([2]), 1.0)

    assert measured(watching, body) == (0, 0)
