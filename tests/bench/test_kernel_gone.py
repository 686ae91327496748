"""When the kernel goes, by interrupt or for good, no process and no file of a run stays behind.

Tier: make test, but where said.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.running import FAULTY, gone

KERNEL = """
import json, os, signal, sys, time
from labkit.bench.bench import Bench
from labkit.lab.kernel import wait_for
# Ignored where a shell has put the tests into the background, and that is inherited.
signal.signal(signal.SIGINT, signal.default_int_handler)
bench = Bench(os.environ.get("LABKIT_START", "auto"))
toggles = json.loads(sys.argv[3])
session = bench.start(sys.argv[1], toggles=toggles, steps=1_000_000)
while session.count < int(sys.argv[2]):
    time.sleep(0.01)
job = session.job
folder, scratch = os.path.dirname(job.steps_path), os.path.dirname(job.scratch_path)
forked = 0
if sys.argv[4] == "pool":  # a child such as pools have, which outlives a kernel that is killed
    forked = os.fork()
    if not forked:
        os.close(1)
        time.sleep(600)
        os._exit(0)
def quietly(session, steps, title):
    facts = {"worker": session.links[0].process_id, "folder": folder, "scratch": scratch}
    facts["forked"] = forked
    print(json.dumps(facts), flush=True)
    while not session.wait(0.05):
        pass
run = wait_for(session, "a loop", quietly)
print(json.dumps({"state": run.state.name, "steps": len(run.steps)}), flush=True)
bench.close()
"""


@contextmanager
def kernel(
    loop: str = FAULTY, steps: int = 20, before: str = "", **toggles: str
) -> Iterator[subprocess.Popen[str]]:
    """Start a process that runs a loop as a notebook's kernel does, and speaks after some steps."""
    with subprocess.Popen(
        [sys.executable, "-c", KERNEL, loop, str(steps), json.dumps(toggles), before],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        yield process


def read(process: subprocess.Popen[str]) -> dict[str, object]:
    assert process.stdout is not None
    return dict(json.loads(process.stdout.readline()))


@pytest.mark.full
def test_an_interrupt_of_the_whole_group_stops_the_run_and_keeps_its_steps() -> None:
    with kernel() as process:
        facts = read(process)
        os.killpg(process.pid, signal.SIGINT)
        said = read(process)
        assert said["state"] == "stopped" and int(str(said["steps"])) >= 20
        assert process.wait(30) == 0
    assert gone(facts["worker"])
