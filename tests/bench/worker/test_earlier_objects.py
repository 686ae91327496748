"""What lived before a loop is set aside at its end, and nothing that the loop has made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from labkit.bench.bench import Bench
from labkit.record import State

# In a process of its own: what is set aside stays so.
PROGRAM = """
import gc
from labkit.bench.worker.earlier_objects import EarlierObjects

class Cycle:
    def __init__(self, name):
        self.name, self.itself = name, self
    def __del__(self):
        print("gone:", self.name)

gc.disable()
standing = [[] for _ in range(100_000)]
dead = Cycle("of before")
earlier = EarlierObjects()
del dead
gc.collect()
made = [Cycle("of later")]
gc.collect()
made += [Cycle(f"number {number}") for number in range({later})]
earlier.set_aside()
print("gone through:", len(gc.get_objects()))
made.clear()
gc.collect()
standing[0].append(Cycle("held by one of before"))
standing.clear()
gc.collect()
print("end", flush=True)
import os
os._exit(0)
"""
AT_ITS_END = """
import gc, os, threading, time
import tensorflow as tf

FILE = os.open("living", os.O_WRONLY | os.O_CREAT)

class Last:
    # Python may have let go of all names by then.
    def __del__(self, write=os.write, living=gc.get_objects, length=len, file=FILE):
        write(file, b"%d" % length(living()))

last = Last()
x = tf.Variable(1.0)
{more}

@tf.function
def double():
    return x + x

def make_step():
    return lambda: double()
"""
# Its data go on being made when it ends, by a function that changes what is set aside.
READ_AHEAD = """
import os
import tensorflow as tf

class Cycle:
    def __init__(self):
        self.itself, self.file = self, os.open("saved", os.O_WRONLY | os.O_CREAT)
    def __del__(self, write=os.write):
        write(self.file, b"whole")

cycle = Cycle()
cache = [{} for _ in range(150_000)]

def read(number):
    for each in cache:
        each.clear()
        each[0] = [number]
    return number

numbers = tf.data.Dataset.range(10**9)
data = iter(numbers.map(lambda x: tf.py_function(read, [x], tf.int64), 2).prefetch(1000))

def make_step():
    return lambda: next(data)
"""


def _told(later: int) -> list[str]:
    command = [sys.executable, "-c", PROGRAM.replace("{later}", str(later))]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def test_only_what_was_made_later_is_gone_through_and_all_of_that_is_finished() -> None:
    count, *gone, end = _told(2)
    assert int(count.split(": ")[1]) < 100
    # As Python would: the oldest first.
    names = ["of later", "number 0", "number 1", "held by one of before"]
    assert gone == [f"gone: {name}" for name in names] and end == "end"


def test_where_more_was_made_later_nothing_is_set_aside() -> None:
    count, *gone, end = _told(200_000)
    assert int(count.split(": ")[1]) > 300_000
    assert len(gone) == 200_003 and end == "end"
    assert {"gone: of before", "gone: of later", "gone: held by one of before"} <= set(gone)


@pytest.mark.parametrize(
    ("more", "few"),
    [("", True), ("threading.Thread(target=time.sleep, args=[60], daemon=True).start()", False)],
    ids=["alone", "beside a thread, which may be making some"],
)
def test_python_s_end_goes_through_what_the_loop_has_made_alone(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, few: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    loop = tmp_path / "loop.py"
    loop.write_text(AT_ITS_END.replace("{more}", more))
    session = bench.start(str(loop), steps=5)
    assert session.wait(60)
    assert session.snapshot().state == State("done")
    assert (int((tmp_path / "living").read_text()) < 20_000) is few


def test_a_thread_of_tensorflow_s_that_still_reads_data_breaks_no_end(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded: Python aborted, for a dictionary had been taken up by that thread and by us."""
    monkeypatch.chdir(tmp_path)
    loop = tmp_path / "loop.py"
    loop.write_text(READ_AHEAD)
    session = bench.start(str(loop), steps=20)
    assert session.wait(60)
    assert session.snapshot().state == State("done")
    assert (tmp_path / "saved").read_text() == "whole"
