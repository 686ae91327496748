"""The files probe against the files themselves, and TensorFlow's own functions. Tier: make test."""

from __future__ import annotations

import io
import os
from pathlib import Path
from types import ModuleType

import pytest

from labkit.measure.clock.events import Happening
from labkit.measure.patches import files
from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")
PROBES = ("files",)


def counted(watching: Watching) -> dict[str, float]:
    return {each.name: watching.counter(each.name) for each in files.FilesProbe.counters}


def saves(watching: Watching) -> list[Happening]:
    return [each for each in watching.events.take() if each.kind == "checkpoint"]


def sizes(folder: Path, start: str) -> int:
    return sum(each.stat().st_size for each in folder.glob(f"{start}*"))


def checkpoint() -> object:
    return tf.train.Checkpoint(weights=tf.Variable(tf.zeros([100])))


def test_saves_bytes_index_and_folder_are_those_on_the_disk(
    watching: Watching, tmp_path: Path
) -> None:
    manager = tf.train.CheckpointManager(checkpoint(), str(tmp_path), max_to_keep=None)
    for number in range(1, 4):
        manager.save()
        found = counted(watching)
        assert found["checkpoint_saves"] == number
        assert found["checkpoint_bytes"] == sizes(tmp_path, "ckpt-")
        assert found["index_bytes"] == (tmp_path / "checkpoint").stat().st_size
        assert found["folder_files"] == len(os.listdir(tmp_path)) == 2 * number + 1


def test_a_save_is_an_event_with_its_bytes(watching: Watching, tmp_path: Path) -> None:
    tf.train.CheckpointManager(checkpoint(), str(tmp_path), max_to_keep=3).save()
    (save,) = saves(watching)
    assert save.detail["bytes"] == sizes(tmp_path, "ckpt-")
    assert isinstance(save.detail["seconds"], float) and save.detail["seconds"] > 0
    assert save.detail["background"] is False


def test_writing_the_index_and_listing_are_booked_apart_within_the_save(
    watching: Watching, tmp_path: Path
) -> None:
    manager = tf.train.CheckpointManager(checkpoint(), str(tmp_path), max_to_keep=1)
    manager.save()
    whole = watching.step(manager.save)
    booked = watching.seconds()
    assert {"checkpoint write", "checkpoint index", "checkpoint folder listing"} <= set(booked)
    assert 0.9 * whole < sum(booked.values()) < whole


def test_every_way_to_save_is_counted_once(watching: Watching, tmp_path: Path) -> None:
    saved = tf.train.Checkpoint(weights=tf.Variable(1.0))
    saved.save(str(tmp_path / "saved"))
    saved.write(str(tmp_path / "written"))
    model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(2)])
    model.save_weights(tmp_path / "model.weights.h5")
    model.save(tmp_path / "model.keras")
    assert watching.counter("checkpoint_saves") == 4
    starts = ("saved", "written", "model.weights.h5", "model.keras")
    assert [each.detail["bytes"] for each in saves(watching)] == [
        sizes(tmp_path, start) for start in starts
    ]


def test_a_saver_of_tensorflow_1_is_counted(watching: Watching, tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        tf.compat.v1.get_variable("weights", [4])
        session.run(tf.compat.v1.global_variables_initializer())
        tf.compat.v1.train.Saver().save(session, str(tmp_path / "old"), write_meta_graph=False)
    assert watching.counter("checkpoint_bytes") == sizes(tmp_path, "old")
    assert watching.seconds()["checkpoint index"] > 0


def test_a_save_in_the_background_is_counted_and_not_booked(
    watching: Watching, tmp_path: Path
) -> None:
    options = tf.train.CheckpointOptions(experimental_enable_async_checkpoint=True)
    saved = tf.train.Checkpoint(weights=tf.Variable(tf.zeros([100])))
    manager = tf.train.CheckpointManager(saved, str(tmp_path), max_to_keep=None)
    manager.save(options=options)
    saved.sync()
    assert watching.counter("checkpoint_saves") == 1
    assert [each.detail["background"] for each in saves(watching)] == [True]
    # Handing the weights over is the step's own time.
    assert set(watching.seconds()) == {"checkpoint write"}


def test_summaries_are_booked_on_their_place_alone(watching: Watching, tmp_path: Path) -> None:
    writer = tf.summary.create_file_writer(str(tmp_path))
    with writer.as_default(step=1):
        tf.summary.write("loss", tf.constant(0.5))
    writer.flush()
    assert set(watching.seconds()) == {"summary write"}
    assert watching.counter("checkpoint_saves") == 0


def test_restoring_and_reading_a_file_are_no_saves(watching: Watching, tmp_path: Path) -> None:
    saved = tf.train.Checkpoint(weights=tf.Variable(1.0))
    path = saved.write(str(tmp_path / "one"))
    saves(watching)
    before = counted(watching)
    saved.read(path).assert_consumed()
    tf.io.read_file(path + ".index")
    assert counted(watching) == before
    assert saves(watching) == []


def test_a_full_folder_is_looked_at_once_a_second_at_most(
    watching: Watching, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "FEW_FILES", 2)
    manager = tf.train.CheckpointManager(checkpoint(), str(tmp_path), max_to_keep=None)
    manager.save()
    assert watching.counter("folder_files") == 3
    manager.save()
    assert watching.counter("folder_files") == 3
    monkeypatch.setattr(files, "SECONDS_BETWEEN_LISTINGS", 0.0)
    assert watching.counter("folder_files") == 5


def test_a_folder_that_the_loop_took_away_is_empty(watching: Watching, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    saved = tf.train.Checkpoint(weights=tf.Variable(1.0))
    saved.write(str(folder / "one"))
    for each in folder.iterdir():
        each.unlink()
    folder.rmdir()
    assert watching.counter("folder_files") == 0


def test_a_model_that_keras_writes_into_memory_is_written_and_no_file(watching: Watching) -> None:
    keras = pytest.importorskip("keras")
    from keras.src.saving import saving_lib

    model = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
    into = io.BytesIO()
    saving_lib.save_model(model, into)
    assert into.getvalue() and watching.counter("checkpoint_saves") == 0
