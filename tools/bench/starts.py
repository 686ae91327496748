"""From the call to the first sample, in a fresh process: forked from a warm launcher, and plain."""

from __future__ import annotations

import time
from statistics import median

from labkit.bench.bench import Bench
from tools.bench.figure import Figure

FORKS = 20
# Nobody presses Run in the very moment a run ends; a spare worker is made ready meanwhile.
PAUSE_SECONDS = 0.5
PLAINS = 5


def measure() -> list[Figure]:
    """Return the median seconds of both ways to start."""
    figures = []
    bench = Bench("fork")
    bench.warm()
    assert bench.launcher is not None and bench.launcher.wait_until_ready(120)
    figures.append(_figure(bench, "launcher warm", FORKS, goal=0.25))
    bench.close()
    bench = Bench("plain")
    figures.append(_figure(bench, "plain start", PLAINS, goal=None))
    bench.close()
    return figures


def _figure(bench: Bench, name: str, times: int, goal: float | None) -> Figure:
    waits = [_first_sample(bench) for _ in range(times)]
    note = f"median of {times}, from {min(waits):.2f} to {max(waits):.2f}"
    return Figure("call to first sample", name, median(waits), "s", goal, note)


def _first_sample(bench: Bench) -> float:
    time.sleep(PAUSE_SECONDS)
    asked = time.perf_counter()
    session = bench.start("graph_growth", steps=3)
    while session.count == 0:
        assert not session.state.ended, session.state
        time.sleep(0.001)
    waited = time.perf_counter() - asked
    session.wait()
    return waited
