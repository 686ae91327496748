"""A program's files are the same under labkit as alone, whoever holds what writes them at its end.

Tier: make test, in turn.

Recorded, of an end that set all objects aside to be quick: each of these was cut short, or stayed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from labkit.bench.bench import Bench
from tests.running import came

pytestmark = pytest.mark.in_turn

# Each is held in a cycle, and has no finaliser that Python knows: a destructor in C ends it.
ENDED_BY_C = """
import logging, os, sqlite3, weakref
import tensorflow as tf

def saved_error():
    records = tf.io.TFRecordWriter("records")
    for number in range(100):
        records.write(bytes(50))
    data = sqlite3.connect("steps.db")
    data.execute("pragma journal_mode=wal")
    data.execute("create table steps(number)")
    data.commit()
    try:
        raise ValueError("kept")
    except ValueError as error:
        kept = error

def closure():
    log = tf.io.gfile.GFile("log.csv", "w")
    def note(number):
        log.write("line\\n")
        return number
    step = tf.function(lambda: tf.py_function(note, [1.0], tf.float32))
    for number in range(3):
        step()
    note.step = step

def unfinished_cache():
    iterator = iter(tf.data.Dataset.range(1000).cache("cache"))
    step = tf.function(lambda: next(iterator))
    for number in range(3):
        step()

def watched():
    model = tf.Module()
    model.itself = model
    def gone(reference, write=os.write, number=os.open("gone", os.O_WRONLY | os.O_CREAT)):
        write(number, b"gone")
    logging.kept = weakref.ref(model, gone)

saved_error()
closure()
unfinished_cache()
watched()
"""
ENDED_BY_C_FILES = {"records", "steps.db", "log.csv", "gone"}

# Each is held in a cycle by a module that is none of the program's.
HELD = """
import builtins, os
import tensorflow as tf

class Held:
    def __init__(self, **names):
        vars(self).update(names, this=self)

class Saves(Held):
    # At that point nothing is left of the names of a module.
    def __del__(self, write=os.write, number=os.open("saved", os.O_WRONLY | os.O_CREAT)):
        write(number, b"whole")

def batches(write=os.write, number=os.open("generator", os.O_WRONLY | os.O_CREAT)):
    try:
        yield 1
    finally:
        write(number, b"whole")

tf.saves = Saves()
tf.records = Held(records=tf.io.TFRecordWriter("more"))
tf.records.records.write(b"a record")
builtins.generator = [batches()]
builtins.generator.append(builtins.generator)
next(builtins.generator[0])
tf.summary.create_file_writer("summary", flush_millis=600_000).set_as_default()
for number in range(5):
    tf.summary.write("loss", float(number), step=number)
"""
HELD_FILES = {"saved", "more", "generator", "summary"}

# None of these is let go of by Python at all.
NOT_LET_GO = """
import ctypes, os, queue, sys, threading
import tensorflow as tf

def write(records, numbers):
    while True:
        records.write(numbers.get())
        numbers.task_done()

numbers = queue.Queue()
arguments = [tf.io.TFRecordWriter("records"), numbers]
threading.Thread(target=write, args=arguments, daemon=True).start()
for number in range(100):
    numbers.put(bytes(50))
numbers.join()

c = ctypes.CDLL(None)
c.fopen.restype = ctypes.c_void_p
c.fputs(b"of C\\n", ctypes.c_void_p(c.fopen(b"c", b"w")))

child = os.fork()
if child == 0:
    sys.records = tf.io.TFRecordWriter("child")
    sys.records.write(bytes(500))
    sys.exit(0)
os.waitpid(child, 0)
"""
NOT_LET_GO_FILES = {"records", "c", "child"}
LOOP = "def make_step():\n    return lambda: tf.constant(1) + 1\n"
TURNS = "for number in range(3):\n    tf.constant(1) + 1\n"


def written(folder: Path) -> dict[str, int]:
    """Return how many bytes are in each file that a program has left, or in each folder."""
    sizes: dict[str, int] = {}
    for each in sorted(folder.rglob("*")):
        if each.is_file():
            name = each.relative_to(folder).parts[0]
            sizes[name] = sizes.get(name, 0) + each.stat().st_size
    return sizes


@pytest.mark.parametrize("way", ["loop", "script"])
@pytest.mark.parametrize(
    ("program", "files"),
    [(ENDED_BY_C, ENDED_BY_C_FILES), (HELD, HELD_FILES), (NOT_LET_GO, NOT_LET_GO_FILES)],
    ids=["ended by C", "held elsewhere", "not let go of"],
)
def test_all_that_a_program_writes_is_written_as_if_it_ran_alone(
    bench: Bench,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    program: str,
    files: set[str],
    way: str,
) -> None:
    alone, watched = tmp_path / "alone", tmp_path / "watched"
    for folder in (alone, watched):
        folder.mkdir()
    file = tmp_path / "program.py"
    file.write_text(program + TURNS)
    subprocess.run([sys.executable, str(file)], cwd=alone, check=True, capture_output=True)
    assert set(written(alone)) == files and min(written(alone).values()) > 0

    monkeypatch.chdir(watched)
    if way == "loop":
        file.write_text(program + LOOP)
        assert bench.start(str(file), steps=3).wait(60)
    else:
        command = [sys.executable, "-m", "labkit.cli", "diagnose", str(file)]
        subprocess.run(command, check=False, capture_output=True)
    assert came(lambda: written(watched) == written(alone)), (written(watched), written(alone))


COLLECTIONS = """
import gc, os, tensorflow

# With names of its own: one of the program's would hold the program.
exec('''
import os
FILE = os.open("collections", os.O_WRONLY | os.O_CREAT)

def note(phase, told, write=os.write, file=FILE):
    if phase == "start" and told["generation"] == 2:
        write(file, b".")
''', names := {})
gc.callbacks.append(names.pop("note"))
"""


def test_what_lives_is_gone_through_once_more_than_by_a_program_alone(tmp_path: Path) -> None:
    """Each takes a fifth of a second where TensorFlow was imported."""
    (tmp_path / "program.py").write_text(COLLECTIONS)
    counts = []
    for command in (["program.py"], ["-m", "labkit.cli", "diagnose", "--whole", "program.py"]):
        subprocess.run([sys.executable, *command], cwd=tmp_path, check=False, capture_output=True)
        counts.append((tmp_path / "collections").stat().st_size)
        (tmp_path / "collections").unlink()
    alone, watched = counts
    assert 0 < watched <= alone + 1, counts
