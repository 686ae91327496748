"""What a script does at its end, it does under labkit as with Python: each is run both ways.

Tier: make test, in turn.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import labkit

pytestmark = pytest.mark.in_turn


@pytest.fixture(autouse=True)
def in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


TRACED = """
import atexit, sys
calls, file = 0, open("told", "w")
def trace(frame, event, arg):
    global calls
    calls += 1
sys.settrace(trace)
file.write("early ")
atexit.register(lambda: file.write("late"))
"""
BROKEN = """
import atexit, threading
threading.enumerate = None
file = open("told", "w")
file.write("early ")
atexit.register(lambda: file.write("late"))
"""
DAEMON = """
import threading, time
def heartbeat():
    try:
        while True:
            time.sleep(0.001)
    except Exception as error:
        open("told", "w").write(repr(error))
threading.Thread(target=heartbeat, daemon=True).start()
"""
FORKED = """
import os, threading, time
child = os.fork()
if child == 0:
    def save():
        time.sleep(11)
        open("told", "w").write("saved")
    threading.Thread(target=save).start()
else:
    print("ended with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
INTERRUPTED = """
import os, sys
child = os.fork()
if child == 0:
    raise KeyboardInterrupt
print("ended with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
EXITED = """
import os, sys
child = os.fork()
if child == 0:
    sys.exit(2**70)
print("ended with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
TEED = """
import sys
FILE = open("told", "w")
class Tee:
    def __init__(self, stream):
        self.stream = stream
    def write(self, text):
        self.stream.write(text)
        FILE.write(text)
    def flush(self):
        sys.__stdout__.flush()
        FILE.flush()
class Last:
    def __del__(self):
        print("last words")
sys.stdout, sys.stderr = Tee(sys.stdout), Tee(sys.stderr)
last = Last()
print("trained")
"""
# What a function that raises was writing. Recorded: the names it needs were gone by then.
RAISED = """
import json, os

FILE = os.open("told", os.O_WRONLY | os.O_CREAT)

class Report:
    def __init__(self, name):
        self.rows = [name]
    def __del__(self):
        os.write(FILE, json.dumps(self.rows).encode())

def train():
    report, in_cycle = Report("a row"), Report("of a cycle")
    in_cycle.itself = in_cycle
    raise ValueError("stop")

train()
"""
# Objects in cycles, whose finalisers need names of the script, also those that come after them.
# Recorded: all names were gone by then.
CYCLES = """
import json, os
import tensorflow as tf

class Report:
    def __init__(self, name):
        self.rows, self.write = [name], self.save
    def save(self, row):
        self.rows.append(row)
    def __del__(self):
        os.write(FILE, told(self.rows + rows))

rows = ["of all"]
report, hooks = Report("first"), {"end": Report("second").write}

def told(rows):
    return json.dumps(rows).encode()

FILE = os.open("told", os.O_WRONLY | os.O_CREAT)
weights = tf.Variable(tf.ones([8, 1]))

@tf.function
def train(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((x @ weights) ** 2)
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
    return loss

for number in range(40):
    train(tf.ones([4, 8]))
"""


@pytest.mark.parametrize(
    "code",
    [TRACED, BROKEN, DAEMON, FORKED, INTERRUPTED, EXITED, TEED, RAISED, CYCLES],
    ids=[
        "traced",
        "threading broken",
        "with a daemon",
        "forked, with a thread",
        "forked, interrupted",
        "odd status",
        "streams of its own",
        "raised amid its work",
        "objects in cycles",
    ],
)
def test_what_is_written_and_how_children_end_is_as_with_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    found = []
    for way in ("python", "labkit"):
        folder = tmp_path / way
        folder.mkdir()
        monkeypatch.chdir(folder)
        (folder / "train.py").write_text(code)
        if way == "python":
            done = subprocess.run(
                [sys.executable, "train.py"], capture_output=True, text=True, timeout=60
            )
            words, errors = done.stdout, done.stderr
        else:
            whole = labkit("diagnose", "--whole", "train.py")
            assert "killed" not in whole.stdout
            words, errors = whole.stdout.partition("train.py\n")[0], whole.stderr
        told = folder / "told"
        raised = [line for line in errors.splitlines() if line.startswith(("Keyboard", "  File"))]
        frames = [line.replace(f"{folder}/", "") for line in raised]
        found.append((told.read_text() if told.exists() else None, words, frames))
    assert found[0] == found[1]


def test_a_hook_that_exits_ends_the_script_and_not_the_watching(tmp_path: Path) -> None:
    code = "import sys\nsys.excepthook = lambda *_: sys.exit(0)\nraise ValueError('no')\n"
    (tmp_path / "train.py").write_text(code)
    said = labkit("diagnose", "--whole", "train.py")
    assert "the script raised ValueError: no" in said.stdout and "SystemExit" not in said.stdout


def test_a_hook_that_raises_hides_neither_its_own_error_nor_the_script_s(tmp_path: Path) -> None:
    code = (
        "import sys\ndef hook(*_):\n    raise RuntimeError('in the hook')\n"
        "sys.excepthook = hook\nraise ValueError('mine')\n"
    )
    (tmp_path / "train.py").write_text(code)
    plain = subprocess.run(
        [sys.executable, tmp_path / "train.py"], capture_output=True, text=True, timeout=60
    )
    said = labkit("diagnose", "--whole", str(tmp_path / "train.py"))
    at = said.stderr.index("Error in sys.excepthook:")
    wanted = [line for line in plain.stderr.splitlines() if line and "^" not in line]
    found = said.stderr[at:].splitlines()
    assert [line for line in found if line and "^" not in line][: len(wanted)] == wanted


def test_a_run_without_a_step_takes_no_saved_run_s_place(tmp_path: Path) -> None:
    kept = tmp_path / "good.jsonl"
    assert labkit("run", "healthy", "--steps", "5", "--out", str(kept)).returncode == 0
    before = kept.read_bytes()
    (tmp_path / "bad.py").write_text("def make_step():\n    raise ValueError('no')\n")
    for command, option in (("run", "--out"), ("diagnose", "--save")):
        labkit(command, "bad.py", option, "good.jsonl")
    assert kept.read_bytes() == before
    labkit("run", "healthy", "--steps", "6", "--out", "good.jsonl")
    assert kept.read_bytes() != before, "one with steps does"


@pytest.mark.skipif(sys.platform == "win32", reason="no daemons here")
def test_what_becomes_a_daemon_works_on_for_a_while(tmp_path: Path) -> None:
    """Its parent leaves by os._exit, past Python's own end. Seen: it was killed at once."""
    (tmp_path / "train.py").write_text(
        "import os, time\n"
        "if os.fork(): os._exit(0)\n"
        "os.setsid()\n"
        "ends = time.monotonic() + 1.5\n"
        "while time.monotonic() < ends: pass\n"
        "open('result', 'w').close()\n"
    )
    labkit("diagnose", "--whole", "train.py")
    assert (tmp_path / "result").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="nobody clears up there")
@pytest.mark.parametrize(("last", "told"), [("", True), ("child.kill(); child.wait()\n", False)])
def test_what_is_left_running_is_named_when_it_is_ended(
    tmp_path: Path, last: str, told: bool
) -> None:
    (tmp_path / "train.py").write_text(
        "import subprocess\n"
        "child = subprocess.Popen(['sleep', '100'])\n"
        "print('child', child.pid)\n"
        f"{last}"
    )
    done = labkit("diagnose", "--whole", "train.py")
    child = done.stdout.partition("child ")[2].partition("\n")[0]
    said = f"labkit: This was left running, and is ended now: sleep ({child})."
    assert (said in done.stderr) == told, done.stdout + done.stderr
    assert done.stderr.count("is ended now") == told
