"""What the children of a script train beside it is said, and no gate passes on it in silence.

Tier: make test, in turn; what takes long, and what is near to another test, in make test-full.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.scripts import SETTING, told

pytestmark = pytest.mark.in_turn


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# As a script has to be whose children import it anew.
OWN = """
import multiprocessing, subprocess, time

def own(seconds):
    ends = time.process_time() + seconds
    while time.process_time() < ends:
        train(0.1)

def child(_):
    own(7)
    return 0

def load(_):
    ends = time.process_time() + 7
    while time.process_time() < ends:
        np.random.rand(200, 200) @ np.random.rand(200, 200)
    return 0

def eager(_):
    ends = time.process_time() + 7
    while time.process_time() < ends:
        w.assign(w)
    return 0

def pool(kind, work):
    with multiprocessing.get_context(kind).Pool(1) as workers:
        waiting = workers.map_async(work, [0])
        own(2)
        waiting.get()

if __name__ == "__main__":
"""
GATE = ("--whole", "--fail-on", "slowdown,leaking")
SAID = re.compile(r"TensorFlow worked for (\d+) s in processes .* beside (\d+) s in its own loops")
PROGRAM = SETTING + OWN.partition("if __name__")[0] + "eager(0)\n"


@pytest.mark.parametrize(
    "line",
    [
        "pool('spawn', child)",
        pytest.param(
            "subprocess.Popen([sys.executable, 'child.py']).wait() or own(2)",
            marks=pytest.mark.full,
        ),
    ],
)
def test_children_that_train_as_long_as_the_script_are_said(tmp_path: Path, line: str) -> None:
    """Recorded: the gate passed, and not a word of them."""
    (tmp_path / "child.py").write_text(PROGRAM)
    said = told(tmp_path, f"{OWN}    {line}\n", *GATE, status=1)
    found = SAID.search(said["reason"])
    assert found is not None and 4 <= int(found[1]) <= 8, said["reason"]
    assert "could not tell: TensorFlow worked for" in said["stderr"] and said["state"] == "done"


@pytest.mark.full
def test_children_that_train_little_beside_it_are_said_and_the_gate_passes(tmp_path: Path) -> None:
    code = OWN.replace("own(7)", "own(5)").replace("own(2)", "own(30)")
    # Not its time as well: beside other programs nobody could tell, and that passes no gate.
    gate = ("--whole", "--fail-on", "leaking")
    said = told(tmp_path, f"{code}    pool('spawn', child)\n", *gate)
    assert SAID.search(said["reason"]) and "did not see all: TensorFlow" in said["stderr"]


DATA = """    data = tf.data.Dataset.range(10**9).map(
        lambda each: tf.reduce_sum(tf.random.uniform([200, 200])), num_parallel_calls=2)
    for each in data.take(3000):
        train(0.1)
"""
SHORT = """    for _ in range(20):
        subprocess.run(['git', '--version'], check=False)
        own(0.2)
"""


@pytest.mark.parametrize(
    "line",
    [
        "    pool('spawn', load)\n",
        pytest.param("    pool('fork', load)\n", marks=pytest.mark.full),
        pytest.param("    pool('forkserver', load)\n", marks=pytest.mark.full),
        pytest.param(DATA, marks=pytest.mark.full),
        pytest.param(SHORT, marks=pytest.mark.full),
    ],
)
def test_what_loads_data_or_is_short_is_not(tmp_path: Path, line: str) -> None:
    """The pools import the script, and with it a variable of TensorFlow."""
    said = told(tmp_path, OWN + line, "--whole")
    assert said["reason"] == "" and "TensorFlow worked" not in said["stderr"]
