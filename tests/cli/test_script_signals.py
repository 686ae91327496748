"""What a script is sent and given from outside, and does to its own process. Tier: make test."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from labkit.bench.bench import Bench
from labkit.bench.protocol import Job
from labkit.bench.script import Script, start_script
from labkit.bench.supervision import overdue
from labkit.bench.supervision.limits import Limits
from tests.cli.scripts import SETTING, told
from tests.command import labkit
from tests.running import came

pytestmark = pytest.mark.in_turn

SAVES = """
import signal, time
came = []
def save(number, frame):
    open("saved", "w").write(signal.Signals(number).name)
    came.append(number)
{handler}
for step in range(4_000):
    train(0.1)
    time.sleep(0.005)
    if step == 60:
        open("begun", "w").close()
    if came and {leaves}:
        break
    if os.path.exists("enough"):
        break
open("ended", "w").close()
"""


@pytest.fixture(autouse=True)
def in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def sent(
    folder: Path, number: int, handler: str, *, leaves: bool, first: str = ""
) -> subprocess.CompletedProcess[str]:
    """Diagnose a script, and send the command a signal once the script is at work."""
    code = SETTING + SAVES.format(handler=handler, leaves=leaves)
    (folder / "train.py").write_text(first + code)

    def meanwhile(process_id: int) -> None:
        assert came((folder / "begun").exists, 60)
        os.kill(process_id, number)
        if not leaves and handler:
            assert came((folder / "saved").exists, 20)
            (folder / "enough").touch()

    return labkit("diagnose", "train.py", "--json", "--whole", meanwhile=meanwhile, seconds=90)


def test_a_script_that_has_a_handler_for_the_signal_that_ends_it_hears_of_that_one(
    tmp_path: Path,
) -> None:
    """As a scheduler takes a machine back: who saves at SIGTERM saves under labkit, too."""
    done = sent(tmp_path, signal.SIGTERM, "signal.signal(signal.SIGTERM, save)", leaves=True)
    assert (tmp_path / "saved").read_text() == "SIGTERM" and (tmp_path / "ended").exists()
    assert done.returncode == 128 + signal.SIGTERM, done.stderr
    assert json.loads(done.stdout)["steps"] > 50


def test_who_interrupts_a_script_before_its_first_step_is_told_that_there_was_none(
    tmp_path: Path,
) -> None:
    waits = 'import time\nopen("begun", "w").close()\ntime.sleep(60)\n'
    done = sent(tmp_path, signal.SIGINT, "", leaves=True, first=waits)
    assert done.returncode == 130, done.stderr
    reason = json.loads(done.stdout)["reason"]
    assert reason == "Stopped; the script was interrupted. No step was found up to there."


def test_a_signal_that_tells_a_script_to_save_is_passed_on_and_ends_nothing(tmp_path: Path) -> None:
    done = sent(tmp_path, signal.SIGUSR1, "signal.signal(signal.SIGUSR1, save)", leaves=False)
    assert (tmp_path / "saved").read_text() == "SIGUSR1" and (tmp_path / "ended").exists()
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["state"] == "done"


# Before TensorFlow starts its threads.
BLOCKS = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])\n"
WAITS = """
def wait():
    save(signal.sigwait([signal.SIGTERM]), None)
import threading
threading.Thread(target=wait, daemon=True).start()
"""


def test_a_script_whose_thread_waits_for_the_signal_hears_of_it(tmp_path: Path) -> None:
    done = sent(tmp_path, signal.SIGTERM, WAITS, leaves=True, first=BLOCKS)
    assert (tmp_path / "saved").read_text() == "SIGTERM" and (tmp_path / "ended").exists()
    assert done.returncode == 128 + signal.SIGTERM, done.stderr


def test_a_second_signal_reaches_a_handler_of_the_script_s_own_as_well(tmp_path: Path) -> None:
    """The first asks for the end of the epoch, the second for the end."""
    code = (
        "import signal, time\n"
        "heard = []\n"
        "def hear(number, frame):\n"
        "    heard.append(number)\n"
        "    open(f'heard{len(heard)}', 'w').close()\n"
        "signal.signal(signal.SIGTERM, hear)\n"
        "while len(heard) < 2:\n"
        "    train(0.1)\n"
        "    time.sleep(0.01)\n"
        "    open('begun', 'w').close()\n"
        "open('ended', 'w').close()\n"
    )
    (tmp_path / "train.py").write_text(SETTING + code)

    def meanwhile(process_id: int) -> None:
        for name in ("begun", "heard1"):
            assert came((tmp_path / name).exists, 60)
            os.kill(process_id, signal.SIGTERM)

    done = labkit("diagnose", "train.py", "--whole", meanwhile=meanwhile, seconds=50)
    assert (tmp_path / "ended").exists() and done.returncode == 128 + signal.SIGTERM


def test_one_that_it_does_not_expect_ends_the_script_and_not_the_diagnosis(tmp_path: Path) -> None:
    done = sent(tmp_path, signal.SIGUSR2, "", leaves=False)
    said = json.loads(done.stdout)
    assert said["state"] == "killed" and said["steps"] > 50 and "SIGUSR2" in said["reason"]
    assert done.returncode == 1 and not (tmp_path / "ended").exists()


def test_a_script_that_could_not_be_watched_to_its_end_passes_no_gate(tmp_path: Path) -> None:
    """Nor by its time, if the watching had failed before."""
    code = (
        "import resource\n"
        "for step in range(1_500):\n"
        "    train(0.1)\n"
        "    if step == 50:\n"
        "        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "open('ended', 'w').close()\n"
    )
    said = told(tmp_path, code, "--whole", "--fail-on", "slowdown", status=1)
    assert said["state"] == "stopped" and "not watched to its end" in said["reason"]
    assert said["steps"] < 1_500 and (tmp_path / "ended").exists()


def test_a_script_with_more_turns_than_are_recorded_passes_no_gate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes on, and what it does from there on nobody has seen."""
    monkeypatch.setattr("labkit.bench.script.MOST_STEPS", 200)
    (tmp_path / "train.py").write_text(
        SETTING + "for step in range(400):\n    train(0.1)\nopen('ended', 'w').close()\n"
    )
    bench = Bench("auto")
    session = start_script(bench, Script("train.py"), None)
    assert session.wait(90)
    run = session.snapshot()
    bench.close()
    assert (tmp_path / "ended").exists() and len(run.steps) == 200
    assert not run.state.completed and "200 steps are the most" in run.state.reason


def test_what_a_script_saves_after_more_turns_than_are_recorded_has_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody asked for its end; its watching ended earlier, and that is no reason to cut it."""
    monkeypatch.setattr("labkit.bench.script.MOST_STEPS", 200)
    monkeypatch.setattr(overdue, "FINISH_SECONDS", 1.0)
    (tmp_path / "train.py").write_text(
        SETTING
        + "import atexit, threading, time\n"
        + "def save(name):\n"
        + "    with open(name, 'w') as file:\n"
        + "        for part in range(4):\n"
        + "            time.sleep(1)\n"
        + "            print(part, file=file, flush=True)\n"
        + "for step in range(400):\n    train(0.1)\n"
        + "threading.Thread(target=save, args=['model.txt']).start()\n"
        + "atexit.register(save, 'last.txt')\n"
    )
    bench = Bench("auto")
    session = start_script(bench, Script("train.py"), None)
    assert session.wait(90)
    state = session.state
    bench.close()
    assert state.name == "stopped" and "most that are recorded" in state.reason
    assert "cut short" not in state.reason
    assert [(tmp_path / f"{name}.txt").read_text() for name in ("model", "last")] == [
        "0\n1\n2\n3\n"
    ] * 2


def test_clocks_of_the_script_s_own_end_and_hold_up_nothing(tmp_path: Path) -> None:
    """As freezegun's: labkit's own look at the time keeps the clock that it began with."""
    code = (
        "import time\n"
        "time.perf_counter = lambda: 5.0\n"
        "for step in range(120):\n"
        "    train(0.1)\n"
        "    if step == 40:\n"
        "        time.monotonic = lambda: 1.8e9\n"
    )
    said = told(tmp_path, code, "--whole")
    assert said["state"] == "done" and said["steps"] >= 118


@pytest.mark.parametrize("seconds", [None, 300.0, 7.0])
def test_a_script_has_all_the_time_that_it_was_given(
    seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its worker looks at the clock, too: an hour's script was ended after its first minute."""
    asked: list[tuple[Job, Limits]] = []

    class Asked(Exception): ...

    def begin(_bench: Bench, _cause: Any, job: Job, limits: Limits) -> None:
        asked.append((job, limits))
        raise Asked

    monkeypatch.setattr(Bench, "begin", begin)
    bench = Bench("auto")
    with pytest.raises(Asked):
        start_script(bench, Script("train.py"), seconds)
    bench.close()
    job, limits = asked[0]
    assert job.wall_seconds == limits.wall_seconds == job.end_seconds
    assert seconds == job.wall_seconds if seconds else job.wall_seconds > 86_400 * 300


def test_what_the_shell_has_opened_for_the_script_is_there(tmp_path: Path) -> None:
    code = (
        "for step in range(40):\n    train(0.1)\n"
        "os.write(5, open(sys.argv[1]).read().encode())\n"
        "try:\n    os.write(3, b'into the dark')\n"
        "except OSError:\n    os.write(5, b'nothing at 3')\n"
    )
    (tmp_path / "train.py").write_text(SETTING + code)
    command = f"{sys.executable} -m labkit diagnose train.py --whole -- <(echo given) 5>five"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "five").read_text() == "given\nnothing at 3"


# Each child ends at Ctrl-C alone, saves its work then, and is waited for.
SAVING_CHILDREN = """
import multiprocessing, subprocess, time

def save():
    try:
        open("begun", "w").close()
        time.sleep(120)
    except KeyboardInterrupt:
        open("saved_by_child", "w").close()

SHELL = "trap 'touch saved_by_program; exit' INT; touch at_work; while :; do sleep 0.1; done"
if __name__ == "__main__":
    program = subprocess.Popen(["sh", "-c", SHELL])
    while not __import__("os").path.exists("at_work"):
        time.sleep(0.05)
    child = multiprocessing.get_context("fork").Process(target=save)
    child.start()
    try:
        {train}
        child.join()
    except KeyboardInterrupt:
        child.join()
        program.wait()
        open("saved", "w").close()
"""


def test_what_a_script_has_started_hears_of_ctrl_c_as_well(tmp_path: Path) -> None:
    """As from a terminal. Seen: it was waited for in vain, and all was killed after a minute."""
    (tmp_path / "train.py").write_text(SAVING_CHILDREN.format(train="pass"))

    def meanwhile(process_id: int) -> None:
        assert came((tmp_path / "begun").exists, 60)
        os.kill(process_id, signal.SIGINT)

    done = labkit("diagnose", "--whole", "train.py", meanwhile=meanwhile, seconds=45)
    assert done.returncode == 130, done.stderr
    for name in ("saved", "saved_by_child", "saved_by_program"):
        assert (tmp_path / name).exists(), name


def test_what_a_script_waits_for_ends_with_it_where_enough_is_known(tmp_path: Path) -> None:
    """Nobody has pressed anything; as by Ctrl-C all the same."""
    loop = SETTING + SAVING_CHILDREN.format(train="while True: train(0.1)")
    (tmp_path / "train.py").write_text(loop)
    done = labkit("diagnose", "train.py", "--seconds", "3", seconds=45)
    assert done.returncode == 0, done.stderr
    for name in ("saved", "saved_by_child", "saved_by_program"):
        assert (tmp_path / name).exists(), name


def test_a_pool_that_a_script_closes_by_itself_prints_nothing_when_enough_is_known(
    tmp_path: Path,
) -> None:
    loop = (
        "import multiprocessing, time\n"
        "with multiprocessing.get_context('fork').Pool(2) as pool:\n"
        "    rest = pool.map_async(time.sleep, [60, 60])\n"
        "    while True: train(0.1)\n"
    )
    (tmp_path / "train.py").write_text(SETTING + loop)
    done = labkit("diagnose", "train.py", "--seconds", "3", seconds=45)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
