"""A script of which something stayed unseen passes no gate, and nothing that was seen is lost.

Tier: make test, in turn; what takes long, and what is near to another test, in make test-full.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

from labkit.cli.program import carry_out
from labkit.lab.own_loop.unjudged import UnjudgedError, kept
from labkit.record import LabkitError, load_run
from tests.cli.scripts import told
from tests.made_run import made_run

pytestmark = pytest.mark.in_turn


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


HEALTHY = "import atexit, time\nfor step in range(60):\n    train(0.1)\n"


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("atexit.register(os._exit, 3)", "by itself with status 3"),
        pytest.param("atexit.register(os.abort)", "by SIGABRT", marks=pytest.mark.full),
    ],
)
def test_a_script_that_fails_as_it_ends_has_failed(tmp_path: Path, end: str, words: str) -> None:
    said = told(tmp_path, HEALTHY + end, "--whole", status=1)
    assert said["state"] == "killed" and words in said["reason"] and said["steps"] >= 59


def test_a_script_that_says_itself_that_all_is_well_is_believed(tmp_path: Path) -> None:
    said = told(tmp_path, HEALTHY + "atexit.register(os._exit, 0)", "--whole")
    assert said["state"] == "done"


@pytest.mark.full
def test_what_a_script_does_behind_a_closed_connection_passes_no_gate(tmp_path: Path) -> None:
    code = f"{HEALTHY}os.closerange(3, 256)\n{HEALTHY}"
    said = told(tmp_path, code, "--whole", "--fail-on", "leaking", status=1)
    assert said["state"] == "stopped" and "went on unwatched" in said["reason"]


@pytest.mark.full
def test_a_gate_says_that_labkit_ended_the_script_before_its_end(tmp_path: Path) -> None:
    code = "import time\nfor step in range(100_000):\n    train(0.1)\n    time.sleep(0.004)\n"
    said = told(tmp_path, code, "--fail-on", "slowdown")
    assert "of what comes after that nothing was run. With --whole" in said["stderr"]


OF_A_CALLABLE = """
import time
v1 = tf.compat.v1
with tf.Graph().as_default():
    weight = v1.get_variable("weight", initializer=1.0)
    train = v1.train.GradientDescentOptimizer(0.1).minimize(weight * weight)
    session = v1.Session()
    session.run(weight.initializer)
    step = session.make_callable(train)
for number in range(300):
    step()
    time.sleep(0.002)
"""


def test_a_loop_that_trains_by_a_session_s_callable_alone_is_recorded(tmp_path: Path) -> None:
    """Recorded: no step of it was found, and its 300 trainings were said to be hidden."""
    said = told(tmp_path, OF_A_CALLABLE, "--whole")
    assert said["steps"] >= 290 and said["reason"] == ""


WORK = "import time\nwhile time.process_time() < 6: pass\n"
STARTS = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {WORK!r}])\n"


def test_children_that_worked_where_the_script_trained_nothing_are_said(tmp_path: Path) -> None:
    """Seen: of a script that starts its trainings, only that no step was found."""
    said = told(tmp_path, STARTS, "--whole", status=1)
    assert re.search(r"started worked for \d s, .* which trained nothing", said["reason"])
    assert "diagnose the command of one" in said["reason"] and said["state"] == "done"


def test_children_beside_a_script_that_trains_are_not(tmp_path: Path) -> None:
    assert told(tmp_path, HEALTHY + STARTS, "--whole")["reason"] == ""


def test_a_run_that_cannot_be_judged_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = made_run([0.01] * 100)

    def unjudged(*_: object, **__: object) -> None:
        raise UnjudgedError(run, MemoryError("no room"))

    script, saved = tmp_path / "train.py", tmp_path / "run.jsonl"
    script.write_text("print()")
    monkeypatch.setattr("labkit.cli.diagnosed.diagnose_started", unjudged)
    assert carry_out(["diagnose", str(script), "--save", str(saved)]) != 0
    said = capsys.readouterr().err
    assert "could not be judged (MemoryError: no room)" in said and "saved to" in said
    assert len(load_run(saved).steps) == 100


def test_a_fault_while_a_run_is_judged_carries_the_run_along() -> None:
    run = made_run([0.01] * 3)
    with pytest.raises(UnjudgedError, match="ended after 3 steps") as caught, kept(run):
        raise MemoryError
    assert caught.value.run is run


def test_a_sentence_for_the_learner_stays_as_it_is() -> None:
    fail = functools.partial(LabkitError, "No step was found.")
    with pytest.raises(LabkitError, match=r"^No step was found\.$"), kept(made_run([0.01])):
        raise fail()
