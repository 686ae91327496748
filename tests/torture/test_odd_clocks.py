"""A healthy loop is not called slower whatever is done to its machine while it runs.

Tier: make test, in turn, short.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack

import psutil
import pytest

from labkit.bench.bench import Bench
from labkit.bench.session.session import Session
from labkit.diagnosis import judgement
from tests.running import ended, stepped
from tests.torture.conftest import Tried

pytestmark = pytest.mark.in_turn

STEPS = 400
ENDLESS = 3
# One verdict in a hundred is wrong on a busy machine (docs/benchmarks.md).
MOST_WRONG = 0.04


def stop_and_wake(session: Session, dice: random.Random) -> None:
    """Stop the worker for moments, as who presses Ctrl-Z or closes a laptop does."""
    worker = psutil.Process(session.links[0].process_id)
    for _ in range(3):
        time.sleep(dice.uniform(0.05, 0.2))
        if session.state.ended:
            return
        worker.suspend()
        time.sleep(dice.uniform(0.05, 0.3))
        worker.resume()


def hold_to_one_core(session: Session, dice: random.Random) -> None:
    """Take all cores but one from all its threads."""
    worker = psutil.Process(session.links[0].process_id)
    one = {dice.choice(sorted(os.sched_getaffinity(0)))}
    for thread in worker.threads():
        os.sched_setaffinity(thread.id, one)


def start_endless_loops(session: Session, _dice: random.Random) -> None:
    """Start three programs that want a processor each, until the run has ended."""
    with ExitStack() as kept:
        for _ in range(ENDLESS):
            beside = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            kept.callback(beside.wait)
            kept.callback(beside.kill)
        ended(session)


ACTS: dict[str, Callable[[Session, random.Random], None]] = {
    "stopped and woken": stop_and_wake,
    "held to one core": hold_to_one_core,
    "beside three endless loops": start_endless_loops,
}


@pytest.mark.parametrize("act", ACTS)
def test_a_healthy_loop_is_not_called_slower(
    bench: Bench, rounds: int, tried: Tried, act: str
) -> None:
    dice = random.Random(act)
    times, wrong = 2 * rounds, []
    for _ in range(times):
        session = bench.start("healthy", steps=STEPS, device="cpu")
        stepped(session, dice.randrange(60, 200))
        ACTS[act](session, dice)
        verdict = judgement(ended(session).snapshot()).verdict
        if verdict.slower:
            wrong.append(verdict)
    assert len(wrong) <= max(1, MOST_WRONG * times), wrong
    tried(times, f"runs, {len(wrong)} of them called slower")
