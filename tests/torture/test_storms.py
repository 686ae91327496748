"""Torture (``make torture``): many runs, ended in many ways at random moments; nothing is left."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from labkit.bench.bench import Bench
from labkit.bench.limits import Limits
from labkit.record import LabkitError, Run, State, Steps, load_run, save_run
from tests.bench.test_kernel_gone import gone, kernel, read
from tests.running import FAULTY, ended

RUNS = 120
KERNELS = 15


def test_a_storm_of_runs_that_end_in_every_way_leaves_nothing(bench: Bench) -> None:
    dice = random.Random(1)
    ended(bench.start(FAULTY, steps=2))
    before = len(os.listdir("/proc/self/fd"))
    seen = set()
    for _ in range(RUNS):
        fault = dice.choice(["none", "raise", "exit", "leave", "flood", "hang"])
        limits = Limits(stop_seconds=0.2, silent_seconds=1.0, wall_seconds=5.0)
        session = bench.start(FAULTY, toggles={"fault": fault}, steps=400, limits=limits)
        time.sleep(dice.uniform(0, 0.4))
        worker = session.links[0].process_id
        act = dice.choice(["wait", "stop", "kill", "flip"])
        if act == "stop":
            session.stop()
        elif act == "kill" and worker is not None and psutil.pid_exists(worker):
            os.kill(worker, signal.SIGKILL)
        elif act == "flip" and not session.state.ended:
            try:
                session.set("quiet", "on")
            except LabkitError as error:
                assert "has ended" in str(error)
        run = ended(session).snapshot()
        seen.add(run.state.name)
        assert run.state.ended
        assert run.state.name == "done" or run.state.reason
        assert all(seconds > 0 for seconds in run.steps.seconds)
    assert len(seen) >= 4, seen
    # Two more are the pipes of a spare worker, which may not have been there before.
    assert len(os.listdir("/proc/self/fd")) <= before + 3


def test_kernels_killed_at_random_moments_leave_no_process_and_no_file() -> None:
    dice = random.Random(2)
    for _ in range(KERNELS):
        with kernel() as process:
            facts = read(process)
            time.sleep(dice.uniform(0, 0.3))
            children = psutil.Process(process.pid).children(recursive=True)
            process.send_signal(dice.choice([signal.SIGKILL, signal.SIGTERM]))
        assert gone(facts["worker"]) and all(gone(child.pid) for child in children)
        assert not Path(str(facts["folder"])).exists()


def test_a_disk_that_fills_while_a_run_is_saved_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    small = Run("mine", "Mine", State("done"), (), Steps({"start_seconds": [0], "seconds": [1]}))
    save_run(small, path)
    program = (
        "import resource, sys\n"
        "from labkit.record import LabkitError, Run, State, Steps, save_run\n"
        "n = 10_000\n"
        "run = Run('big', 'Big', State('done'), (), "
        "Steps({'start_seconds': range(n), 'seconds': [1] * n}))\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "try:\n"
        "    save_run(run, sys.argv[1])\n"
        "except LabkitError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False
    )
    assert "could not be saved" in done.stdout and done.stdout.count("\n") == 1
    assert load_run(path) == small
    assert os.listdir(tmp_path) == ["run.jsonl"]


def test_no_room_for_the_step_file_is_one_sentence(tmp_path: Path) -> None:
    program = (
        "import resource, sys\n"
        "from labkit.bench.stepfile import StepFileWriter\n"
        "from labkit.record import LabkitError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try:\n"
        "    StepFileWriter(sys.argv[1], 10, 1_000_000)\n"
        "except LabkitError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "steps")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "no room for 1,000,000 steps" in done.stdout and done.stdout.count("\n") == 1


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_NOFILE"), reason="no such limit here")
def test_a_bench_without_descriptors_left_refuses_and_recovers(bench: Bench) -> None:
    ended(bench.start(FAULTY, steps=2))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.dup(0)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + 1, hard))
    try:
        with pytest.raises(LabkitError):
            bench.start(FAULTY, steps=2)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert ended(bench.start(FAULTY, steps=2)).state.name == "done"
