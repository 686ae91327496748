"""What a program has left to Python's end is found, and Python looks for it only where it is."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

from labkit.bench.bench import Bench
from labkit.bench.worker.finalisers import ONLY_MEMORY, Finalisers
from tests.running import came

pytestmark = pytest.mark.in_turn

HELD: list[object] = []


@pytest.fixture(autouse=True)
def nothing_of_others() -> Iterator[None]:
    gc.collect()
    yield
    HELD.clear()


class Plain:
    """A class of the program's."""


class Finalised:
    def __del__(self) -> None: ...


class Odd(type):
    def __hash__(cls) -> int:
        raise RuntimeError("hashed")

    def __eq__(cls, other: object) -> bool:
        raise RuntimeError("compared")

    def __getattribute__(cls, name: str) -> Any:
        raise RuntimeError(f"asked for {name}")


def suspended() -> Iterator[int]:
    try:
        yield 1
        yield 2
    finally:
        pass


def begun() -> Iterator[int]:
    generator = suspended()
    next(generator)
    return generator


@pytest.mark.parametrize(
    "make",
    [
        Plain, Finalised, begun,
        lambda: Odd("Asked", (), {})(),
    ],
)  # fmt: skip
def test_what_may_be_seen_outside_is_found(make: Any) -> None:
    finalisers = Finalisers()
    HELD.append(make())
    assert finalisers.are_left()


def test_a_writer_of_tensorflows_is_found(tmp_path: Path) -> None:
    finalisers = Finalisers()
    HELD.append(tf.summary.create_file_writer(str(tmp_path)))
    assert finalisers.are_left()


def test_what_tensorflow_and_keras_leave_of_a_training_is_memory_and_no_more() -> None:
    def train() -> None:
        weight = tf.Variable(1.0)
        function = tf.function(lambda x: x * weight)
        with tf.GradientTape() as tape:
            loss = function(tf.constant(2.0))
        assert tape.gradient(loss, weight) is not None
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")
        model.fit(tf.ones((4, 2)), tf.ones((4, 1)), verbose=0)
        sum(float(each) for each in tf.data.Dataset.range(3).map(tf.identity))

    finalisers = Finalisers()
    train()
    gc.collect()
    assert not finalisers.are_left()


def test_what_lived_before_and_what_an_import_makes_is_not_the_programs() -> None:
    HELD.append(Finalised())
    finalisers = Finalisers()
    finalisers.import_begins()
    HELD.append(begun())
    finalisers.import_ends()
    assert not finalisers.are_left()
    HELD.append(begun())
    assert finalisers.are_left()


@pytest.mark.parametrize("name", ONLY_MEMORY)
def test_the_private_modules_of_tensorflow_have_finalisers(name: str) -> None:
    assert any("__del__" in vars(each) for each in vars(import_module(name)).values()
               if isinstance(each, type))  # fmt: skip


COUNTED = """
import atexit, gc, os
{kept}
ended = []
atexit.register(ended.append, True)
number = os.open("collections", os.O_WRONLY | os.O_CREAT)

def count(phase, info, ended=ended, write=os.write, number=number):
    if ended and phase == "start" and info["generation"] == 2:
        write(number, b"one ")

gc.callbacks.append(count)

def make_step():
    return lambda: None
"""


@pytest.mark.parametrize(("kept", "ours"), [("", False), ("class A: ...\ngc.kept = A()", True)])
def test_they_are_collected_where_some_are_left(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: str, ours: bool
) -> None:
    """One collection is Python's own, which comes to nothing where all objects are set aside."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop.py").write_text(COUNTED.format(kept=kept))
    assert bench.start(str(tmp_path / "loop.py"), steps=3).wait(60)
    collections = len((tmp_path / "collections").read_text().split())
    assert collections > 1 if ours else collections == 1


# Each lies in a cycle that is held by a module which is none of the program's.
LEFT = """
import builtins, os
import tensorflow as tf

class Held:
    def __init__(self, **names):
        vars(self).update(names, this=self)

# At that point nothing is left of the names of a module.
def save(name, write=os.write):
    number = os.open(name, os.O_WRONLY | os.O_CREAT)
    return lambda: write(number, b"whole")

class Saves(Held):
    def __del__(self, save=save("saved")):
        save()

def batches(save=save("generator")):
    try:
        yield 1
    finally:
        save()

tf.saves = Saves()
tf.records = Held(records=tf.io.TFRecordWriter("records"))
tf.records.records.write(b"a record")
generator = batches()
next(generator)
builtins.generator = [generator]
builtins.generator.append(builtins.generator)
del generator
tf.summary.create_file_writer("summary", flush_millis=600_000).set_as_default()
for number in range(5):
    tf.summary.write("loss", float(number), step=number)
"""
LOOP = "def make_step():\n    return lambda: None\n"
TURNS = "for number in range(3):\n    tf.constant(1) + 1\n"


def written(folder: Path) -> dict[str, int]:
    """Return how many bytes are in each file that the program has left, but for names of events."""
    return {
        each.relative_to(folder).parts[0]: each.stat().st_size
        for each in folder.rglob("*")
        if each.is_file()
    }


@pytest.mark.parametrize("way", ["loop", "script"])
def test_what_another_module_holds_in_a_cycle_ends_as_in_a_plain_program(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    plain, watched = tmp_path / "plain", tmp_path / "watched"
    for folder in (plain, watched):
        folder.mkdir()
    program = tmp_path / "program.py"
    program.write_text(LEFT + TURNS)
    subprocess.run([sys.executable, str(program)], cwd=plain, check=True, capture_output=True)
    assert set(written(plain)) == {"saved", "records", "generator", "summary"}
    assert min(written(plain).values()) > 0

    monkeypatch.chdir(watched)
    if way == "loop":
        program.write_text(LEFT + LOOP)
        assert bench.start(str(program), steps=3).wait(60)
    else:
        command = [sys.executable, "-m", "labkit.cli", "diagnose", str(program)]
        subprocess.run(command, check=False, capture_output=True)
    assert came(lambda: written(watched) == written(plain))
