"""A long run and many runs take memory as they must, and no more. Tier: make test, in turn, short.

Each is tried in a process of its own, whose memory nobody else has used before.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.torture.conftest import Tried

pytestmark = pytest.mark.in_turn

MB = 1_000_000
FULL_RUNS = 200  # from then on as many are kept as ever
TOLD = {"kept": "for the run", "file": "to save and load it,"}
QUIET = """
def make_step():
    return lambda: None
"""
MEMORY = """
import json, numpy as np, psutil, sys
import labkit as lk
from labkit.record import save_run
def held():
    return psutil.Process().memory_info().rss
def most():
    lines = open("/proc/self/status").read().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
loop, steps, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]
lk.run(loop, steps=200)
"""
LONG = (
    MEMORY
    + """
before = held()
run = lk.run(loop, steps=steps)
kept = held() - before
memory = run.steps.column("resident_bytes")
worker = memory[-1] - memory[len(memory) // 5]
open("/proc/self/clear_refs", "w").write("5")  # the most that was held counts from here
before = held()
saved = save_run(run, file)
again = lk.load_run(saved)
file_bytes = most() - before
wrong = [name for name in run.steps.names
         if not np.array_equal(again.steps.column(name), run.steps.column(name), equal_nan=True)]
said = {"state": run.state.name, "steps": len(run.steps), "kept": kept, "worker": worker,
        "file": file_bytes, "wrong": wrong}
print(json.dumps(said))
"""
)
MANY = (
    MEMORY
    + """
import ctypes, gc
from concurrent.futures import ThreadPoolExecutor
def one(number):
    run = lk.run(loop, steps=20_000)
    assert run.state.name == "done" and len(run.steps) == 20_000, run.state
    return held()
readings, kept = [], []
with ThreadPoolExecutor(2) as two_at_a_time:
    for half in range(2):
        readings += two_at_a_time.map(one, range(steps // 2))
        gc.collect()
        if sys.platform == "linux":  # what C's allocator has in reserve is nobody's
            ctypes.CDLL(None).malloc_trim(0)
        kept.append(held())
print(json.dumps([readings, kept]))
"""
)


def tell(code: str, folder: Path, count: int, ending: str = "jsonl.gz") -> Any:
    """Return what a program in a process of its own says at its end."""
    loop = folder / "quiet.py"
    loop.write_text(QUIET)
    command = [sys.executable, "-c", code, str(loop), str(count), str(folder / f"run.{ending}")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2_000:]
    return json.loads(ran.stdout.splitlines()[-1])


def test_a_long_run_takes_half_a_kilobyte_a_step_and_its_file_no_more_than_300_mb(
    tmp_path: Path, rounds: int, tried: Tried
) -> None:
    steps = 10_000 * rounds
    said = tell(LONG, tmp_path, steps)
    assert (said["state"], said["steps"], said["wrong"]) == ("done", steps, [])
    assert said["kept"] < 600 * steps + 10 * MB
    assert said["worker"] < 300 * steps + 10 * MB
    assert said["file"] < 300 * max(steps, 100_000) + 10 * MB
    for what in ("kept", "file"):
        tried(round(said[what] / MB), f"MB {TOLD[what]} of {steps:,} steps")


def test_many_runs_in_one_kernel_take_no_more_than_the_latest_ones_may(
    tmp_path: Path, rounds: int, tried: Tried
) -> None:
    runs = 8 * rounds
    readings, kept = tell(MANY, tmp_path, runs)
    assert len(readings) == runs
    # Of the latest runs 100 MB are kept, and what is theirs beside the steps.
    assert max(readings) - readings[0] < 250 * MB
    tried(runs, "runs of 20,000 steps in one kernel")
    if runs >= FULL_RUNS:  # until then what is kept still fills
        rise = kept[1] - kept[0]
        assert rise < 30 * MB
        tried(max(0, round(rise / MB)), "MB more at the end than half-way")
