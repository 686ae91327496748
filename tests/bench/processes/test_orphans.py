"""What a loop starts ends with its run, and a worker ends with its kernel, whatever it is doing.

Tier: make test, in turn, but where said.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from labkit.bench.bench import Bench
from labkit.bench.session.session import Session
from tests.bench.leaving_loop import BOMB
from tests.bench.test_kernel_gone import kernel, read
from tests.running import came, ended, gone, removed, stepped

pytestmark = pytest.mark.in_turn

LEAVING = str(Path(__file__).parents[1] / "leaving_loop.py")
PROCESSES = {"child": 1, "group": 1, "daemon": 1, "pool": 3, "bomb": BOMB}


def started(log: str) -> list[int]:
    return [int(number) for number in re.findall(r"^started (\d+)$", log, re.MULTILINE)]


def assert_all_gone(session: Session, processes: int) -> None:
    found = started(session.snapshot().log)
    assert len(found) == processes, "the loop did not start what it should"
    assert all(gone(process) for process in found)


@pytest.mark.parametrize("what", PROCESSES)
def test_what_a_loop_starts_is_gone_when_its_run_is_done(bench: Bench, what: str) -> None:
    session = ended(bench.start(LEAVING, toggles={"starts": what}, steps=20))
    assert session.state.name == "done" and session.count == 20
    assert_all_gone(session, PROCESSES[what])


@pytest.mark.parametrize("what", ["group", "bomb"])
def test_what_a_loop_starts_is_gone_when_its_worker_was_killed(bench: Bench, what: str) -> None:
    session = stepped(bench.start(LEAVING, toggles={"starts": what}, steps=1_000_000), 20)
    assert session.links[0].process_id is not None
    os.kill(session.links[0].process_id, signal.SIGKILL)
    ended(session)
    assert session.state.name == "killed" and "SIGKILL" in session.state.reason
    assert_all_gone(session, PROCESSES[what])


def test_the_processes_of_another_run_are_left_alone(bench: Bench) -> None:
    other = stepped(bench.start(LEAVING, toggles={"starts": "daemon"}, steps=1_000_000), 20)
    (process,) = started(other.log())
    ended(bench.start(LEAVING, toggles={"starts": "daemon"}, steps=20))
    assert not gone(process, seconds=0.5)
    other.stop()
    ended(other)
    assert gone(process)


@pytest.mark.parametrize("start", ["bench", "plain_bench"])
def test_a_killed_reaper_takes_all_that_was_below_it_along(
    request: pytest.FixtureRequest, start: str
) -> None:
    bench: Bench = request.getfixturevalue(start)
    session = stepped(bench.start(LEAVING, toggles={"starts": "daemon"}, steps=1_000_000), 20)
    assert session.links[0].process_id is not None
    reaper = psutil.Process(session.links[0].process_id).parent()
    assert reaper is not None and reaper.pid != os.getpid()
    assert bench.launcher is None or reaper.pid != bench.launcher.process_id
    reaper.kill()
    ended(session)
    assert session.state.name == "killed"
    assert_all_gone(session, 1)


def test_a_worker_that_holds_the_lock_ends_with_its_launcher(bench: Bench) -> None:
    if bench.launcher is None:
        pytest.skip("plain starts have no launcher")
    session = stepped(bench.start(LEAVING, toggles=HOLDING, steps=1_000_000), 9)
    time.sleep(0.1)
    assert bench.launcher.process_id is not None
    os.kill(bench.launcher.process_id, signal.SIGKILL)
    ended(session, 20)
    assert session.state.name == "killed" and "launcher" in session.state.reason
    assert gone(session.links[0].process_id, seconds=2)
    assert_all_gone(session, 1)


def test_where_all_above_a_worker_are_killed_its_session_ends_with_it(bench: Bench) -> None:
    if bench.launcher is None:
        pytest.skip("plain starts have no launcher")
    session = stepped(bench.start(LEAVING, toggles={"starts": "pool"}, steps=1_000_000), 20)
    launcher = psutil.Process(bench.launcher.process_id)
    doomed = [launcher, *launcher.children()]  # and every reaper
    for process in doomed:
        process.suspend()
    for process in doomed:
        process.kill()
    ended(session, 20)
    assert session.state.name == "killed" and "launcher" in session.state.reason
    assert_all_gone(session, 3)


def test_a_loop_that_stops_its_reaper_and_ends_leaves_nothing(bench: Bench) -> None:
    toggles = {"starts": "daemon", "then": "stop its reaper"}
    session = ended(bench.start(LEAVING, toggles=toggles, steps=20), 90)
    assert session.state.name == "done" and session.count == 20
    assert_all_gone(session, 1)


def test_a_process_forked_from_a_kernel_keeps_none_of_its_runs_alive() -> None:
    with kernel(LEAVING, 9, before="pool") as process:
        facts = read(process)
        (stays,) = [
            child.pid
            for child in psutil.Process(process.pid).children()
            if child.pid == facts["forked"]
        ]
        process.kill()
    assert gone(facts["worker"])
    assert not gone(stays, seconds=0)
    os.kill(stays, signal.SIGKILL)
    assert removed(facts["folder"]) and removed(facts["scratch"])


HOLDING = {"starts": "daemon", "then": "hold the lock"}


@pytest.mark.parametrize("then", ["hold the lock", "be stopped"])
def test_a_worker_that_can_do_nothing_ends_with_its_kernel_and_its_files(then: str) -> None:
    with kernel(LEAVING, 9, **HOLDING if then == "hold the lock" else {}) as process:
        facts = read(process)
        worker = psutil.Process(int(str(facts["worker"])))
        if then == "be stopped":
            worker.send_signal(signal.SIGSTOP)
            assert came(lambda: worker.status() == psutil.STATUS_STOPPED)
        process.kill()
    assert gone(worker.pid, seconds=20)
    assert removed(facts["folder"]) and removed(facts["scratch"])


ANOTHER_USERS = """
import os, subprocess, time
import psutil
from labkit.bench.processes.process_tree import become_subreaper, end_tree

become_subreaper()
others = subprocess.Popen(["sleep", "600"])
ours = subprocess.Popen(["sleep", "600"])
kill, killpg = psutil.Process.kill, os.killpg
psutil.Process.kill = lambda each: refuse(each) if each.pid == others.pid else kill(each)
os.killpg = lambda *_: None

def refuse(each):
    raise psutil.AccessDenied(each.pid)

began = time.monotonic()
end_tree()
print(time.monotonic() - began < 5, others.poll(), ours.poll() is not None)
kill(psutil.Process(others.pid))
"""


def test_a_process_that_became_another_user_is_not_waited_for() -> None:
    """As after ``sudo``. The system's answer is made up: the tests have one user, often root."""
    done = subprocess.run(
        [sys.executable, "-c", ANOTHER_USERS],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == ["True", "None", "True"]


SHARING = """
import time
from multiprocessing.shared_memory import SharedMemory

def make_step():
    kept = [SharedMemory(create=True, size=64) for _ in range(5)]
    print("made", *(each.name for each in kept), flush=True)
    return lambda: time.sleep(600)
"""


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="no shared memory to look into")
def test_shared_memory_of_a_loop_that_hangs_goes_with_its_run(bench: Bench, tmp_path: Path) -> None:
    """Recorded: Python's resource tracker, which removes it, was ended along with the loop."""
    loop = tmp_path / "sharing.py"
    loop.write_text(SHARING)
    session = bench.start(str(loop))
    assert came(lambda: "made" in session.log(), 60)
    names = session.log().partition("made ")[2].split()
    assert all(Path("/dev/shm", name).exists() for name in names) and len(names) == 5
    session.stop()
    ended(session)
    assert [name for name in names if Path("/dev/shm", name).exists()] == []
