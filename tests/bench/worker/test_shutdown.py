"""What a loop leaves to Python's end is done, whichever way its run ends in its worker."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from labkit.bench.bench import Bench
from labkit.bench.worker import shutdown
from labkit.record import State

STEPS = 700

WRITES = """
import atexit, csv, gzip, zipfile
from concurrent.futures import ThreadPoolExecutor
import tensorflow as tf

table = open("table.csv", "w")
rows = csv.writer(table)
text = gzip.open("text.gz", "wt")
records = tf.io.TFRecordWriter("records")
archive = zipfile.ZipFile("archive.zip", "w")
pool = ThreadPoolExecutor(1)
steps = 0

def keep(name):
    with open(name, "w") as file:
        file.write(name)

atexit.register(keep, "at_exit")

def step():
    global steps
    steps += 1
    rows.writerow([steps, 0.5])
    text.write("line\\n")
    records.write(b"a record")
    if steps == 1:
        archive.writestr("entry", "content" * 1000)
    if steps == 700:
        pool.submit(keep, "in_a_thread")
        {at_last}

def make_step():
    return step
"""

HANGS = """
import atexit, threading

def hang():
    threading.Event().wait()

class Flood:
    def write(self, data): ...
    def flush(self): ...
    def close(self): hang()

atexit.register(hang)
flood = Flood()

def make_step():
    return lambda: None
"""

ODD = """
import atexit, sys

class Proxy:
    @property
    def __class__(self):
        raise RuntimeError("asked for its class")
    def __getattr__(self, name):
        raise RuntimeError("asked for " + name)

class Cross:
    def write(self, data): ...
    def close(self): raise ValueError("cannot be closed")

proxy, cross = Proxy(), Cross()
table = open("table.csv", "w")
atexit.register(lambda: table.write("kept"))
atexit.register(sys.exit, 3)

def make_step():
    return lambda: None
"""


def _run(bench: Bench, folder: Path, code: str, steps: int) -> State:
    file = folder / "loop.py"
    file.write_text(code)
    session = bench.start(str(file), steps=steps)
    assert session.wait(60)
    return session.snapshot().state


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("at_last", "ending"), [("pass", "done"), ("raise SystemExit(0)", "failed")]
)
def test_what_a_loop_wrote_is_kept_as_if_python_had_ended(
    bench: Bench, tmp_path: Path, at_last: str, ending: str
) -> None:
    state = _run(bench, tmp_path, WRITES.replace("{at_last}", at_last), STEPS)

    assert state.name == ending
    assert len((tmp_path / "table.csv").read_text().splitlines()) == STEPS
    with gzip.open(tmp_path / "text.gz", "rt") as text:
        assert len(text.readlines()) == STEPS
    framing_bytes = 16  # of a TFRecord: a length, and a checksum each of length and data
    assert (tmp_path / "records").stat().st_size == STEPS * (len(b"a record") + framing_bytes)
    assert zipfile.ZipFile(tmp_path / "archive.zip").read("entry") == b"content" * 1000
    assert (tmp_path / "at_exit").read_text() == "at_exit"
    assert (tmp_path / "in_a_thread").read_text() == "in_a_thread"


def test_a_loop_that_is_stopped_keeps_what_it_wrote(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(WRITES.replace("{at_last}", "pass"))
    session = bench.start(str(tmp_path / "loop.py"), steps=10**6)
    while not session.count:
        assert not session.wait(0.01)

    session.stop()
    assert session.wait(30)

    run = session.snapshot()
    assert run.state.name == "stopped"
    assert len((tmp_path / "table.csv").read_text().splitlines()) == len(run.steps)


def test_what_never_ends_is_cut_short_and_the_log_says_so(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(HANGS)
    session = bench.start(str(tmp_path / "loop.py"), steps=5)
    assert session.wait(30)

    run = session.snapshot()
    assert (run.state.name, len(run.steps)) == ("done", 5)
    assert shutdown.CUT_SHORT.format(shutdown.SHUTDOWN_SECONDS) in run.log


def test_one_that_fails_keeps_no_other_from_being_written(bench: Bench, tmp_path: Path) -> None:
    state = _run(bench, tmp_path, ODD, 5)

    assert state.name == "done"
    assert (tmp_path / "table.csv").read_text() == "kept"


def test_the_private_names_of_python_are_there() -> None:
    assert all(callable(getattr(module, name)) for module, name in shutdown.PRIVATE)
