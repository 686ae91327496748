"""The files probe against the files themselves, and TensorFlow's own functions. Tier: make test."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from labkit.measure.clock.events import Events, Happening
from labkit.measure.clock.timers import Timers
from labkit.measure.patches import files
from labkit.measure.patches.files import FilesProbe

tf: ModuleType = pytest.importorskip("tensorflow")


class Watch:
    """A probe with its timers and its events."""

    def __init__(self) -> None:
        self.timers = Timers(time.perf_counter)
        self.events = Events()
        self.probe = FilesProbe(self.timers, self.events)

    def counted(self) -> dict[str, float]:
        row = [0.0] * len(self.probe.columns)
        self.probe.read(row, 0)
        return dict(zip((column.name for column in self.probe.columns), row, strict=True))

    def seconds(self) -> dict[str, float]:
        row = [0.0] * len(self.timers.columns)
        self.timers.read(row, 0)
        return dict(zip((column.title for column in self.timers.columns), row, strict=True))

    def saves(self) -> list[Happening]:
        return [each for each in self.events.take() if each.kind == "checkpoint"]


@pytest.fixture
def watch() -> Iterator[Watch]:
    made = Watch()
    yield made
    made.probe.close()


def sizes(folder: Path, start: str) -> int:
    return sum(each.stat().st_size for each in folder.glob(f"{start}*"))


def checkpoint() -> object:
    return tf.train.Checkpoint(weights=tf.Variable(tf.zeros([100])))


def test_saves_bytes_index_and_folder_are_those_on_the_disk(watch: Watch, tmp_path: Path) -> None:
    manager = tf.train.CheckpointManager(checkpoint(), str(tmp_path), max_to_keep=None)
    for number in range(1, 4):
        manager.save()
        counted = watch.counted()
        assert counted["checkpoint_saves"] == number
        assert counted["checkpoint_bytes"] == sizes(tmp_path, "ckpt-")
        assert counted["index_bytes"] == (tmp_path / "checkpoint").stat().st_size
        assert counted["folder_files"] == len(os.listdir(tmp_path)) == 2 * number + 1


def test_a_save_is_an_event_with_its_bytes(watch: Watch, tmp_path: Path) -> None:
    tf.train.CheckpointManager(checkpoint(), str(tmp_path), max_to_keep=3).save()
    (save,) = watch.saves()
    assert save.detail["bytes"] == sizes(tmp_path, "ckpt-")
    assert isinstance(save.detail["seconds"], float) and save.detail["seconds"] > 0
    assert save.detail["background"] is False


def test_writing_the_index_and_listing_are_booked_apart_within_the_save(
    watch: Watch, tmp_path: Path
) -> None:
    manager = tf.train.CheckpointManager(checkpoint(), str(tmp_path), max_to_keep=1)
    manager.save()
    watch.timers.begin()
    began = time.perf_counter()
    manager.save()
    whole = time.perf_counter() - began
    booked = watch.seconds()
    names = ("checkpoint write", "checkpoint index", "checkpoint folder listing")
    assert all(booked[name] > 0 for name in names)
    assert 0.9 * whole < sum(booked.values()) < whole


def test_every_way_to_save_is_counted_once(watch: Watch, tmp_path: Path) -> None:
    saved = tf.train.Checkpoint(weights=tf.Variable(1.0))
    saved.save(str(tmp_path / "saved"))
    saved.write(str(tmp_path / "written"))
    model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(2)])
    model.save_weights(tmp_path / "model.weights.h5")
    model.save(tmp_path / "model.keras")
    assert watch.counted()["checkpoint_saves"] == 4
    starts = ("saved", "written", "model.weights.h5", "model.keras")
    assert [each.detail["bytes"] for each in watch.saves()] == [
        sizes(tmp_path, start) for start in starts
    ]


def test_a_saver_of_tensorflow_1_is_counted(watch: Watch, tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        tf.compat.v1.get_variable("weights", [4])
        session.run(tf.compat.v1.global_variables_initializer())
        tf.compat.v1.train.Saver().save(session, str(tmp_path / "old"), write_meta_graph=False)
    assert watch.counted()["checkpoint_bytes"] == sizes(tmp_path, "old")
    assert watch.seconds()["checkpoint index"] > 0


def test_a_save_in_the_background_is_counted_and_not_booked(watch: Watch, tmp_path: Path) -> None:
    options = tf.train.CheckpointOptions(experimental_enable_async_checkpoint=True)
    saved = tf.train.Checkpoint(weights=tf.Variable(tf.zeros([100])))
    manager = tf.train.CheckpointManager(saved, str(tmp_path), max_to_keep=None)
    manager.save(options=options)
    saved.sync()
    assert watch.counted()["checkpoint_saves"] == 1
    assert [each.detail["background"] for each in watch.saves()] == [True]
    booked = watch.seconds()
    assert booked["checkpoint index"] == booked["checkpoint folder listing"] == 0
    assert booked["checkpoint write"] > 0  # handing the weights over is the step's own time


def test_summaries_are_booked_on_their_place_alone(watch: Watch, tmp_path: Path) -> None:
    writer = tf.summary.create_file_writer(str(tmp_path))
    with writer.as_default(step=1):
        tf.summary.write("loss", tf.constant(0.5))
    writer.flush()
    booked = watch.seconds()
    assert booked.pop("summary write") > 0
    assert set(booked.values()) == {0.0}
    assert watch.counted()["checkpoint_saves"] == 0


def test_restoring_and_reading_a_file_are_no_saves(watch: Watch, tmp_path: Path) -> None:
    saved = tf.train.Checkpoint(weights=tf.Variable(1.0))
    path = saved.write(str(tmp_path / "one"))
    watch.saves()
    before = watch.counted()
    saved.read(path).assert_consumed()
    tf.io.read_file(path + ".index")
    assert watch.counted() == before
    assert watch.saves() == []


def test_a_full_folder_is_looked_at_once_a_second_at_most(
    watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "FEW_FILES", 2)
    manager = tf.train.CheckpointManager(checkpoint(), str(tmp_path), max_to_keep=None)
    manager.save()
    assert watch.counted()["folder_files"] == 3
    manager.save()
    assert watch.counted()["folder_files"] == 3
    monkeypatch.setattr(files, "SECONDS_BETWEEN_LISTINGS", 0.0)
    assert watch.counted()["folder_files"] == 5


def test_a_folder_that_the_loop_took_away_is_empty(watch: Watch, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    saved = tf.train.Checkpoint(weights=tf.Variable(1.0))
    saved.write(str(folder / "one"))
    for each in folder.iterdir():
        each.unlink()
    folder.rmdir()
    assert watch.counted()["folder_files"] == 0
