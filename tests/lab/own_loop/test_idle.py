"""A loop in which TensorFlow never works, as over an empty glob, passes no gate.

Tier: make test, in turn.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import tensorflow as tf

import labkit as lk
from labkit.cli.program import carry_out

pytestmark = [pytest.mark.usefixtures("nothing_stays_hooked"), pytest.mark.in_turn]

EMPTY = """
import time
import tensorflow as tf

def make_step():
    data = []
    def step():
        for batch in data:
            tf.reduce_sum(batch)
        time.sleep(0.001)
    return step
"""
SAID = "TensorFlow did no work in the second half of the steps"


def test_a_file_without_data_passes_no_gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Recorded: it was called healthy, and the command ended with 0."""
    file = tmp_path / "mine.py"
    file.write_text(EMPTY)
    gate = ["--fail-on", "slowdown,leaking", "--steps", "300"]
    assert carry_out(["diagnose", str(file), *gate]) == 1
    told = capsys.readouterr()
    assert SAID in told.out and "healthy" not in told.out
    assert f"--fail-on slowdown,leaking could not tell: {SAID}" in told.err


def test_a_loop_without_data_is_not_tested_and_fails() -> None:
    """Recorded: `assert_steady` passed without a warning."""
    with pytest.raises(AssertionError, match=f"was not tested: {SAID}") as told:
        lk.assert_steady(lambda: lambda: time.sleep(0.001))
    assert "healthy" not in str(told.value)


def test_a_loop_whose_data_come_to_their_end_is_not_tested() -> None:
    """Recorded: its twenty steps with data looked like a warm-up, and the gate was passed."""

    def make_step() -> Callable[[], object]:
        items, weights = iter(tf.data.Dataset.range(20)), tf.Variable(0.0)

        @tf.function
        def train(number: int) -> object:
            return weights.assign_add(float(number))

        def step() -> None:
            for item in items:
                train(int(item))  # traced anew for each
                break

        return step

    with pytest.raises(AssertionError, match=f"was not tested: {SAID}"):
        lk.assert_steady(make_step, steps=300, leaking=False)


@pytest.mark.parametrize("empty", ["list", "filter", "take"])
def test_a_loop_over_an_empty_dataset_is_not_tested(empty: str) -> None:
    """Recorded: the ops that make its iterators were taken for work, and it passed the gate."""
    numbers = tf.data.Dataset.range(8)
    datasets = {
        "list": tf.data.Dataset.from_tensor_slices(tf.zeros([0, 3])),
        "filter": numbers.filter(lambda number: number > 10).batch(2).prefetch(1),
        "take": numbers.shuffle(8).take(0),
    }
    for _ in (w := lk.watch(range(100))):
        for _batch in datasets[empty]:
            raise AssertionError("it is not empty")
    assert lk.diagnose(w).diagnosis.idle


def test_a_watched_loop_without_tensorflow_says_so() -> None:
    for _ in (w := lk.watch(range(200))):
        time.sleep(0.001)
    said = str(lk.diagnose(w))
    assert SAID in said and "healthy" not in said


def works() -> dict[str, Callable[[], object]]:
    """Return steps of every kind in which TensorFlow works, each ready to be called."""
    vector = tf.ones([3])
    compiled = tf.function(lambda: tf.reduce_sum(vector))
    numbers = tf.data.Dataset.range(10**6)
    items = iter(numbers)
    with tf.Graph().as_default() as graph:
        op = tf.constant(1.0) + 1.0
        session = tf.compat.v1.Session(graph=graph)
        run = session.make_callable(op)
    return {
        "eager": lambda: vector + 1.0,
        "function": compiled,
        "concrete function": compiled.get_concrete_function(),
        "tf.data": lambda: next(items),
        "tf.data, begun anew": lambda: next(iter(numbers)),
        "an op beside empty data": lambda: (list(numbers.take(0)), vector + 1.0),
        "copies": vector.numpy,
        "session": lambda: session.run(op),
        "callable of a session": run,
    }


def test_a_loop_in_which_tensorflow_does_anything_is_never_said_to_be_idle() -> None:
    for name, step in works().items():
        step()
        for _ in (w := lk.watch(range(50))):
            step()
        assert not lk.diagnose(w).diagnosis.idle, name


def test_what_another_thread_works_is_not_taken_for_nothing() -> None:
    compiled = works()["function"]
    with ThreadPoolExecutor(1) as pool:
        for _ in (w := lk.watch(range(100))):
            pool.submit(compiled).result()
    assert not lk.diagnose(w).diagnosis.idle


def test_a_thread_that_looks_after_the_process_is_not_taken_for_work_of_tensorflow() -> None:
    """Recorded: a monitor that read a file every 10 ms made a loop without data healthy."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.01):
            Path("/proc/self/stat").read_text()

    monitor = threading.Thread(target=watch)
    monitor.start()
    try:
        for _ in (w := lk.watch(range(300))):
            time.sleep(0.002)
        assert lk.diagnose(w).diagnosis.idle
    finally:
        over.set()
        monitor.join()
