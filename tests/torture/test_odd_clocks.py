"""A healthy loop is called slower no more often for what is done to its machine while it runs.

A machine that is itself slower from some moment on cannot always be told from a loop that is: each
run has a twin beside it, in time, to which nothing is done.

Tier: make test, in turn, short.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress

import psutil
import pytest

from labkit.bench.bench import Bench
from labkit.bench.session.session import Session
from labkit.diagnosis import judgement
from tests.running import ended, stepped
from tests.torture.conftest import Tried
from tools.control_group import control_group, join

pytestmark = pytest.mark.in_turn

STEPS = 400
ENDLESS = 3
MOST_MORE = 0.06
# For both versions of control groups: of 100 ms it may have 50.
HALF_A_CORE = {"cpu.max": "50000 100000", "cpu.cfs_quota_us": "50000"}


def stop_and_wake(session: Session, dice: random.Random) -> None:
    """Stop the worker for moments, as who presses Ctrl-Z or closes a laptop does."""
    worker = psutil.Process(session.links[0].process_id)
    for _ in range(3):
        time.sleep(dice.uniform(0.05, 0.2))
        if session.state.ended:
            return
        with suppress(psutil.NoSuchProcess):  # it was at its end
            worker.suspend()
            time.sleep(dice.uniform(0.05, 0.3))
            worker.resume()


def hold_to_one_core(session: Session, dice: random.Random) -> None:
    """Take all cores but one from all its threads."""
    worker = psutil.Process(session.links[0].process_id)
    one = {dice.choice(sorted(os.sched_getaffinity(0)))}
    for thread in worker.threads():
        with suppress(ProcessLookupError):
            os.sched_setaffinity(thread.id, one)


def start_endless_loops(session: Session, _dice: random.Random) -> None:
    """Start three programs that want a processor each, until the run has ended."""
    with ExitStack() as kept:
        for _ in range(ENDLESS):
            beside = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            kept.callback(beside.wait)
            kept.callback(beside.kill)
        ended(session)


def hold_to_a_quota(session: Session, _dice: random.Random) -> None:
    """Let it have half of a processor's time, as a container may, until the run has ended."""
    with control_group("cpu", HALF_A_CORE) as group:
        if group is None:
            session.stop()
            pytest.skip("this system lets nobody make a control group here")
        join(group, session.links[0].process_id)
        ended(session)


HELD, QUOTA = FROM_ITS_START = "held to one core", "held to a quota of half a core"
ACTS: dict[str, Callable[[Session, random.Random], None]] = {
    "stopped and woken": stop_and_wake,
    HELD: hold_to_one_core,
    QUOTA: hold_to_a_quota,
    "beside three endless loops": start_endless_loops,
}


def called_slower(bench: Bench, after: int, act: Callable[[Session], None]) -> bool:
    session = bench.start("healthy", steps=STEPS, device="cpu")
    stepped(session, after)
    act(session)
    return judgement(ended(session).snapshot()).verdict.slower


@pytest.mark.parametrize("act", ACTS)
def test_a_healthy_loop_is_called_slower_no_more_often(
    bench: Bench, rounds: int, dice: random.Random, tried: Tried, act: str
) -> None:
    times = 2 * rounds
    disturbed = alone = 0
    for _ in range(times):
        # Who takes cores away amid a run makes its steps longer in truth.
        after = 1 if act in FROM_ITS_START else dice.randrange(60, 200)
        disturbed += called_slower(bench, after, lambda session: ACTS[act](session, dice))
        alone += called_slower(bench, after, lambda session: None)
    assert disturbed <= alone + max(1, MOST_MORE * times)
    tried(times, f"runs {act}")
    tried(disturbed, "of these called slower")
    tried(alone, "of as many that were left alone called slower")
