"""The count of live objects: it rests in a healthy loop, and asks nothing of anyone's.

Tier: make test, in turn.
"""

from __future__ import annotations

import _thread
import gc
import logging
import os
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from labkit.measure.machine.run_queue import ThreadDelays
from labkit.measure.memory import live_objects
from labkit.measure.memory.live_objects import KINDS, LiveObjects
from labkit.measure.patches.group import PrivateName
from tests.measure.alone import said_alone

pytestmark = pytest.mark.in_turn

tf: ModuleType = pytest.importorskip("tensorflow")


OF_THE_READER_S = ("instances/", "bounded_")


@pytest.fixture
def made(tmp_path: Path) -> LiveObjects:
    return LiveObjects(tf, tmp_path)


@pytest.fixture
def still() -> Iterator[None]:
    """No collection of Python's own between two counts."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def grew(made: LiveObjects, before: dict[str, float], *names: str) -> list[float]:
    after = made.sample()
    return [after[name] - before[name] for name in names]


HEALTHY = """
import tempfile
from pathlib import Path
import tensorflow as tf
from labkit.measure.memory.live_objects import LiveObjects

weights = tf.Variable(tf.ones([64, 8]))
batch = tf.random.normal([16, 64])

@tf.function
def train(features):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(features @ weights))
    weights.assign_sub(0.001 * tape.gradient(loss, weights))
    return loss

made = LiveObjects(tf, Path(tempfile.mkdtemp()))
samples = []
for _ in range(40):
    for _ in range(20):
        train(batch)
    samples.append(made.sample())
assert made.missing == [], made.missing
for name in samples[0]:
    values = [sample[name] for sample in samples[10:]]
    # TensorFlow itself keeps a small object per step for the first 2,000 or so, and none later; our
    # own samples are kept as well. A collection may come late for a few.
    # What the system put out of memory for another's sake is fetched again.
    slack = {"python_blocks": 2 * 30 * 20 + 200, "heap_bytes": 50_000, "gc_objects": 5,
             "disk_faults": 50, "mapped_bytes": 2_000_000, "no_file_bytes": 2_000_000}
    slack = slack.get(name, 0)
    if max(values) - min(values) > slack:
        print(name, values)
print("done")
"""


@pytest.mark.full
def test_a_healthy_train_step_shows_constants_in_thirty_samples() -> None:
    assert said_alone(HEALTHY) == ["done"]


def test_no_name_is_missing_and_every_count_is_there(made: LiveObjects) -> None:
    found = [each for each in made.sample() if not each.startswith(OF_THE_READER_S)]
    assert made.missing == []
    assert sorted(found) == sorted([
        "python_blocks", "heap_bytes", "gc_objects", "live_tensors", "live_tensor_bytes",
        "live_variables", "func_graphs", "concrete_functions", "gradient_registry",
        "function_names", "py_functions", "keras_state", "figures", "log_handlers", "open_files",
        "threads", "files_written", "file_bytes", "disk_faults", "mapped_bytes", "no_file_bytes",
    ])  # fmt: skip


def test_tensors_count_with_the_bytes_of_their_values(made: LiveObjects, still: None) -> None:
    before = made.sample()
    kept = [tf.zeros([1000]), tf.zeros([10], tf.int64), tf.constant("text has no fixed size")]
    assert grew(made, before, "live_tensors", "live_tensor_bytes") == [3, 4000 + 80]
    del kept
    assert grew(made, before, "live_tensors", "live_tensor_bytes") == [0, 0]


def test_variables_graphs_and_traced_functions_are_counted(made: LiveObjects, still: None) -> None:
    before = made.sample()
    held = tf.Variable([1.0])
    double = tf.function(lambda x: x * 2.0)
    double(tf.constant([1.0]))
    names = ("live_variables", "func_graphs", "concrete_functions", "function_names")
    variables, graphs, functions, registered = grew(made, before, *names)
    assert (variables, graphs, functions) == (1, 1, 1) and registered >= 1
    del held


def test_a_sample_keeps_nothing_alive(made: LiveObjects) -> None:
    tensor = tf.zeros([3])
    watched = weakref.ref(tensor)
    made.sample()
    del tensor
    assert watched() is None


def test_a_sample_adds_no_objects(made: LiveObjects, still: None) -> None:
    made.sample()
    counts = [made.sample()["gc_objects"] for _ in range(4)]
    # The list and the dict of a sample; a pass that kept its own objects would add many.
    assert counts[-1] - counts[0] <= 4


class Trap(type):
    """A class of the reader's that answers no question."""

    def __hash__(cls) -> int:
        raise AssertionError("asked for its hash")

    def __eq__(cls, other: object) -> bool:
        raise AssertionError("compared")

    def __subclasses__(cls) -> Any:
        raise AssertionError("asked for its subclasses")


def test_nothing_of_the_readers_is_called(made: LiveObjects) -> None:
    class Reader(metaclass=Trap):
        @property
        def __class__(self) -> Any:
            raise AssertionError("asked for its class")

        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(f"asked for {name}")

        def __len__(self) -> int:
            raise AssertionError("asked for its length")

    trap = [Reader(), Reader]
    assert all(gc.is_tracked(each) for each in trap)
    assert made.sample()["gc_objects"] > 0


@pytest.mark.parametrize("name", KINDS)
def test_a_missing_class_leaves_its_count_out_and_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    gone = PrivateName(KINDS[name].module, "", "not_there")
    monkeypatch.setitem(KINDS, name, gone)
    made = LiveObjects(tf, tmp_path)
    found = {each for each in made.sample() if not each.startswith(OF_THE_READER_S)}
    assert name not in found and made.missing == [str(gone)]
    assert len(found) == (19 if name == "live_tensors" else 20)


def test_files_count_with_those_in_folders_below(made: LiveObjects, tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (tmp_path / "one").write_bytes(b"12345")
    (below / "two").write_bytes(b"123")
    (below / "round").symlink_to(tmp_path, target_is_directory=True)
    found = made.sample()
    link_bytes = os.lstat(below / "round").st_size
    assert (found["files_written"], found["file_bytes"]) == (3, 8 + link_bytes)


def test_a_folder_that_is_gone_has_no_files(tmp_path: Path) -> None:
    found = LiveObjects(tf, tmp_path / "never made").sample()
    assert (found["files_written"], found["file_bytes"]) == (0, 0)


def test_where_nobody_knows_where_files_go_none_are_counted() -> None:
    assert not {"files_written", "file_bytes"} & LiveObjects(tf, None).sample().keys()


def test_so_many_files_that_looking_would_take_long_are_not_all_counted(
    made: LiveObjects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_objects, "MOST_FILES", 3)
    for number in range(5):
        (tmp_path / str(number)).touch()
    assert made.sample()["files_written"] == 3


def test_an_open_file_a_thread_and_a_log_handler_are_each_one_more(
    made: LiveObjects, tmp_path: Path
) -> None:
    before = made.sample()
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    handler = logging.NullHandler()
    logging.getLogger("tests.live_objects").addHandler(handler)
    with open(tmp_path / "log", "w"):
        assert grew(made, before, "open_files", "threads", "log_handlers") == [1, 1, 1]
    logging.getLogger("tests.live_objects").removeHandler(handler)
    del handler
    done.set()
    thread.join()
    assert grew(made, before, "open_files", "log_handlers") == [0, 0]


def test_a_thread_that_labkit_times_is_no_open_file_more(made: LiveObjects) -> None:
    done, delays = threading.Event(), ThreadDelays()
    thread = threading.Thread(target=done.wait)
    before = made.sample()
    thread.start()
    delays.list()
    assert grew(made, before, "open_files", "threads") == [0, 1]
    done.set()
    thread.join()
    delays.close()


@pytest.mark.parametrize("known", [True, False])
def test_a_thread_that_fills_a_tuple_meanwhile_is_not_disturbed(
    made: LiveObjects, known: bool
) -> None:
    """Recorded: SystemError in the readers of a Keras data set, 11 in 2,000 steps; and in a script
    whose generator TensorFlow's threads run, which Python's `threading` does not know.
    """
    filled, errors, over = [0], list[str](), threading.Event()
    ended = threading.Semaphore(0)

    def slow() -> Iterator[int]:
        for number in range(40):
            time.sleep(0.0002)  # as one that reads a file
            yield number

    def fill() -> None:
        while not over.is_set():
            try:
                tuple(slow())
                filled[0] += 1
            except SystemError as error:
                errors.append(str(error))
        ended.release()

    for _ in range(4):
        if known:
            threading.Thread(target=fill).start()
        else:
            _thread.start_new_thread(fill, ())
    until = time.monotonic() + 30
    while filled[0] < 60 and time.monotonic() < until:
        made.sample()
        time.sleep(0.03)
    over.set()
    assert all(ended.acquire(timeout=10) for _ in range(4))
    assert filled[0] >= 60 and errors == []
    assert sys.getswitchinterval() < 0.1


class OfTheReader:
    """Stands for a class of the reader's own."""


def test_objects_of_the_reader_s_own_classes_are_counted_by_class(made: LiveObjects) -> None:
    kept = [OfTheReader() for _ in range(3)]
    assert made.sample()["instances/OfTheReader"] == len(kept)
    kept.clear()
    found = made.sample()
    assert "instances/OfTheReader" not in found
    assert not any(name in found for name in ("instances/Run", "instances/Layer"))
