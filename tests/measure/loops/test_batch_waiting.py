"""Waiting within a compiled step, against an iterator whose waiting is known. Tier: make test."""

from __future__ import annotations

import time
import weakref
from array import array
from collections.abc import Callable, Iterator
from types import ModuleType

import numpy as np
import pytest

from labkit.measure.clock.reading import OWN_COLUMNS
from labkit.measure.loops.batch_waiting import BatchWaiting
from labkit.record import Column
from tests.causes.curves import assert_clock

tf: ModuleType = pytest.importorskip("tensorflow")
COLUMNS = (
    *OWN_COLUMNS,
    Column("data_waiting_seconds", "waiting for data", "s", "place"),
    Column("function_run_seconds", "function run", "s", "place"),
)
START, SECONDS, WAITING, RUNNING = range(len(COLUMNS))


def numbers(milliseconds: float) -> Iterator[float]:
    while True:
        time.sleep(milliseconds / 1000)  # as for a file from afar
        yield 1.0


def feed(milliseconds: float, *, tuned: bool = True) -> object:
    """Return an iterator that has to wait so long for each of its elements."""
    dataset = tf.data.Dataset.from_generator(
        lambda: numbers(milliseconds), output_signature=tf.TensorSpec([])
    )
    options = tf.data.Options()
    options.autotune.enabled = tuned
    return iter(dataset.with_options(options))


def fit(
    iterator: object, *, batches: int = 12, each: int = 1, work: float = 0.0
) -> tuple[np.ndarray, list[int], list[float]]:
    """Take steps as a fit does; return the rows, how many were shown, and the seconds of each run.

    Args:
        iterator: What the batches are taken from.
        batches: How many rows.
        each: How many elements a step takes.
        work: For how many milliseconds a step does something else.
    """

    @tf.function
    def step() -> object:
        return tf.add_n([iterator.get_next() for _ in range(each)])  # type: ignore[attr-defined]

    step()
    waiting = BatchWaiting(time.perf_counter, COLUMNS)
    rows = array("d", [0.0]) * (len(COLUMNS) * batches)
    shown, runs = [], []
    for number in range(batches):
        at = len(COLUMNS) * number
        waiting.batch_begins(weakref.ref(iterator))
        if number:
            shown.append(waiting.complete(rows, at - len(COLUMNS), number))
        else:
            waiting.complete(rows, at, 0)
        rows[at] = began = time.perf_counter()
        step()
        rows[at + RUNNING] = time.perf_counter() - began
        runs.append(rows[at + RUNNING])
        time.sleep(work / 1000)
        rows[at + SECONDS] = time.perf_counter() - began
    shown.append(waiting.complete(rows, at, batches))
    return np.array(rows).reshape(batches, -1), shown, runs


def share_waited(rows: np.ndarray) -> float:
    """Return the part of the functions' runs that was waiting, the last row left out."""
    return float(rows[:-1, WAITING].sum() / (rows[:-1, WAITING] + rows[:-1, RUNNING]).sum())


def test_a_step_that_only_waits_is_booked_as_waiting() -> None:
    rows, _, runs = fit(feed(10))
    assert_clock(share_waited(rows) > 0.8, rows)
    # What waiting is given is taken from the function's run, to the last bit but one.
    assert np.allclose(rows[:, WAITING] + rows[:, RUNNING], runs)


def test_a_row_that_waits_longer_than_the_others_has_the_waiting_itself() -> None:
    def uneven() -> Iterator[float]:
        for number in range(100):
            time.sleep(0.1 if number == 6 else 0.0)
            yield 1.0

    dataset = tf.data.Dataset.from_generator(uneven, output_signature=tf.TensorSpec([]))
    rows, _, _ = fit(iter(dataset))
    assert int(rows[:, WAITING].argmax()) == 5  # the first element was taken before


def test_a_step_whose_data_is_there_waits_for_nothing() -> None:
    rows, _, _ = fit(iter(tf.data.Dataset.range(100).map(lambda n: tf.cast(n, "float32"))), work=10)
    assert_clock(rows[:-1, WAITING].sum() < 0.2 * rows[:-1, SECONDS].sum(), rows)


def test_rows_are_held_back_until_they_are_booked_and_all_are_shown_at_the_end() -> None:
    _, shown, _ = fit(feed(10))
    assert shown == sorted(shown) and shown[-1] == 12
    assert all(rows - count <= 100 for rows, count in enumerate(shown, start=1))
    assert any(count < rows for rows, count in enumerate(shown, start=1))


@pytest.mark.parametrize(
    "made",
    [lambda: fit(feed(1, tuned=False)), lambda: fit(feed(1), each=2), lambda: fit(object_fed())],
    ids=["not tuned", "two elements a step", "no iterator of TensorFlow's"],
)
def test_where_nothing_is_known_nothing_is_booked_and_all_rows_are_shown(
    made: Callable[[], tuple[np.ndarray, list[int], list[float]]],
) -> None:
    rows, shown, _ = made()
    assert not rows[:, WAITING].any()
    assert shown[-1] == 12


def object_fed() -> object:
    class Feed:
        def get_next(self) -> object:
            return tf.constant(1.0)

    return Feed()


def test_a_callback_for_ops_hears_of_none_of_ours() -> None:
    from tensorflow.python.framework import op_callbacks

    heard: list[str] = []

    def hear(kind: str, *_: object, **__: object) -> None:
        heard.append(str(kind))

    op_callbacks.add_op_callback(hear)
    try:
        rows, _, _ = fit(feed(10))
    finally:
        op_callbacks.remove_op_callback(hear)
    assert rows[:, WAITING].any() and not any("ModelProto" in kind for kind in heard)
