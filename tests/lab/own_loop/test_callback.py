"""Keras training that is watched: which batches are steps, and that nothing is left behind.

Tier: make test, in turn, but where said.
"""

from __future__ import annotations

import copy
import gc
import pickle
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf
from IPython.core.interactiveshell import InteractiveShell
from keras.callbacks import LambdaCallback

import labkit as lk
from labkit.record import LabkitError
from tests.causes.curves import assert_clock
from tests.patched_functions import changed, patched_functions
from tests.running import came

pytestmark = [pytest.mark.usefixtures("nothing_stays_hooked"), pytest.mark.in_turn]

ROWS = np.random.default_rng(4).normal(size=(160, 6)).astype("float32")
SUMS = ROWS.sum(axis=1, keepdims=True)


@pytest.fixture(scope="module")
def model() -> Any:
    keras.utils.set_random_seed(4)
    made = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    made.compile(optimizer="sgd", loss="mse")
    made.fit(ROWS, SUMS, batch_size=16, verbose=0)  # traced once, for all tests
    return made


def test_it_is_a_callback_of_keras_and_a_class_that_can_be_named() -> None:
    w = lk.Watch()
    assert isinstance(w, keras.callbacks.Callback) and isinstance(w, lk.Watch)
    assert lk.Watch is lk.Watch and repr(lk.Watch) == "<class 'labkit.lab.own_loop.callback.Watch'>"


def test_neither_labkit_nor_all_its_names_load_keras() -> None:
    program = (
        "import sys, labkit.lab.own_loop.callback, labkit.lab.own_loop.diagnose\n"
        "from labkit import *\n"
        "print({'keras', 'tensorflow'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "set()", done.stderr


def run_300_ops(_batch: int, logs: Any = None) -> None:
    """Work at one moment of a training: it must be seen in the right step."""
    number = tf.constant(1.0)
    for _ in range(300):
        number = number + 1.0


def failing_after(last: int) -> LambdaCallback:
    def fail(batch: int, logs: Any) -> None:
        if batch == last:
            raise OSError("no more of it")

    return LambdaCallback(on_train_batch_end=fail)


IN_VALIDATION = LambdaCallback(on_test_batch_end=run_300_ops)


def test_each_batch_is_a_step_and_validation_is_none(model: Any) -> None:
    w, more = lk.Watch(), {"batch_size": 16, "epochs": 3, "verbose": 0}
    validated = {"validation_data": (ROWS, SUMS), "callbacks": [w, IN_VALIDATION]}
    model.fit(ROWS, SUMS, **more, **validated)
    assert len(w.run.steps) == 3 * 10 and w.run.title == "model.fit"
    assert max(w.run.steps.column("ops_run")) < 300


def test_batches_that_keras_runs_in_one_call_are_one_step_and_the_title_says_so() -> None:
    """Found: 160 batches were "done after 16 steps", and nothing said why."""
    made = keras.Sequential([keras.layers.Dense(1)])
    made.compile(optimizer="sgd", loss="mse", steps_per_execution=10)
    made.fit(ROWS, SUMS, batch_size=1, verbose=0, callbacks=[w := lk.Watch()])
    assert len(w.run.steps) == 16 and w.run.title == "model.fit, 10 batches per step"


@pytest.mark.parametrize("first", [True, False])
def test_what_a_callback_does_after_a_batch_is_seen_in_a_step(model: Any, first: bool) -> None:
    w = lk.Watch()
    heavy = LambdaCallback(on_train_batch_end=lambda at, logs: at == 4 and run_300_ops(at))
    model.fit(ROWS, SUMS, batch_size=16, verbose=0, callbacks=[heavy, w] if first else [w, heavy])
    ops = list(w.run.steps.column("ops_run"))
    assert [at for at, count in enumerate(ops) if count >= 300] == [4 if first else 5]


def test_a_healthy_training_has_no_finding(model: Any) -> None:
    w = lk.Watch()
    model.fit(ROWS, SUMS, batch_size=1, epochs=3, verbose=0, callbacks=[w])
    said = lk.diagnose(w)
    assert len(said.run.steps) == 480
    assert said.diagnosis.memory.label == "flat", str(said)
    # What others on the machine do meanwhile may be told, too.
    assert not said.diagnosis.findings, str(said)


def slow_data() -> Any:
    """Return data whose every batch is waited for."""

    def batches() -> Iterator[Any]:
        for _ in range(20):
            time.sleep(0.02)  # as for a file from afar
            yield ROWS[:16], SUMS[:16]

    shapes = tuple(tf.TensorSpec([16, each.shape[1]]) for each in (ROWS, SUMS))
    data = tf.data.Dataset.from_generator(batches, output_signature=shapes)
    return data.apply(tf.data.experimental.assert_cardinality(20))


def test_waiting_for_data_within_a_fit_is_booked_in_every_epoch(model: Any) -> None:
    w = lk.Watch()
    data, validation = slow_data(), (ROWS, SUMS)
    model.fit(data, epochs=2, shuffle=False, verbose=0, callbacks=[w], validation_data=validation)
    waiting, seconds = w.run.steps.column("data_waiting_seconds"), w.run.steps.seconds
    assert len(seconds) == 40
    # The last batch of an epoch is followed by none that would tell.
    for epoch in (slice(0, 19), slice(20, 39)):
        assert_clock(sum(waiting[epoch]) > 0.6 * sum(seconds[epoch]), waiting)


def test_a_fit_whose_data_is_there_waits_for_next_to_nothing(model: Any) -> None:
    w = lk.Watch()
    data = tf.data.Dataset.from_tensors((ROWS[:16], SUMS[:16])).repeat(100)
    model.fit(data, shuffle=False, verbose=0, callbacks=[w])
    waiting = w.run.steps.column("data_waiting_seconds")
    assert_clock(statistics.median(waiting) < 0.2 * statistics.median(w.run.steps.seconds), waiting)


def test_what_makes_the_data_ends_with_the_fit(model: Any) -> None:
    w, ended = lk.Watch(), []

    def batches() -> Iterator[Any]:
        try:
            while True:
                yield ROWS[:16], SUMS[:16]
        finally:
            ended.append(True)

    shapes = tuple(tf.TensorSpec([16, each.shape[1]]) for each in (ROWS, SUMS))
    data = tf.data.Dataset.from_generator(batches, output_signature=shapes)
    model.fit(data, steps_per_epoch=10, shuffle=False, verbose=0, callbacks=[w])
    del data
    gc.collect()
    assert came(lambda: ended)


@pytest.mark.full
def test_what_each_epoch_leaves_to_the_collector_is_no_leak(model: Any) -> None:
    """Threads and tensors of each epoch's iterator wait for a collection, and go with it."""
    w = lk.Watch()
    model.fit(ROWS, SUMS, batch_size=16, epochs=30, verbose=0, callbacks=[w])
    readings = {name: [value for _, value in pairs] for name, pairs in w.run.evidence.items()}
    assert readings["threads"][-1] <= readings["threads"][0] + 3
    assert lk.diagnose(w).diagnosis.memory.label == "flat"


def test_what_a_training_keeps_is_counted(model: Any) -> None:
    kept: list[Any] = []
    keeper = LambdaCallback(on_train_batch_end=lambda at, logs: kept.append(tf.ones([8, 8]) * at))
    w = lk.Watch()
    model.fit(ROWS, SUMS, batch_size=1, epochs=4, verbose=0, callbacks=[keeper, w])
    readings = w.run.evidence["live_tensors"]
    (step, first), (later, last) = readings[0], readings[-1]
    # The training's own 20 tensors are gone when it is over.
    assert later > step and last - first == pytest.approx(later - step, abs=30)


def test_what_is_made_after_a_training_is_none_of_its_memory(model: Any) -> None:
    w = lk.Watch()
    model.fit(ROWS, SUMS, batch_size=1, epochs=2, verbose=0, callbacks=[w])
    later = [tf.constant(float(number)) for number in range(5_000)]
    readings = [value for _, value in w.run.evidence["live_tensors"]]
    assert readings[-1] < readings[0] + len(later) / 2


def test_what_a_training_holds_at_its_end_is_kept_by_no_step(model: Any) -> None:
    """Found: the first eager training of a process was said to leak 3.4 kB per step.

    At its end a training holds its iterator (300 kB), and afterwards whoever asks has loaded more.
    """
    held: list[bytearray] = []
    holder = LambdaCallback(on_train_end=lambda logs: held.append(bytearray(2_000_000)))
    w = lk.Watch()
    model.fit(ROWS, SUMS, batch_size=1, epochs=2, verbose=0, callbacks=[holder, w])
    readings = [value for _, value in w.run.evidence["heap_bytes"]]
    assert held and max(readings) < readings[0] + 1_000_000


@pytest.mark.full
def test_two_watches_of_one_training_leave_nothing_behind(model: Any) -> None:
    before, watches = patched_functions(), [lk.Watch(), lk.Watch()]
    model.fit(ROWS, SUMS, batch_size=16, verbose=0, callbacks=watches)
    assert [len(w.run.steps) for w in watches] == [10, 10]
    assert changed(before) == []


@pytest.mark.full
def test_a_look_that_began_with_an_epochs_end_does_not_last_through_validation(model: Any) -> None:
    """Recorded: a whole validation was counted as the calls of one step."""
    w = lk.Watch()
    validated = {"validation_data": (ROWS, SUMS), "callbacks": [w, IN_VALIDATION]}
    model.fit(ROWS, SUMS, batch_size=80, epochs=80, verbose=0, **validated)
    calls = [value for _, value in w.run.evidence["python_calls"]]
    assert len(calls) > 2 and max(calls) < 3 * min(calls)


def test_a_training_that_nobody_asks_about_any_more_is_unhooked(model: Any) -> None:
    def stop(_batch: int, logs: Any) -> None:
        raise KeyboardInterrupt

    before, w = patched_functions(), lk.Watch()
    stopping = LambdaCallback(on_train_batch_end=stop)
    with pytest.raises(KeyboardInterrupt):
        model.fit(ROWS, SUMS, batch_size=16, verbose=0, callbacks=[w, stopping])
    assert changed(before) != []
    # The same cell, run again; the model holds the callbacks of its last training.
    model.fit(ROWS, SUMS, batch_size=16, verbose=0, callbacks=[w := lk.Watch()])
    gc.collect()
    assert len(w.run.steps) == 10 and changed(before) == []


CELL = """
import keras
import labkit as lk

class Raising(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if batch == 7:
            raise OSError("no more of it")

model.fit(rows, sums, batch_size=16, verbose=0, callbacks=[lk.Watch(){more}])
"""


def test_an_error_in_a_notebook_s_cell_ends_the_watching_with_it(model: Any) -> None:
    """Seen: IPython keeps the error, and with it the training's frames and all that was hooked."""
    before = patched_functions()
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False  # type: ignore[union-attr]
    try:
        shell.user_ns |= {"model": model, "rows": ROWS, "sums": SUMS}
        assert shell.run_cell(CELL.format(more="")).success
        assert not changed(before)
        failed = shell.run_cell(CELL.format(more=", Raising()"))
        assert isinstance(failed.error_in_exec, OSError)
        assert not changed(before) and sys.getprofile() is None
        assert not [
            each for each in shell.events.callbacks["post_run_cell"] if "labkit" in each.__module__
        ]
    finally:
        InteractiveShell.clear_instance()


def test_a_training_that_raises_is_unhooked_when_it_is_diagnosed(model: Any) -> None:
    before, w = patched_functions(), lk.Watch()
    failing = failing_after(4)
    with pytest.raises(OSError, match="no more of it"):
        model.fit(ROWS, SUMS, batch_size=16, verbose=0, callbacks=[w, failing])
    assert len(lk.diagnose(w).run.steps) == 5
    assert changed(before) == []


def test_trained_again_after_an_error_the_last_training_counts(model: Any) -> None:
    w, failing = lk.Watch(), failing_after(0)
    with pytest.raises(OSError, match="no more of it"):
        model.fit(ROWS, SUMS, batch_size=16, verbose=0, callbacks=[w, failing])
    model.fit(ROWS, SUMS, batch_size=16, verbose=0, callbacks=[w])
    assert len(w.run.steps) == 10 and w.run.title == "model.fit, the last of 2 times"


def test_a_loop_of_ones_own_calls_for_its_batches_itself(model: Any) -> None:
    before, w = patched_functions(), lk.Watch()
    for batch in range(12):
        w.on_train_batch_begin(batch)
        model.train_on_batch(ROWS[:16], SUMS[:16])
        w.on_train_batch_end(batch)
    assert len(lk.diagnose(w).run.steps) == 12 and w.run.title == "your loop"
    assert changed(before) == []


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_used_one_can_be_copied_and_its_copy_begins_anew(
    model: Any, copied: Callable[[Any], Any]
) -> None:
    model.fit(ROWS, SUMS, batch_size=16, verbose=0, callbacks=[w := lk.Watch()])
    w.set_model(None)  # it would take the model along, as Keras's own callbacks do
    again = copied(w)
    assert len(w.run.steps) == 10
    with pytest.raises(LabkitError, match="Nothing was trained"):
        _ = again.run


def test_what_trained_nothing_says_where_to_hand_it() -> None:
    with pytest.raises(LabkitError, match=r"model\.fit"):
        lk.diagnose(lk.Watch())
