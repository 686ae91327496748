"""Kills at random moments: what is killed is counted, and nothing is left.

Tier: make test, in turn, short.

``make torture`` does the same many times over.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest

from labkit.bench.bench import Bench
from labkit.bench.folders import sweep_abandoned
from labkit.bench.session.session import Session
from labkit.bench.supervision.limits import Limits
from labkit.record import LabkitError
from tests.bench.test_kernel_gone import kernel, read
from tests.running import FAULTY, descriptors_settle, ended, gone, left_folders, living, stepped
from tests.torture.conftest import Tried

pytestmark = pytest.mark.in_turn

LEAVING = str(Path(__file__).parents[1] / "bench" / "leaving_loop.py")
VICTIMS = ("worker", "reaper", "launcher")
FOREVER = 1_000_000


def victim(session: Session, name: str) -> psutil.Process:
    worker = psutil.Process(session.links[0].process_id)
    reaper = worker.parent()
    assert reaper is not None
    launcher = reaper.parent()
    assert launcher is not None
    return {"worker": worker, "reaper": reaper, "launcher": launcher}[name]


@pytest.mark.parametrize("name", VICTIMS)
def test_a_run_of_which_one_process_is_killed_keeps_its_steps_and_leaves_nothing(
    bench: Bench, rounds: int, dice: random.Random, tried: Tried, name: str
) -> None:
    if bench.launcher is None and name == "launcher":
        pytest.skip("plain starts have no launcher")
    killed = 0
    for _ in range(2 * rounds):
        starts = dice.choice(["nothing", "child", "daemon", "pool", "bomb"])
        then = dice.choice(["go on", "hold the lock"])
        session = stepped(
            bench.start(LEAVING, toggles={"starts": starts, "then": then}, steps=FOREVER),
            dice.randrange(1, 10),
        )
        time.sleep(dice.uniform(0, 0.1))
        doomed = victim(session, name)
        assert living(doomed)
        tree = [doomed, *doomed.children(recursive=True)]
        seen = session.count
        doomed.kill()
        ended(session, 30)
        killed += session.state.name == "killed"
        assert session.state.reason and "\n" not in session.state.reason
        assert len(session.snapshot().steps) >= seen
        assert all(gone(each.pid) for each in tree)
    assert killed == 2 * rounds
    tried(killed, f"kills of the {name}")


def shuffled(dice: random.Random, ways: Sequence[str]) -> Iterator[str]:
    """Yield all of some ways, in another order each time, without end."""
    while True:
        yield from dice.sample(ways, len(ways))


def test_runs_that_end_in_every_way_each_say_how(
    bench: Bench, rounds: int, dice: random.Random, tried: Tried
) -> None:
    ended(bench.start(FAULTY, steps=2))
    before = len(os.listdir("/proc/self/fd"))
    seen: Counter[str] = Counter()
    acts: Counter[str] = Counter()
    faults = shuffled(dice, ["none", "raise", "exit", "leave", "flood", "hang"])
    ways = shuffled(dice, ["wait", "stop", "flip", "hang up"])
    for _ in range(8 * rounds):
        fault = next(faults)
        limits = Limits(stop_seconds=0.2, silent_seconds=1.0, wall_seconds=5.0)
        session = bench.start(FAULTY, toggles={"fault": fault}, steps=400, limits=limits)
        time.sleep(dice.uniform(0, 0.4))
        act = next(ways)
        if act == "stop":
            session.stop()
        elif act == "flip":
            try:
                session.set("quiet", "on")
            except LabkitError as error:
                assert "has ended" in str(error)
        elif act == "hang up":
            session.links[0].hang_up()
        run = ended(session).snapshot()
        seen[run.state.name] += 1
        acts[act] += 1
        assert run.state.name == "done" or run.state.reason
        assert all(seconds > 0 for seconds in run.steps.seconds)
    assert len(seen) >= 2 and len(acts) == 4, (seen, acts)
    # Two more are the pipes of a spare worker, which may not have been there before.
    assert descriptors_settle(before + 3)
    tried(8 * rounds, "runs")


def test_kernels_that_are_killed_in_a_run_leave_no_process_and_no_file(
    rounds: int, dice: random.Random, tried: Tried
) -> None:
    for _ in range(2 * rounds):
        toggles = {"starts": dice.choice(["child", "daemon", "pool"])}
        if dice.random() < 0.5:
            toggles["then"] = "hold the lock"
        with kernel(LEAVING, 9, **toggles) as process:
            facts = read(process)
            time.sleep(dice.uniform(0, 0.3))
            tree = psutil.Process(process.pid).children(recursive=True)
            assert len(tree) >= 4  # launcher, reaper, worker, and what the loop has started
            process.send_signal(dice.choice([signal.SIGKILL, signal.SIGTERM]))
        assert all(gone(each.pid) for each in tree)
        for folder in ("folder", "scratch"):
            assert not Path(str(facts[folder])).exists()
    tried(2 * rounds, "kernels killed in a run")


def test_kernels_that_are_killed_before_their_run_leave_nothing_that_is_not_swept(
    rounds: int, dice: random.Random, tried: Tried
) -> None:
    before = left_folders()
    for _ in range(2 * rounds):
        with kernel(LEAVING, 9) as process:
            time.sleep(dice.uniform(0.2, 3.0))  # while Python starts, and TensorFlow is imported
            tree = psutil.Process(process.pid).children(recursive=True)
            process.kill()
        assert all(gone(each.pid, 2) for each in tree)
    sweep_abandoned()
    assert left_folders() <= before
    tried(2 * rounds, "kernels killed before their run")


def test_a_stopped_process_of_a_run_is_no_way_to_stay(
    bench: Bench, rounds: int, dice: random.Random, tried: Tried
) -> None:
    for _ in range(rounds):
        session = stepped(bench.start(LEAVING, steps=FOREVER, limits=Limits(stop_seconds=0.5)), 5)
        doomed = victim(session, dice.choice(["worker", "reaper"]))
        tree = [doomed, *doomed.children(recursive=True)]
        doomed.suspend()
        session.stop()
        ended(session, 30)
        assert session.state.name == "stopped"
        assert all(gone(each.pid) for each in tree)
    tried(rounds, "runs of which a process was stopped")


def test_an_impatient_learner_ends_each_run_by_the_next(
    bench: Bench, rounds: int, tried: Tried
) -> None:
    sessions = []
    for _ in range(4 * rounds):
        for session in sessions[-1:]:
            session.stop()
        sessions.append(bench.start(FAULTY, steps=FOREVER))
        sessions[-1].wait(0.05)
    sessions[-1].stop()
    assert {ended(session, 60).state.name for session in sessions} == {"stopped"}
    tried(len(sessions), "runs, each begun while the one before it went on")
