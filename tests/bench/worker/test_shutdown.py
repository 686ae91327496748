"""What a loop leaves to Python's end is done, whichever way its run ends in its worker."""

from __future__ import annotations

import gzip
import json
import math
import shelve
import sqlite3
import time
import wave
import zipfile
from pathlib import Path

import psutil
import pytest

from labkit.bench.bench import Bench
from labkit.bench.supervision import death, overdue
from labkit.bench.supervision.limits import Limits
from labkit.bench.worker import shutdown
from labkit.record import State
from tests.running import came

pytestmark = pytest.mark.in_turn

STEPS = 700

WRITES = """
import atexit, csv, gzip, shelve, time, zipfile
from concurrent.futures import ThreadPoolExecutor
import tensorflow as tf

table = open("table.csv", "w")
rows = csv.writer(table)
text = gzip.open("text.gz", "wt")
records = tf.io.TFRecordWriter("records")
archive = zipfile.ZipFile("archive.zip", "w")
shelf = shelve.open("shelf", writeback=True)
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
        shelf["steps"] = []
    shelf["steps"].append(steps)
    if steps == 700:
        pool.submit(lambda: (time.sleep(1.5), keep("in_a_thread")))
        {at_last}

def make_step():
    return step
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

AT_EXIT = """
import atexit, os, sqlite3, threading, time

table = open("table.csv", "w")
data = sqlite3.connect("data.db")
data.execute("create table steps(number)")
data.commit()

def end():
    {end}

atexit.register(end)

def make_step():
    return lambda: (table.write("line\\n"), data.execute("insert into steps values(1)"))
"""

THREAD = """
import queue, threading

table = open("table.csv", "w")
batches = queue.Queue(maxsize=4)

def produce():
    while True:
        batches.put(1)

def make_step():
    shutdown.THREAD_SECONDS = 0.5  # the tests' patience
    threading.Thread(target=produce).start()
    return lambda: (batches.get(), table.write("line\\n"))
"""

OUTPUT = """
import sys

class Quiet:
    def write(self, data): ...

class Tee:
    def __init__(self, *files):
        self.files = files
    def write(self, data):
        for each in self.files:
            each.write(data)
    def flush(self):
        for each in self.files:
            each.flush()
    def close(self):
        for each in self.files:
            each.close()

{output}

def make_step():
    return lambda: {step}
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
    with shelve.open(str(tmp_path / "shelf")) as shelf:
        assert len(shelf["steps"]) == STEPS
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


def _lines(folder: Path, name: str = "table.csv") -> int:
    return len((folder / name).read_text().splitlines())


def test_a_function_at_exit_runs_on_the_main_thread_and_takes_the_time_it_needs(
    bench: Bench, tmp_path: Path
) -> None:
    """A database answers only the thread that opened it, and a last save may take seconds."""
    end = "time.sleep(1.5); data.commit(); open('saved', 'w').write('whole')"
    state = _run(bench, tmp_path, AT_EXIT.replace("{end}", end), 50)

    assert (state.name, state.reason) == ("done", "")
    assert (tmp_path / "saved").read_text() == "whole"
    kept = sqlite3.connect(tmp_path / "data.db").execute("select count(*) from steps")
    assert kept.fetchone() == (50,)


def test_one_that_never_ends_is_cut_short_and_the_files_are_kept(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overdue, "FINISH_SECONDS", 3.0)
    state = _run(bench, tmp_path, AT_EXIT.replace("{end}", "threading.Event().wait()"), 50)

    assert (state.name, state.reason) == ("done", overdue.CUT_SHORT.format(3.0))
    assert _lines(tmp_path) == 50


def test_a_stop_does_not_wait_for_one_that_never_ends(bench: Bench, tmp_path: Path) -> None:
    end = "open('ending', 'w').close(); threading.Event().wait()"
    (tmp_path / "loop.py").write_text(AT_EXIT.replace("{end}", end))
    session = bench.start(str(tmp_path / "loop.py"), steps=50)
    assert came(lambda: (tmp_path / "ending").exists(), 30)
    # Said twice, and heard a moment later; who asks before that gets what was written.
    assert came(lambda: time.monotonic() - (session.timing.finishing or math.inf) > 1, 30)
    assert not session.state.ended

    session.stop()

    assert session.wait(overdue.FINISH_SECONDS / 2)
    assert session.state.name == "done" and len(session.snapshot().steps) == 50


def test_a_stop_within_a_long_step_does_not_make_it_fail(bench: Bench, tmp_path: Path) -> None:
    """Recorded: all objects were listed meanwhile, a tuple in the making among them."""
    (tmp_path / "loop.py").write_text(
        "import time\n\n"
        "def slow(number):\n    time.sleep(0.001)\n    return number\n\n"
        "def make_step():\n"
        "    return lambda: [tuple(slow(i) for i in range(25)) for _ in range(60)]\n"
    )
    session = bench.start(str(tmp_path / "loop.py"), steps=50)
    assert came(lambda: session.count == 1, 30)
    session.stop()
    assert session.wait(30) and session.state.name == "stopped", session.state


@pytest.mark.parametrize(
    ("end", "by"), [("os._exit(0)", "by itself"), ("os.kill(os.getpid(), 9)", "by SIGKILL")]
)
def test_one_that_ends_the_process_takes_nothing_of_the_run_along(
    bench: Bench, tmp_path: Path, end: str, by: str
) -> None:
    began = time.monotonic()
    state = _run(bench, tmp_path, AT_EXIT.replace("{end}", end), 50)

    assert time.monotonic() - began < overdue.FINISH_SECONDS
    assert (state.name, state.reason) == ("done", death.PROCESS_ENDED.format(by))
    assert _lines(tmp_path) == 50


def test_a_thread_that_goes_on_is_ended_and_the_run_says_so(bench: Bench, tmp_path: Path) -> None:
    state = _run(bench, tmp_path, "from labkit.bench.worker import shutdown\n" + THREAD, 50)

    ended = shutdown.THREAD_ENDED.format(0.5)
    assert (state.name, state.reason) == ("done", ended)
    assert _lines(tmp_path) == 50


@pytest.mark.parametrize(
    "output",
    [
        "sys.stdout = Tee(sys.stdout, open('table.csv', 'w'))",
        "tee = Tee(sys.__stdout__, open('table.csv', 'w'))",
        "sys.stdout.close()",
        "sys.stdout = None",
        "sys.stdout = sys.stderr = Quiet()",
    ],
)
def test_whatever_a_loop_prints_to_its_run_is_told_as_it_ended(
    bench: Bench, tmp_path: Path, output: str
) -> None:
    code = OUTPUT.replace("{output}", output)
    assert _run(bench, tmp_path, code.replace("{step}", "None"), 5) == State("done")
    raised = _run(bench, tmp_path, code.replace("{step}", "1 / 0"), 5)
    assert (raised.name, raised.error) == ("failed", "ZeroDivisionError")


def test_what_is_printed_to_a_file_as_well_is_in_both(bench: Bench, tmp_path: Path) -> None:
    code = OUTPUT.replace("{output}", "sys.stdout = Tee(sys.stdout, open('table.csv', 'w'))")
    (tmp_path / "loop.py").write_text(code.replace("{step}", "print('a line')"))
    session = bench.start(str(tmp_path / "loop.py"), steps=5)
    assert session.wait(60)
    assert session.snapshot().log.count("a line") == _lines(tmp_path) == 5


def test_one_that_fails_keeps_no_other_from_being_written(bench: Bench, tmp_path: Path) -> None:
    state = _run(bench, tmp_path, ODD, 5)

    assert state.name == "done"
    assert (tmp_path / "table.csv").read_text() == "kept"


def test_the_private_names_of_python_are_there() -> None:
    assert all(callable(getattr(module, name)) for module, name in shutdown.PRIVATE)


def test_a_save_on_a_thread_of_the_loops_own_is_whole(bench: Bench, tmp_path: Path) -> None:
    """Recorded: all objects were listed meanwhile, and a tuple in the making cannot stand that."""
    (tmp_path / "loop.py").write_text(
        "import time\nfrom concurrent.futures import ThreadPoolExecutor\n\n"
        "pool, steps = ThreadPoolExecutor(1), 0\n\n"
        "def slow(number):\n    time.sleep(0.001)\n    return number\n\n"
        "def save():\n"
        "    with open('table.csv', 'w') as file:\n"
        "        for _ in range(20):\n"
        "            print(tuple(slow(i) for i in range(25)), file=file)\n\n"
        "def step():\n"
        "    global steps\n"
        "    steps += 1\n"
        "    if steps == 10:\n"
        "        pool.submit(save)\n\n"
        "def make_step():\n    return step\n"
    )
    for _ in range(5):
        session = bench.start(str(tmp_path / "loop.py"), steps=10)
        assert session.wait(60) and session.state == State("done")
        assert _lines(tmp_path) == 20
        (tmp_path / "table.csv").unlink()


def test_a_worker_that_is_done_does_not_hurry_the_others(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded: the slower worker was killed, and the end of the first was said to be too long."""
    # Enough for an end on a busy machine, and less than the slower worker still has to run.
    monkeypatch.setattr(overdue, "FINISH_SECONDS", 3.0)
    (tmp_path / "loop.py").write_text(
        "import json, os, time\n\n"
        "def make_step():\n"
        "    number = json.loads(os.environ['TF_CONFIG'])['task']['index']\n"
        "    return lambda: time.sleep(0.1 * number)\n"
    )
    session = bench.start(str(tmp_path / "loop.py"), steps=40, workers=2, exposed=True)
    assert session.wait(60)

    run = session.snapshot()
    assert run.state == State("done")
    assert [len(run.steps), *map(len, run.others)] == [40, 40]


def test_a_loop_finds_no_arguments_but_its_file(bench: Bench, tmp_path: Path) -> None:
    """Recorded: a batch size that a file takes from its command line was a descriptor's number."""
    code = (
        "import argparse, sys\n"
        "argparse.ArgumentParser().parse_args()\n"
        "open('table.csv', 'w').write('\\n'.join(sys.argv))\n"
        "def make_step():\n    return lambda: None\n"
    )
    assert _run(bench, tmp_path, code, 5) == State("done")
    assert (tmp_path / "table.csv").read_text() == str(tmp_path / "loop.py")


OWN_CLASSES = """
import os, sqlite3
import tensorflow as tf

class Replaces:
    def __init__(self):
        self.part = open("part", "w")
    def write(self, text):
        self.part.write(text)
    def close(self):
        os.replace("part", "whole")

class Finalised(Replaces):
    def __init__(self):
        pass
    def __del__(self):
        open("finalised", "w").close()

class Counted(tf.io.TFRecordWriter):
    def close(self):
        raise RuntimeError("the loop's own, which Python does not call")

class Data(sqlite3.Connection):
    pass

records = Counted("records")
open("whole", "w").write("of yesterday")
replaces, finalised = Replaces(), Finalised()
data = sqlite3.connect("data.db", isolation_level=None, factory=Data)
data.execute("pragma journal_mode=wal")
data.execute("create table steps(number)")

def make_step():
    def step():
        replaces.write("half")
        records.write(b"a record")
        data.execute("insert into steps values(1)")
    return step
"""


def test_a_class_of_the_loop_s_own_is_let_go_and_not_closed(bench: Bench, tmp_path: Path) -> None:
    """Recorded: the half file of a loop that had failed took the place of a whole one."""
    assert _run(bench, tmp_path, OWN_CLASSES, 20) == State("done")
    assert (tmp_path / "whole").read_text() == "of yesterday"
    assert (tmp_path / "part").read_text() == "half" * 20
    assert (tmp_path / "finalised").exists()
    # What a class inherits from a library's is let go as well: there, by its destructor.
    framing_bytes = 16
    assert (tmp_path / "records").stat().st_size == 20 * (len(b"a record") + framing_bytes)
    # Python lets go of the database, which then is one file.
    assert not list(tmp_path.glob("data.db-*"))
    kept = sqlite3.connect(tmp_path / "data.db").execute("select count(*) from steps")
    assert kept.fetchone() == (20,)


WATCHDOG = """
import atexit, signal, threading, time

def too_long(*_):
    raise TimeoutError("a step takes too long")

def keep(name):
    time.sleep(0.5)
    open(name, "w").close()

signal.signal(signal.SIGALRM, too_long)
atexit.register(open, "at_exit", "w")

def make_step():
    def step():
        signal.setitimer(signal.ITIMER_REAL, 0.2)
    threading.Timer(1.0, keep, ["in_a_thread"]).start()
    return step
"""


def test_a_watchdog_that_the_loop_left_running_ends_nothing_early(
    bench: Bench, tmp_path: Path
) -> None:
    """Recorded: what it raised while threads were waited for cut all the rest short."""
    assert _run(bench, tmp_path, WATCHDOG, 20) == State("done")
    assert (tmp_path / "in_a_thread").exists() and (tmp_path / "at_exit").exists()


NO_THREAD = """
import threading, time

def keep():
    time.sleep(1.0)
    open("in_a_thread", "w").close()

def refuse(self):
    raise RuntimeError("can't start new thread")

table = open("table.csv", "w")
count = 0

def step():
    global count
    count += 1
    table.write("line\\n")
    if count == 20:
        threading.Thread(target=keep).start()
        threading.Thread.start = refuse

def make_step():
    return step
"""


def test_threads_are_waited_for_where_no_other_one_can_be_started(
    bench: Bench, tmp_path: Path
) -> None:
    """Recorded: under a limit of memory nothing was waited for."""
    assert _run(bench, tmp_path, NO_THREAD, 20) == State("done")
    assert (tmp_path / "in_a_thread").exists() and _lines(tmp_path) == 20


CHILDREN = """
import os, sys

def work(number):
    part = open(f"part{number}", "w")
    part.write("written")
    if number == 1:
        raise ValueError("no data for this part")
    sys.exit(3 * number)

def make_step():
    def step():
        for number in range(3):
            child = os.fork()
            if child == 0:
                work(number)
            with open("statuses", "a") as told:
                told.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])} ")
    return step
"""


def test_a_child_that_the_loop_forks_ends_as_one_of_a_plain_script(
    bench: Bench, tmp_path: Path
) -> None:
    """Recorded: one that had failed told of success, and its files were empty."""
    (tmp_path / "loop.py").write_text(CHILDREN)
    session = bench.start(str(tmp_path / "loop.py"), steps=1)
    assert session.wait(60) and session.state == State("done")
    assert (tmp_path / "statuses").read_text().split() == ["0", "1", "6"]
    assert [(tmp_path / f"part{number}").read_text() for number in range(3)] == ["written"] * 3
    assert "ValueError: no data for this part" in session.snapshot().log


LET_GO = """
import dbm.dumb, gzip, io, json, os, shelve, tempfile, wave
import tensorflow as tf

class Lines(io.TextIOWrapper):
    def record(self):
        self.write("line\\n")

class History:
    def __init__(self):
        self.losses = []
    def __del__(self):
        with open("history.json", "w") as file:
            json.dump(self.losses, file)

class Batched:
    def __init__(self):
        self.file, self.rows = open("batched.csv", "w"), []
    def add(self, row):
        self.rows.append(row)
        if len(self.rows) == 100:
            self.pour()
    def pour(self):
        self.file.write("".join(self.rows))
        self.rows.clear()
    def __del__(self):
        self.pour()
        self.file.close()

shelf = shelve.Shelf(dbm.dumb.open("shelf", "c"), writeback=True)
shelf["losses"] = []
lines = Lines(gzip.open("lines.gz", "wb"))
packed = gzip.GzipFile(fileobj=tf.io.gfile.GFile("packed.gz", "wb"), mode="wb")
sound = wave.open("sound.wav", "wb")
sound.setparams((1, 2, 8000, 0, "NONE", ""))
history, batched = History(), Batched()
scratch = tempfile.NamedTemporaryFile("w", dir=".", prefix="scratch-")
sorter = os.popen("sort > sorted.txt", "w")
steps = 0

def step():
    global steps
    steps += 1
    shelf["losses"].append(0.5)
    lines.record()
    packed.write(b"line\\n")
    sound.writeframesraw(b"ab")
    history.losses.append(0.5)
    batched.add("line\\n")
    for place in range(100):
        sorter.write(f"{steps * 7919 % 1000:04}{place:03}\\n")

def make_step():
    return step
"""


def test_python_lets_go_of_all_that_a_loop_has_made_in_its_own_order(
    bench: Bench, tmp_path: Path
) -> None:
    """Recorded: each of these was lost or damaged, for labkit closed what it took for a file."""
    assert _run(bench, tmp_path, LET_GO, 350) == State("done")

    with shelve.open(str(tmp_path / "shelf"), "r") as shelf:
        assert len(shelf["losses"]) == 350
    for name in ("lines.gz", "packed.gz"):
        assert gzip.decompress((tmp_path / name).read_bytes()) == b"line\n" * 350
    with wave.open(str(tmp_path / "sound.wav")) as sound:
        assert sound.getnframes() == 350
    assert len(json.loads((tmp_path / "history.json").read_text())) == 350
    assert (tmp_path / "batched.csv").read_text() == "line\n" * 350
    assert not list(tmp_path.glob("scratch-*"))
    # A program at the end of a pipe begins to write when the pipe is closed.
    rows = (tmp_path / "sorted.txt").read_text().splitlines()
    assert len(rows) == 35_000 and rows == sorted(rows)


def test_a_child_that_does_nothing_is_ended_soon(bench: Bench, tmp_path: Path) -> None:
    code = "import subprocess\nchild = subprocess.Popen(['sleep', '600'])\n"
    code += "open('pid', 'w').write(str(child.pid))\ndef make_step():\n    return lambda: None\n"
    began = time.monotonic()
    assert _run(bench, tmp_path, code, 5) == State("done")
    assert time.monotonic() - began < 15
    assert not psutil.pid_exists(int((tmp_path / "pid").read_text()))


LONG_STEP = """
import atexit, time
history = open("history.csv", "w")
atexit.register(lambda: (time.sleep({exit}), open("at_exit", "w").close()))
steps = 0
def step():
    global steps
    steps += 1
    history.write("line\\n")
    if steps == 3:
        time.sleep(600)
def make_step():
    return step
"""


@pytest.mark.parametrize("ending", ["stopped", "silent", "time_limit"])
def test_a_step_that_goes_on_is_interrupted_and_what_was_written_is_kept(
    bench: Bench, tmp_path: Path, ending: str
) -> None:
    """As by Ctrl-C. Recorded: its process was killed, and with it what was in no file yet."""
    limits = {
        "stopped": Limits(), "silent": Limits(silent_seconds=2.0),
        "time_limit": Limits(wall_seconds=1.0),
    }[ending]  # fmt: skip
    # Longer than a Stop waits for a step: a model is saved.
    (tmp_path / "loop.py").write_text(LONG_STEP.replace("{exit}", "3"))
    session = bench.start(str(tmp_path / "loop.py"), steps=50, limits=limits)
    assert came(lambda: session.count == 2, 60)
    if ending == "stopped":
        session.stop()
    assert session.wait(30) and session.state.name == ending, session.state
    assert _lines(tmp_path, "history.csv") == 3 and (tmp_path / "at_exit").exists()
    assert len(session.snapshot().steps) == 2 and not session.state.traceback


def test_what_is_cut_short_after_a_stop_is_told(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overdue, "FINISH_SECONDS", 2.0)
    (tmp_path / "loop.py").write_text(LONG_STEP.replace("{exit}", "600"))
    session = bench.start(str(tmp_path / "loop.py"), steps=50)
    assert came(lambda: session.count == 2, 60)
    session.stop()
    assert session.wait(30) and session.state.name == "stopped"
    assert session.state.reason.endswith(f". {overdue.CUT_SHORT.format(2.0)}")
