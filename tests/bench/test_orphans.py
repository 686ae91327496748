"""What a loop starts ends with its run, and a worker ends with its kernel, whatever it is doing.

Tier: make test, but where said.
"""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

import psutil
import pytest

from labkit.bench.bench import Bench
from labkit.bench.session import Session
from tests.bench.leaving_loop import BOMB
from tests.bench.test_kernel_gone import kernel, read
from tests.running import ended, gone, stepped

LEAVING = str(Path(__file__).with_name("leaving_loop.py"))
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


def test_a_killed_reaper_takes_all_that_was_below_it_along(bench: Bench) -> None:
    if bench.launcher is None:
        pytest.skip("a plain start has nobody above its reaper")
    session = stepped(bench.start(LEAVING, toggles={"starts": "daemon"}, steps=1_000_000), 20)
    assert session.links[0].process_id is not None
    reaper = psutil.Process(session.links[0].process_id).parent()
    assert reaper is not None and reaper.pid != bench.launcher.process_id
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
    session = ended(bench.start(LEAVING, toggles=toggles, steps=20), 30)
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
    for folder in ("folder", "scratch"):
        assert not Path(str(facts[folder])).exists()


HOLDING = {"starts": "daemon", "then": "hold the lock"}


@pytest.mark.parametrize("then", ["hold the lock", "be stopped"])
def test_a_worker_that_can_do_nothing_ends_with_its_kernel_and_its_files(then: str) -> None:
    with kernel(LEAVING, 9, **HOLDING if then == "hold the lock" else {}) as process:
        facts = read(process)
        worker = psutil.Process(int(str(facts["worker"])))
        if then == "be stopped":
            worker.send_signal(signal.SIGSTOP)
            while worker.status() != psutil.STATUS_STOPPED:
                time.sleep(0.01)
        process.kill()
    assert gone(worker.pid, seconds=20)
    for folder in ("folder", "scratch"):
        deadline = time.monotonic() + 10
        while Path(str(facts[folder])).exists():
            assert time.monotonic() < deadline
            time.sleep(0.02)
