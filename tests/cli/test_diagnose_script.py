"""``labkit diagnose train.py -- ARGUMENTS`` runs a script as Python does, and finds its steps.

Tier: make test, in turn, but where said.
"""

from __future__ import annotations

import json
import os
import signal
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


def test_a_script_is_run_as_python_runs_it_and_its_step_found_in_a_module_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loops.py").write_text(
        "def go(train, steps):\n"
        "    for epoch in range(2):\n"
        "        for step in range(steps):\n"
        "            train(0.1)\n"
        "        for check in range(3):\n"
        "            print('checked', check)\n"
    )
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "elsewhere.py").write_text("FOUND = 'by PYTHONPATH'\n")
    monkeypatch.setenv("PYTHONPATH", "more")
    monkeypatch.setenv("OF_THE_READER", "kept")
    said = told(
        tmp_path,
        "from elsewhere import FOUND\n"
        "from loops import go\n"
        "if __name__ == '__main__':\n"
        "    print(sys.argv, os.environ['OF_THE_READER'], FOUND, os.environ['PYTHONPATH'])\n"
        "    import __main__\n"
        "    assert __main__.train is train and __main__.__file__ == __file__\n"
        "    assert __file__ == os.path.abspath('train.py')  # however the folder changes\n"
        "    go(train, int(sys.argv[2]))\n",
        "--", "--steps", "40",
    )  # fmt: skip
    assert "['train.py', '--steps', '40'] kept by PYTHONPATH more" in said["stderr"]
    assert said["step"] == {
        "kind": "for", "file": str(tmp_path / "loops.py"), "line": 3,
        "code": "for step in range(steps):", "count": 79,
    }  # fmt: skip
    assert said["state"] == "done" and said["steps"] == 79 and said["loops"] == []
    assert said["environment"]["tensorflow"] and said["memory"]["label"] == "flat"


def test_a_script_that_raises_keeps_its_steps_and_its_traceback_is_told_once(
    tmp_path: Path,
) -> None:
    code = "for step in range(100):\n    train(0.1)\n    if step == 60:\n        {}['rate']\n"
    said = told(tmp_path, code, status=1)
    assert said["state"] == "failed" and said["steps"] in (59, 60)
    assert said["reason"] == "The script raised KeyError: 'rate'"
    assert said["stderr"].count("KeyError: 'rate'") == 1
    assert (
        f'  File "{tmp_path}/train.py", line ' in said["stderr"]
        and "labkit/bench" not in said["stderr"]
    )


def test_a_report_does_not_replace_what_the_script_has_written_and_does_an_older_report(
    tmp_path: Path,
) -> None:
    older = tmp_path / "older.jsonl"
    older.write_text("of yesterday")
    writing = (
        "for step in range(30):\n    train(0.1)\nprint('mine', file=open('report.html', 'w'))\n"
    )
    said = told(tmp_path, writing, "--out", "report.html", "--save", "older.jsonl")
    assert (tmp_path / "report.html").read_text() == "mine\n"
    assert (tmp_path / "report-2.html").read_text().startswith("<!")
    assert "report-2.html instead of report.html" in said["stderr"]
    assert older.read_text().startswith("{")


@pytest.mark.parametrize(
    ("end", "steps", "reason"),
    [
        ("sys.exit(3)", 29, "The script ended with status 3."),
        ("sys.exit()", 29, ""),
        ("os._exit(0)", 29, "status 0"),
        ("os.kill(os.getpid(), 9)", 29, "SIGKILL"),
    ],
)
@pytest.mark.full
def test_however_a_script_ends_its_steps_are_kept(
    tmp_path: Path, end: str, steps: int, reason: str
) -> None:
    code = (
        f"step = 0\nwhile True:\n    step += 1\n    train(0.1)\n    if step == 30:\n        {end}\n"
    )
    said = told(tmp_path, code, status=0 if end == "sys.exit()" else 1)
    assert said["steps"] >= steps - 1 and reason in said["reason"]
    assert said["step"]["kind"] == "while" and said["step"]["code"] == "while True:"


def test_ctrl_c_ends_it_as_without_labkit_and_what_was_seen_is_told(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        SETTING + "import time\n"
        "try:\n"
        "    for step in range(100_000):\n"
        "        train(0.1)\n"
        "        time.sleep(0.005)\n"
        "        if step == 100:\n"
        "            open('begun', 'w').close()\n"
        "finally:\n"
        "    open('saved', 'w').close()\n"
    )

    def interrupt(process_id: int) -> None:
        assert came((tmp_path / "begun").exists, 60)
        time.sleep(0.5)
        os.kill(process_id, signal.SIGINT)

    done = labkit("diagnose", "train.py", "--json", meanwhile=interrupt)
    assert done.returncode == 130, done.stderr
    said = json.loads(done.stdout)
    assert said["state"] == "stopped" and said["steps"] >= 100 and (tmp_path / "saved").exists()


def test_a_script_without_a_step_is_told_so_and_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print('nothing to train')\n")
    done = labkit("diagnose", "train.py")
    assert done.returncode == 1
    assert done.stdout.startswith("nothing to train\ntrain.py\n")
    assert "no step was found: TensorFlow worked in no loop" in done.stdout


def test_what_is_for_the_script_comes_after_two_dashes(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print('never run')\n")
    done = labkit("diagnose", "train.py", "--epochs", "3")
    assert done.returncode == 2 and "--epochs" in done.stderr and "never run" not in done.stdout
    assert done.stderr.endswith("as in  labkit diagnose train.py -- --epochs\n")


def test_steps_are_the_script_s_own_to_make(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print('never run')\n")
    done = labkit("diagnose", "train.py", "--steps", "5")
    assert done.returncode == 2 and "a script makes its own steps" in done.stderr
    assert "never run" not in done.stdout


@pytest.mark.full
def test_a_package_runs_by_its_name_with_processes_of_its_own(tmp_path: Path) -> None:
    package = tmp_path / "course"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "data.py").write_text(
        "from multiprocessing import Pool\n"
        "def square(number):\n    return number * number\n"
        "def load():\n"
        "    with Pool(2) as pool:\n        return sum(pool.map(square, range(10)))\n"
    )
    (package / "train.py").write_text(
        SETTING.replace("import os, sys", "import os, sys\nfrom .data import load")
        + "def main():\n"
        "    print('loaded', load(), __name__, __package__)\n"
        "    for step in range(60):\n        train(0.1)\n"
        "if __name__ == '__main__':\n    main()\n"
    )
    done = labkit("diagnose", "-m", "course.train", "--json", "--", "--any")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert "loaded 285 __main__ course" in done.stderr
    assert said["steps"] == 59 and said["step"]["file"] == str(package / "train.py")


FIT = """
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
data = np.ones((200, 4), "float32")
model.fit(data, data[:, :1], batch_size=10, epochs=4, validation_split=0.2, verbose=0)
"""
SESSION = """
tf1 = tf.compat.v1
with tf.Graph().as_default(), tf1.Session() as session:
    a = tf1.placeholder(tf.float32, [None, 2])
    weights = tf1.get_variable("w", [2, 1])
    loss = tf.reduce_mean(a @ weights)
    minimize = tf1.train.GradientDescentOptimizer(0.1).minimize(loss)
    session.run(tf1.global_variables_initializer())
    for epoch in range(3):
        for batch in range(30):
            session.run(minimize, {a: np.ones((4, 2))})
        for batch in range(30):
            session.run(loss, {a: np.ones((4, 2))})
"""
GAN = """
@tf.function
def criticise():
    return train(0.2)
for step in range(50):
    for network in (train, criticise):
        network(0.1) if network is train else network()
"""
FOLDS = """
for fold in range(25):
    model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    data = np.ones((200, 4), "float32")
    model.fit(data, data[:, :1], batch_size=10, epochs=1, verbose=0)
"""
STYLES = {
    "fit": (FIT, "fit", "model.fit(data", 63),
    "a session that validates": (SESSION, "for", "for batch in range(30):", 89),
    "two networks": (GAN, "for", "for step in range(50):", 48),
    "many fits": (FOLDS, "for", "for fold in range(25):", 23),
}


@pytest.mark.parametrize(
    ("code", "kind", "line", "steps"),
    [pytest.param(*STYLES["fit"], id="fit"),
     *(pytest.param(*style, id=name, marks=pytest.mark.full)
       for name, style in STYLES.items() if name != "fit")],
)  # fmt: skip
def test_the_step_is_found_in_every_style(
    tmp_path: Path, code: str, kind: str, line: str, steps: int
) -> None:
    said = told(tmp_path, code)
    loops = [said["step"], *(each["step"] for each in said["loops"])]
    found = next(each for each in loops if each["code"].startswith(line))
    assert found["kind"] == kind and steps <= found["count"] <= steps + 2
    assert "a step is one " in said["stderr"]


def test_a_loop_that_only_fills_lists_is_no_step_however_often_python_collects(
    tmp_path: Path,
) -> None:
    """Recorded: its turns were all the steps there was room for, and no training was seen."""
    code = "rows = [[number] for number in range(400_000)]\n"
    code += "for epoch in range(40):\n    train(0.1)\n"
    said = told(tmp_path, code)
    assert said["step"]["code"].startswith("for epoch in range(40):")
    assert said["step"]["count"] == 39 and said["loops"] == []
    assert said["stderr"].count("a step is one turn of") == 1


@pytest.mark.full
def test_the_step_that_is_named_is_taken(tmp_path: Path) -> None:
    code = "for epoch in range(12):\n    for batch in range(20):\n        train(0.1)\n"
    line = SETTING.count("\n") + 1
    said = told(tmp_path, code, "--step", f"train.py:{line}")
    assert said["step"]["line"] == line and said["steps"] in (10, 11, 12)
    said = told(tmp_path, code, "--step", "train.py:1", status=1)
    begin = f"loops with steps begin in line {line + 1}"
    assert f"no loop that has train.py:1; {begin}" in said["reason"]


GROWING = """
held = []
for epoch in range(16):
    for batch in range(60):
        train(0.1)
    held.append(x)
    for each in held:
        for _ in range(30):
            float(tf.reduce_mean(tf.square(each @ w)))
"""


@pytest.mark.full
def test_a_validation_that_takes_longer_each_epoch_is_a_finding_of_its_own(tmp_path: Path) -> None:
    said = told(tmp_path, GROWING, "--whole")
    finding = next(each for each in said["findings"] if each["kind"] == "between")
    assert "It was done" in finding["proof"]
    said = told(tmp_path, GROWING.replace("in held:", "in held[-1:]:"), "--whole")
    assert "between" not in [each["kind"] for each in said["findings"]]


WAITING_FIT = """
import numpy as np
import tensorflow as tf
numbers = np.random.default_rng(1).random(1_000_000)

def batches():
    seen = 0
    while True:
        seen += 600
        ranks = np.sort(numbers[:seen])  # all that was seen so far, again for each batch
        rows = ranks[:24].reshape(8, 3)
        yield rows, rows.sum(axis=1, keepdims=True)

model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(batches(), steps_per_epoch=1_500, epochs=1, verbose=0)
"""


def test_waiting_within_a_fit_is_told_with_the_line_that_makes_the_data(tmp_path: Path) -> None:
    found = told(tmp_path, WAITING_FIT)
    first = found["findings"][0]
    assert (first["cause"], first["kind"]) == ("input_pipeline", "growth")
    assert "np.sort" in first["line"]["code"]


def test_to_its_own_end_and_for_some_seconds_are_not_asked_for_at_once(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print('never run')\n")
    done = labkit("diagnose", "train.py", "--whole", "--seconds", "5")
    assert done.returncode == 2 and "seconds = 5 and whole were both asked for" in done.stderr
    assert "never run" not in done.stdout
