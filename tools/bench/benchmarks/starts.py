"""From the call to the first sample, in a fresh process: forked from a warm launcher, and plain."""

from __future__ import annotations

import time
from contextlib import closing

from labkit.bench.bench import Bench
from tools.bench.figure import Figure, median_wait

GROUP = "call to first sample"
FORKS = 20
# Nobody presses Run in the very moment a run ends; a spare worker is made ready meanwhile.
PAUSE_SECONDS = 0.5
PLAINS = 5


def measure() -> list[Figure]:
    """Return the median seconds of both ways to start."""
    with closing(Bench("fork")) as bench:
        bench.warm()
        assert bench.launcher is not None and bench.launcher.wait_until_ready(120)
        warm = [_first_sample(bench) for _ in range(FORKS)]
    with closing(Bench("plain")) as bench:
        plain = [_first_sample(bench) for _ in range(PLAINS)]
    return [
        median_wait(GROUP, "launcher warm", warm, 0.25),
        median_wait(GROUP, "plain start", plain, None),
    ]


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
