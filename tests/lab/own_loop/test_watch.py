"""A dataset that is watched: what is recorded, and that nothing is left behind.

Tier: make test, in turn, but where said.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
import tensorflow as tf

import labkit as lk
from labkit.lab.own_loop import watching
from labkit.lab.own_loop.step_events import StepEvents
from labkit.record import LabkitError
from tests.lab.loop_file import GROWING_GRAPH, HEALTHY, loop_of
from tests.patched_functions import changed, patched_functions

pytestmark = [pytest.mark.usefixtures("nothing_stays_hooked"), pytest.mark.in_turn]


def test_while_a_loop_is_watched_its_patched_functions_are_others() -> None:
    """Else the fixture of this file could not fail."""
    before = patched_functions()
    for _ in lk.watch(range(1)):
        seen = changed(before)
    assert len(seen) > 50 and "gc.callbacks" in seen


def test_each_item_is_handed_on_and_each_turn_is_a_step() -> None:
    items = [object() for _ in range(7)]
    w = lk.watch(items)
    assert [id(item) for item in w] == [id(item) for item in items]
    assert len(w.run.steps) == 7 and w.run.state.name == "done"


def test_what_is_watched_is_as_long_and_as_true_as_what_it_is_of() -> None:
    """Found: `len(lk.watch(batches))`, as for a progress bar, was a TypeError."""
    assert len(lk.watch([1, 2, 3])) == len(lk.watch(tf.data.Dataset.range(3))) == 3
    assert lk.watch([1]) and not lk.watch([]) and lk.watch(iter(()))
    with pytest.raises(TypeError):
        len(lk.watch(iter([1])))
    assert list(lk.watch(iter([1, 2]))) == [1, 2]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGALRM])
@pytest.mark.parametrize("moment", ["looks", "describe", "OpenRecorder"])
def test_a_signal_that_raises_while_watching_begins_leaves_nothing_patched(
    monkeypatch: pytest.MonkeyPatch, moment: str, number: signal.Signals
) -> None:
    """That nothing stays is asked by the fixture of this file. An alarm ends tests that hang."""
    real = getattr(watching, moment)

    def interrupted(*arguments: object, **more: object) -> object:
        os.kill(os.getpid(), number)
        return real(*arguments, **more)

    monkeypatch.setattr(watching, moment, interrupted)
    handler = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in lk.watch(range(9)):
                raise AssertionError("the loop went on")
    finally:
        signal.signal(number, handler)


def test_an_interrupt_while_watching_ends_puts_everything_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watched = watching.Watching("a loop")
    probe = watched.probes[-2]  # the timers, which come last, hold nothing
    real = probe.close

    def interrupted() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        real()

    monkeypatch.setattr(probe, "close", interrupted)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            watched.close()
    finally:
        signal.signal(signal.SIGINT, handler)


def test_waiting_for_a_dataset_is_part_of_the_step_and_has_its_place() -> None:
    dataset = tf.data.Dataset.range(40).map(lambda number: tf.reduce_sum(tf.ones([64]) * 2))
    for _ in (w := lk.watch(dataset)):
        pass
    waited, seconds = w.run.steps.column("data_waiting_seconds"), w.run.steps.seconds
    assert all(0 < part <= whole for part, whole in zip(waited, seconds, strict=True))
    assert sum(waited) > 0.5 * sum(seconds)


def test_a_graph_that_grows_is_found_in_this_process() -> None:
    step = loop_of(GROWING_GRAPH)()
    for _ in (w := lk.watch(range(150))):
        step()
    said = lk.diagnose(w)
    assert said.run.title == "your loop" and len(said.run.steps) == 150
    assert said.diagnosis.memory.label == "leaking"
    assert "graph_ops" in said.diagnosis.memory.grows
    assert "graph_growth" in [finding.cause for finding in said.diagnosis.findings]


def test_a_healthy_loop_has_no_finding() -> None:
    step = loop_of(HEALTHY)()
    for _ in (w := lk.watch(range(300))):
        step()
    said = lk.diagnose(w)
    assert said.diagnosis.memory.label == "flat", str(said)
    # What others on the machine do meanwhile may be told, too.
    assert not said.diagnosis.findings, str(said)


def test_files_that_others_put_into_the_folder_for_temporary_files_are_not_the_loop_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded: whoever filled /tmp/labkit-none made the healthy loops of all others leak."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "labkit-none").mkdir()
    step = loop_of(HEALTHY)()
    for number in (w := lk.watch(range(200))):
        (tmp_path / "labkit-none" / str(number)).touch()
        step()
    assert lk.diagnose(w).diagnosis.memory.label == "flat"
    assert not {"files_written", "file_bytes"} & w.run.evidence.keys()


def test_a_training_of_days_takes_no_more_memory_than_its_first_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watching, "MOST_STEPS", 100)
    kept: list[object] = []
    for number in (w := lk.watch(range(300))):
        if number >= 100:
            kept.append(tf.constant(float(number)))
        if number == 100:
            held = sys.getsizeof(w._watching.recorder.rows)  # type: ignore[union-attr]
    assert sys.getsizeof(w._watching.recorder.rows) == held  # type: ignore[union-attr]
    run = w.run
    assert len(run.steps) == 100 and all(event.step < 100 for event in run.events)
    # Nor does what was kept later count for the steps that were watched.
    said = lk.diagnose(w)
    assert said.diagnosis.memory.label != "leaking", str(said)
    assert "only the first 100 steps were watched" in str(said)


def test_what_happens_when_nothing_is_recorded_any_more_is_not_kept() -> None:
    events = StepEvents()
    events.add("gc", "a collection")
    events.step = lambda: None
    events.add("gc", "another collection")
    assert [each.text for each in events.events] == ["a collection"]


def test_a_loop_that_ends_at_the_most_steps_or_before_is_told_as_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watching, "MOST_STEPS", 100)
    for _ in (w := lk.watch(range(99))):
        pass
    assert len(w.run.steps) == 99 and w.run.state.reason == ""


def test_what_is_gone_with_a_collection_is_no_leak_and_what_stays_is_one() -> None:
    kept: list[object] = []
    for step in (w := lk.watch(range(200))):
        cycle: list[object] = [tf.constant(float(step))]
        cycle.append(cycle)
        kept.append(tf.constant(-1.0 - step))
    first, last = (w.run.evidence["live_tensors"][at][1] for at in (0, -1))
    assert 190 <= last - first <= 205


def test_what_is_recorded_is_no_leak_of_the_loop() -> None:
    """30,000 steps are 15 MB of numbers, on the heap of the process that is watched."""
    number = tf.constant(1.0)
    for _ in (w := lk.watch(range(30_000))):
        number.numpy()
    assert len(w.run.steps) == 30_000
    assert lk.diagnose(w).diagnosis.memory.label == "flat"


def cheap_step() -> Callable[[], object]:
    """Return a step of half a millisecond and one function call."""
    weights = tf.Variable(tf.ones([300, 64]))

    @tf.function
    def call() -> tf.Tensor:
        return tf.reduce_sum(tf.tanh(tf.matmul(weights, weights, transpose_b=True)))

    return call


@contextmanager
def only_own_objects() -> Iterator[None]:
    """Let collections look at what is made from now on: all of TensorFlow takes half a second."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def test_every_short_step_has_exactly_what_it_counted() -> None:
    call = cheap_step()
    for number in (w := lk.watch(range(400))):
        call()
        for _ in range(number % 2):
            tf.negative(1.0)
    run = w.run
    read = run.steps.column("ops_run")
    assert [value - read[2] for value in read[2:]] == [float(step % 2) for step in range(2, 400)]
    places = [run.steps.column(column.name) for column in run.column_of_kind("place")]
    # A look ends after its last step and before that is read: a collection in between is in it.
    looked_at = run.steps.column("sampled")
    for looked, seconds, *parts in zip(looked_at, run.steps.seconds, *places, strict=True):
        assert looked or 0 < sum(parts) <= 1.001 * seconds
    assert all(run.steps.column("comparisons")[1:]), "a call of a function compares argument types"


@pytest.mark.full
def test_collections_in_short_steps_are_found_as_spikes_of_garbage() -> None:
    """Collections are two thirds of all time: what else a busy machine makes long stays below."""
    call = cheap_step()
    with only_own_objects():
        hoard = [[number] for number in range(1_000_000)]
        for number in (w := lk.watch(range(800))):
            call()
            if number % 40 == 39:
                gc.collect()
    said = lk.diagnose(w).diagnosis
    assert len(hoard) == 1_000_000
    assert [(each.cause, each.kind) for each in said.findings][:1] == [("garbage", "spikes")]
    marks = [event.step for event in w.run.events if event.kind == "gc"]
    assert [step for step in range(239, 800, 40) if step in marks] == [*range(239, 800, 40)]


def test_a_leak_of_short_steps_is_counted_over_the_whole_loop() -> None:
    """Readings are fewer than steps: counted by them all would lie in the loop's beginning."""
    call, kept = cheap_step(), []
    for number in (w := lk.watch(range(20_000))):
        call()
        kept.append(tf.constant(float(number)))
        if number % 500 == 499 and len(w.run.evidence["live_tensors"]) >= 9:
            break
    run = w.run
    steps = [step for step, _ in run.evidence["live_tensors"]]
    assert steps == sorted(steps)
    assert sum(0.5 * len(run.steps) <= step < len(run.steps) for step in steps) >= 2
    memory = lk.diagnose(w).diagnosis.memory
    assert memory.label == "leaking" and "live_tensors" in memory.grows


def test_collections_at_every_fourth_short_step_are_spikes_of_garbage_too() -> None:
    """What stands out must not become what is usual."""
    call = cheap_step()
    with only_own_objects():
        hoard = [[number] for number in range(30_000)]
        for number in (w := lk.watch(range(600))):
            call()
            if number % 4 == 3:
                gc.collect()
    paused = w.run.steps.column("garbage_collection_seconds")
    assert len(hoard) == 30_000 and len(paused) == 600
    assert sum(paused[3::4]) > 0.9 * sum(paused)


def test_a_function_that_is_traced_anew_each_time_is_counted_at_each_step() -> None:
    call = tf.function(lambda tensor, number: tensor * number)
    for number in (w := lk.watch(range(80))):
        call(tf.constant(1.0), float(number))
    traces = w.run.steps.column("traces")
    assert {after - before for before, after in pairwise(traces)} == {1.0}


def test_a_loop_that_is_left_early_is_unhooked_at_once() -> None:
    before = patched_functions()
    for number in (w := lk.watch(range(100))):
        if number == 5:
            break
    assert changed(before) == []
    assert len(w.run.steps) == 5 and w.run.state.name == "done"


def test_a_loop_whose_body_raises_is_unhooked_and_keeps_its_steps() -> None:
    before = patched_functions()
    w = lk.watch(range(100))
    with pytest.raises(ZeroDivisionError):
        for number in w:
            _ = 1 / (number - 5)
    assert changed(before) == []
    assert len(w.run.steps) == 5


def test_a_dataset_that_raises_is_unhooked_too() -> None:
    def items() -> Iterator[int]:
        yield from range(3)
        raise OSError("no more of it")

    before = patched_functions()
    w = lk.watch(items())
    with pytest.raises(OSError, match="no more of it"):
        list(w)
    assert changed(before) == [] and len(w.run.steps) == 3


def test_gone_through_again_the_last_time_counts() -> None:
    w = lk.watch([1, 2, 3])
    assert list(w) == [1, 2, 3] and w.run.title == "your loop"
    for number in w:
        if number == 2:
            break
    assert w.run.title == "your loop, the last of 2 times"
    assert len(w.run.steps) == 1 and repr(w) == "Watched(1 step so far)"


@pytest.mark.full
def test_two_loops_one_in_the_other_are_each_recorded() -> None:
    for _ in (outer := lk.watch(range(3))):
        for _ in (inner := lk.watch(range(4))):
            tf.constant(1.0) + 1.0
    assert len(outer.run.steps) == 3 and len(inner.run.steps) == 4


def test_what_nobody_went_through_says_what_to_write() -> None:
    with pytest.raises(LabkitError, match="for batch in w"):
        lk.diagnose(lk.watch([1]))


def test_who_is_left_half_gone_through_at_python_s_end_says_nothing() -> None:
    """Recorded: counting what lives, with modules without their names, raised from a generator."""
    code = """
import labkit as lk
import tensorflow as tf
step = tf.function(lambda: tf.ones([2]))
it = iter(lk.watch(range(100)))
for _ in range(20):
    next(it), step()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "")
    assert "Traceback" not in done.stderr and "ignored" not in done.stderr, done.stderr


def test_nothing_but_the_loop_holds_an_item() -> None:
    class Batch:
        pass

    alive = 0
    for batch in lk.watch(Batch() for _ in range(5)):
        watch = weakref.ref(batch)
        del batch
        alive += watch() is not None
    assert alive == 0
