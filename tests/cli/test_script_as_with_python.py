"""A script under labkit ends as it does with Python, finds what it finds there and loses nothing.

Tier: make test, in turn, but where said.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.scripts import SETTING, told
from tests.command import labkit
from tests.running import came

pytestmark = pytest.mark.in_turn


@pytest.fixture(autouse=True)
def in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_script_behind_a_link_finds_its_modules_beside_itself_as_with_python(
    tmp_path: Path,
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "helper.py").write_text("FOUND = 'beside the script'\n")
    (tmp_path / "real" / "linked.py").write_text("import helper; print(helper.FOUND)\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "train.py").symlink_to("../real/linked.py")
    (tmp_path / "bin" / "helper.py").write_text("FOUND = 'somebody else's'\n")
    done = labkit("diagnose", "bin/train.py")
    assert done.stdout.startswith("beside the script\n")


def test_a_script_has_the_time_for_its_end_that_it_has_with_python(tmp_path: Path) -> None:
    """Longer than any loop has: a thread that saves, then a function of atexit."""
    said = told(
        tmp_path,
        "import atexit, threading, time\n"
        "atexit.register(lambda: open('ended', 'w').close())\n"
        "for step in range(40):\n    train(0.1)\n"
        "def save():\n    time.sleep(12)\n    open('saved', 'w').close()\n"
        "threading.Thread(target=save).start()\n",
    )
    assert said["state"] == "done" and said["reason"] == ""
    assert (tmp_path / "saved").exists() and (tmp_path / "ended").exists()


def test_what_a_script_saves_when_it_is_interrupted_is_waited_for(tmp_path: Path) -> None:
    """Longer than a loop has, and its time was up; nobody has pressed anything."""
    code = (
        "import time\n"
        "try:\n"
        "    while True:\n        train(0.1)\n        time.sleep(0.01)\n"
        "finally:\n"
        "    for _ in range(14):\n        time.sleep(1)\n"
        "    open('saved', 'w').close()\n"
    )
    said = told(tmp_path, code, "--seconds", "2")
    assert said["state"] == "time_limit" and (tmp_path / "saved").exists()


@pytest.mark.parametrize(("seconds_each", "limit"), [(0.0, "4"), (0.06, "8")])
def test_a_script_whose_time_is_up_is_ended_between_two_steps_and_not_while_it_saves(
    tmp_path: Path, seconds_each: float, limit: str
) -> None:
    """Seen: the interruption came in a loop over the weights, with half of them in the file."""
    code = (
        "import time\n"
        "weights = [tf.Variable(tf.zeros([100, 100])) for _ in range(50)]\n"
        "while True:\n"
        "    train(0.1)\n"
        "    with open('model.bin', 'wb') as file:\n"
        "        for weight in weights:\n"
        f"            time.sleep({seconds_each})\n"
        "            file.write(weight.numpy().tobytes())\n"
    )
    said = told(tmp_path, code, "--seconds", limit)
    assert said["state"] == "time_limit"
    assert (tmp_path / "model.bin").stat().st_size == 50 * 100 * 100 * 4


def test_ctrl_c_amid_a_short_step_comes_after_what_the_step_saves(tmp_path: Path) -> None:
    """Seen: it was held back until the loop that saves began, and so hit each file."""
    code = (
        "import time\n"
        "weights = [tf.Variable(tf.zeros([100, 100])) for _ in range(50)]\n"
        "for step in range(10_000):\n"
        "    train(0.1)\n"
        "    time.sleep(0.3)\n"
        "    with open('model.bin', 'wb') as file:\n"
        "        for weight in weights:\n            file.write(weight.numpy().tobytes())\n"
        "    if step == 20:\n        open('begun', 'w').close()\n"
    )
    (tmp_path / "train.py").write_text(SETTING + code)

    def interrupt(process_id: int) -> None:
        assert came((tmp_path / "begun").exists, 60)
        time.sleep(0.1)
        os.kill(process_id, signal.SIGINT)

    done = labkit("diagnose", "train.py", meanwhile=interrupt)
    assert done.returncode == 130, done.stderr
    assert (tmp_path / "model.bin").stat().st_size == 50 * 100 * 100 * 4


def test_a_gate_that_finds_the_files_of_its_first_run_is_not_passed(tmp_path: Path) -> None:
    """Seen: each step kept a checkpoint, the second run wrote over them, and the gate passed."""
    code = (
        "saved = tf.train.Checkpoint(weight=tf.Variable(0.0))\n"
        "for step in range(400):\n    train(0.1)\n    saved.write(f'kept/{step}')\n"
    )
    said = told(tmp_path, code, "--fail-on", "leaking", status=1)
    assert said["memory"]["label"] == "leaking"
    assert "begin each run in an empty folder" in said["stderr"]


def test_a_gate_that_a_second_run_cannot_confirm_keeps_what_the_first_has_found(
    tmp_path: Path,
) -> None:
    code = "kept = []\nif not os.path.exists('trained'):\n    open('trained', 'w').close()\n"
    code += "    for step in range(8_000):\n        train(0.1)\n"
    code += "        kept.append(tf.random.uniform([10_000]))\n        float(kept[-1][0])\n"
    said = told(tmp_path, code, "--fail-on", "leaking", status=1)
    assert said["memory"]["label"] == "leaking" and said["findings"]
    assert "a fresh run could not confirm it: no step was found" in said["stderr"].lower()


def test_no_program_is_replaced_and_neither_of_two_outputs_by_the_other(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print('never run')\n")
    (tmp_path / "helper.py").write_text("")
    for arguments in (["--out", "helper.py", "train.py"], ["--save", "helper.py", "-m", "train"]):
        done = labkit("diagnose", *arguments)
        assert done.returncode == 2 and "would replace a program" in done.stderr
    done = labkit("diagnose", "--out", "a", "--save", "./a", "train.py")
    assert done.returncode == 2 and "writes as well" in done.stderr
    assert "never run" not in done.stdout and (tmp_path / "helper.py").read_text() == ""


def test_who_forbids_modules_of_the_script_s_folder_gets_none_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "beside.py").write_text("print('was run')\n")
    (tmp_path / "train.py").write_text("import beside\n")
    assert "was run" in labkit("diagnose", "train.py").stdout
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    done = labkit("diagnose", "train.py")
    assert "was run" not in done.stdout and "No module named 'beside'" in done.stderr
    assert "was run" not in labkit("diagnose", "-m", "beside").stdout


def test_modules_of_the_script_s_own_are_found_before_python_s_of_the_same_names(
    tmp_path: Path,
) -> None:
    for name in ("csv", "resource", "statistics", "os", "encodings"):
        (tmp_path / f"{name}.py").write_text("mine = True\n")
    (tmp_path / "glob").mkdir()
    (tmp_path / "glob" / "__init__.py").write_text("from glob.part import mine\n")
    (tmp_path / "glob" / "part.py").write_text("mine = True\n")
    code = (
        "import csv, encodings, glob, resource, statistics\n"
        "kinds = csv, encodings, glob, os, resource, statistics\n"
        "print([hasattr(each, 'mine') for each in kinds])\n"
        "for step in range(60):\n    train(0.1)\n"
    )
    (tmp_path / "train.py").write_text(SETTING + code)
    plain = subprocess.run([sys.executable, "train.py"], capture_output=True, text=True)
    assert plain.stdout == "[True, False, True, False, True, True]\n"
    said = told(tmp_path, code)
    assert plain.stdout in said["stderr"] and said["steps"] == 59


def test_a_hook_of_the_script_s_own_hears_of_what_it_raises(tmp_path: Path) -> None:
    code = (
        "def hook(kind, error, traceback):\n"
        "    open('hook', 'w').write(f'{kind.__name__} {traceback.tb_lineno}')\n"
        "sys.excepthook = hook\n"
        "for step in range(40):\n    train(0.1)\n"
        "raise ValueError('broken')\n"
    )
    said = told(tmp_path, code, status=1)
    line = (SETTING + code).count("\n")
    assert (tmp_path / "hook").read_text() == f"ValueError {line}" and said["steps"] == 39
    assert "broken" not in said["stderr"] and "ValueError: broken" in said["reason"]


@pytest.mark.parametrize(
    "load",
    [
        "import runpy; runpy.run_path('leaks.py')",
        "import importlib.util as u; spec = u.spec_from_file_location('leaks', 'leaks.py')\n"
        "spec.loader.exec_module(u.module_from_spec(spec))",
    ],
    ids=["runpy", "spec"],
)
def test_a_loop_in_a_file_that_is_loaded_by_its_path_is_seen(tmp_path: Path, load: str) -> None:
    """Seen: beside a healthy loop, it passed the gate."""
    (tmp_path / "leaks.py").write_text(
        SETTING + "kept = []\nfor step in range(200):\n    kept.append(train(0.1))\n"
    )
    code = f"for step in range(60):\n    train(0.1)\n{load}\n"
    said = told(tmp_path, code, "--whole")
    every = [said, *said["loops"]]
    assert "leaks.py" in {Path(each["step"]["file"]).name for each in every}


UNSEEN = """
code = 'for step in range(90): train(0.1)'
{}
for step in range(300):
    train(0.1)
"""
ELSEWHERE = (
    "exec(code)",
    "import threading; other = threading.Thread(target=exec, args=(code, globals()))\n"
    "other.start(); other.join()",
    "import threading; other = threading.Thread(target=exec, args=(code, globals()))\n"
    "other.start()\nwhile other.is_alive(): train(0.1)",
)


@pytest.mark.parametrize("elsewhere", ELSEWHERE, ids=["exec", "thread", "beside"])
def test_a_gate_does_not_pass_what_is_trained_outside_the_loops_that_are_seen(
    tmp_path: Path, elsewhere: str
) -> None:
    """Seen: a loop that leaks passed beside a healthy one."""
    code = UNSEEN.format(elsewhere)
    said = told(tmp_path, code, "--whole", "--fail-on", "leaking", status=1)
    assert said["step"]["count"] >= 20 and said["state"] == "done"
    wanted = r"leaking could not tell: The script trained \d+ times outside the loops"
    assert re.search(wanted, said["stderr"])


REPLICAS = """
import tensorflow as tf
strategy = tf.distribute.MirroredStrategy(["cpu:0"])
with strategy.scope():
    weights, optimizer = tf.Variable(tf.zeros([64, 1])), tf.keras.optimizers.SGD(0.01)
def replica(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - 1.0))
    optimizer.apply_gradients([(tape.gradient(loss, weights), weights)])
for step in range(60):
    strategy.run(replica, args=(tf.ones([32, 64]),))
"""


def test_replicas_that_train_in_threads_of_their_own_train_for_the_loop(tmp_path: Path) -> None:
    """Seen: no step was found, or each of them was said to train outside all loops."""
    said = told(tmp_path, REPLICAS, "--whole")
    assert said["step"]["count"] >= 40 and said["step"]["code"].startswith("for step in range(60)")
    assert said["state"] == "done" and not said["reason"]


HIDDEN = (
    "code = compile('for step in range(40): train(0.1)', 'elsewhere', 'exec')\n"
    "for epoch in range(8):\n    exec(code)\n",
    "import trainers\nfor epoch in range(8):\n"
    "    for step in range(60): train(0.1)\n    trainers.fit(train, 40)\n",
)


@pytest.mark.parametrize("code", HIDDEN, ids=["exec", "an installed package"])
def test_a_gate_does_not_pass_what_is_trained_unseen_within_a_loop_that_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """Seen: eight turns of forty trainings each were a loop like any other."""
    monkeypatch.setenv("PYTHONUSERBASE", str(tmp_path))
    version = "python{}.{}".format(*sys.version_info)
    package = tmp_path / "lib" / version / "site-packages"
    package.mkdir(parents=True)
    (package / "trainers.py").write_text(
        "def fit(train, steps):\n    for step in range(steps): train(0.1)\n"
    )
    code = f"sys.path.append({str(package)!r})\n{code}"
    said = told(tmp_path, code, "--whole", "--fail-on", "leaking", status=1)
    wanted = r"could not tell: The script trained 3\d\d times outside the loops that labkit sees"
    assert re.search(wanted, said["stderr"]) and said["state"] == "done"


def test_a_few_trainings_outside_all_loops_are_let_pass(tmp_path: Path) -> None:
    code = "train(0.1)\n" * 20 + UNSEEN.format("")
    said = told(tmp_path, code, "--whole")
    assert said["reason"] == ""


@pytest.mark.full
def test_a_gate_hears_of_every_loop_of_a_script(tmp_path: Path) -> None:
    code = (
        "import time\n"
        "for step in range(900):\n    train(0.1)\n    time.sleep(0.004)\n"
        "kept = []\n"
        "for step in range(900):\n    train(0.1)\n    time.sleep(0.004)\n"
        "    kept.append(tf.random.uniform([1000]))\n"
    )
    said = told(tmp_path, code, "--whole", "--fail-on", "leaking", status=3)
    every = [said, *said["loops"]]
    assert [each["memory"]["label"] for each in every].count("leaking") == 1
    assert "--fail-on leaking: it leaks (kept" in said["stderr"]


def test_a_script_that_becomes_another_program_is_let_go_on_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the recipe for reproducible runs does."""
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    (tmp_path / "train.py").write_text(
        "import os, sys, time\n"
        "if os.environ.get('PYTHONHASHSEED') != '0':\n"
        "    os.environ['PYTHONHASHSEED'] = '0'\n"
        "    os.execv(sys.executable, [sys.executable, *sys.argv])\n"
        "time.sleep(4)\n"
        "open('model', 'w').close()\n"
    )
    done = labkit("diagnose", "train.py")
    assert done.returncode == 1 and (tmp_path / "model").exists()
    assert "went on unwatched" in done.stdout


def test_where_a_script_closes_all_descriptors_nothing_of_ours_gets_into_its_files(
    tmp_path: Path,
) -> None:
    code = (
        "for step in range(30):\n    train(0.1)\n"
        "os.closerange(3, 256)\n"
        "files = [open(f'{at}.csv', 'w') for at in range(10)]\n"
        "for step in range(60):\n"
        "    train(0.1)\n"
        "    for file in files:\n        print(step, file=file, flush=True)\n"
    )
    said = told(tmp_path, code, status=1)
    lines = [str(step) for step in range(60)]
    assert [(tmp_path / f"{at}.csv").read_text().split() for at in range(10)] == [lines] * 10
    assert "closed labkit's connection" in said["reason"] and said["steps"] >= 28


def test_a_script_is_alone_with_the_threads_that_it_has_started(tmp_path: Path) -> None:
    code = (
        "import threading, time\n"
        "other = threading.Thread(target=time.sleep, args=(0.2,))\n"
        "other.start()\n"
        "for step in range(40):\n    train(0.1)\n"
        "while threading.active_count() > 1:\n    time.sleep(0.01)\n"
        "for each in threading.enumerate():\n"
        "    if each is not threading.main_thread():\n        each.join()\n"
        "open('over', 'w').close()\n"
    )
    said = told(tmp_path, code, "--seconds", "60")
    assert said["state"] == "done" and (tmp_path / "over").exists()


def test_data_that_a_loop_leaves_half_read_is_there_for_the_next(tmp_path: Path) -> None:
    """One row of an open file for each of many turns: the rest was lost once the loop was known."""
    rows = "".join(f"{number}\n" for number in range(200))
    (tmp_path / "rows.txt").write_text(rows)
    code = (
        "rows, seen = open('rows.txt'), []\n"
        "for step in range(100):\n"
        "    for row in rows:\n        seen.append(int(row))\n        train(0.1)\n        break\n"
        "open('seen', 'w').write(f'{len(seen)} {next(rows)}')\n"
    )
    assert told(tmp_path, code)["state"] == "done"
    assert (tmp_path / "seen").read_text() == "100 100\n"


def test_names_of_its_own_and_a_deep_recursion_are_as_with_python(tmp_path: Path) -> None:
    code = (
        "setattr(__builtins__, 'profile', 3)\n"
        "def deep(n):\n"
        "    yield n\n"
        "    if n:\n        for each in deep(n - 1):\n            yield int(each)\n"
        "for step in range(40):\n    train(0.1)\n"
        "open('sum', 'w').write(str(sum(deep(800)) + profile))\n"
    )
    assert told(tmp_path, code)["state"] == "done"
    assert (tmp_path / "sum").read_text() == str(800 * 801 // 2 + 3)


def test_a_second_ctrl_c_reaches_the_script_at_once(tmp_path: Path) -> None:
    """The usual handler: the first asks for the end of the epoch, the second ends it now."""
    (tmp_path / "train.py").write_text(
        SETTING + "import signal, time\n"
        "def first(*_):\n"
        "    signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "    open('first', 'w').close()\n"
        "signal.signal(signal.SIGINT, first)\n"
        "try:\n"
        "    for step in range(100):\n        train(0.1)\n"
        "    open('trained', 'w').close()\n"
        "    time.sleep(50)\n"
        "finally:\n    open('saved', 'w').close()\n"
    )

    def meanwhile(process_id: int) -> None:
        for name in ("trained", "first"):
            assert came(lambda name=name: (tmp_path / name).exists())  # type: ignore[misc]
            os.kill(process_id, signal.SIGINT)

    done = labkit("diagnose", "train.py", meanwhile=meanwhile, seconds=45)
    assert done.returncode == 130 and (tmp_path / "saved").exists()


def test_a_gate_names_the_loop_of_which_it_could_not_tell(tmp_path: Path) -> None:
    code = "kept = []\nfor step in range(60):\n    kept.append(train(0.1))\n"
    code += "for step in range(6_000):\n    train(0.1)\n"
    (tmp_path / "train.py").write_text(SETTING + code)
    done = labkit("diagnose", "train.py", "--fail-on", "leaking")
    # Of the longer loop a busy machine may not tell in time, either.
    assert done.returncode in (0, 1) and "tell of the loop at train.py:15: " in done.stderr


def test_what_a_function_lets_go_of_is_gone_and_its_locals_are_its_own(tmp_path: Path) -> None:
    """A file that is closed by its last name, a model that makes room for the next."""
    code = (
        "import gc, json, weakref\n"
        "def main(rate=0.1):\n"
        "    settings = locals()\n"
        "    out, model = open('rows', 'w'), tf.Module()\n"
        "    watch = weakref.ref(model)\n"
        "    for step in range(400):\n        train(rate)\n        print(step, file=out)\n"
        "    del out, model\n"
        "    with open('rows') as rows:\n"
        "        found = [len(rows.readlines()), watch() is None, settings]\n"
        "    json.dump(found, open('found', 'w'))\n"
        "main()\n"
    )
    assert told(tmp_path, code)["state"] == "done"
    assert json.loads((tmp_path / "found").read_text()) == [400, True, {"rate": 0.1}]


AS_WITH_PYTHON = """
import importlib.util, sys
from time import sleep as early_sleep
early_print = print
found = importlib.util.find_spec("tensorflow") is not None  # as many a program asks first
import gc, json, os, pickle, traceback, warnings, tensorflow as tf
if "AGAIN" not in os.environ:
    os.environ["AGAIN"] = "1"
    json.dump(sys.orig_argv[1:], open("argv.json", "w"))
v = tf.Variable(tf.zeros([8, 1]))
x = tf.random.stateless_normal([64, 8], [1, 1])

class Loader:
    def __iter__(self):
        return iter(range(500))
    def __del__(self):
        order.append("freed")

order, wrong = [], 0
for step in Loader():
    if step in (0, 499):
        order.append(step)
    gc.disable() if step % 3 == 1 else gc.enable() if step % 3 == 0 else None
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ v - 1.0))
    v.assign_sub(0.01 * tape.gradient(loss, v))
    early_sleep(0.004)
    wrong += gc.isenabled() is not (step % 3 == 0)
warnings.filterwarnings("error", module="__main__")

def data():
    for step in range(200):
        if step == 150:
            warnings.warn("too few", stacklevel=2)  # whoever goes through it is told
        yield step

try:
    for step in data():
        v.assign_add(0.0 * v)
    entries = 0
except UserWarning as error:
    entries = len(traceback.extract_tb(error.__traceback__))
again = [pickle.loads(pickle.dumps(each)) for each in (early_sleep, early_print, len, gc.collect)]
again[0](0.0)
same = again[2] is len and again[3] is gc.collect
json.dump([order, wrong, entries, found, same], open("met.json", "w"))
"""


def test_collections_pickles_and_loaders_are_as_with_python(tmp_path: Path) -> None:
    (tmp_path / "met.py").write_text(AS_WITH_PYTHON)
    done = labkit("diagnose", "met.py", "--json", "--", "--fast")
    assert json.loads((tmp_path / "met.json").read_text()) == [
        ["freed", 0, 499], 0, 2, True, True
    ], done.stderr  # fmt: skip
    assert json.loads((tmp_path / "argv.json").read_text()) == ["met.py", "--fast"]
    assert json.loads(done.stdout)["steps"] > 100


FIT_AS_WITH_PYTHON = """
import atexit, json, sys, threading, numpy as np, tensorflow as tf
closed, named = [], []

def numbers(tag, count):
    try:
        for _ in range(count):
            yield np.ones([8, 3]), np.ones([8, 1])
    finally:
        closed.append(tag)

def data(tag, count=10**6):
    shapes = tf.TensorSpec([8, 3]), tf.TensorSpec([8, 1])
    return tf.data.Dataset.from_generator(lambda: numbers(tag, count), output_signature=shapes)

model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
for tag in range(3):
    model.fit(data(tag), steps_per_epoch=150, verbose=0)
    closed.append("after")
model.evaluate(data("e", 20), verbose=0)
closed.append("after")

w = tf.Variable(1.0)
for step in range(400):
    w.assign_sub(0.1 * w)
    thread = threading.Thread(target=int)
    thread.start()
    named.append(thread.name)
    for each in threading.enumerate():  # the usual way to wait for all
        if each is not threading.main_thread():
            each.join()

# TensorFlow knows the generators, and they know this module.
out = open("said.txt", "w")
atexit.register(lambda: out.write("said at the end"))
__annotations__["out"] = "file"

def at_end():
    last = str(getattr(sys, "last_value", None))
    numbers = [int(name.partition("-")[2].split()[0]) for name in named]
    one_by_one = numbers == list(range(numbers[0], numbers[0] + 400))
    json.dump([closed, one_by_one, last], open("met.json", "w"))

atexit.register(at_end)
raise ValueError("the end")
"""


def test_threads_fits_and_the_end_are_as_with_python(tmp_path: Path) -> None:
    (tmp_path / "met.py").write_text(FIT_AS_WITH_PYTHON)
    done = labkit("diagnose", "met.py", "--whole")
    after = [0, "after", 1, "after", 2, "after", "e", "after"]
    assert json.loads((tmp_path / "met.json").read_text()) == [after, True, "the end"], done.stderr
    assert (tmp_path / "said.txt").read_text() == "said at the end"
