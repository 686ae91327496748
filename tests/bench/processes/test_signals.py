"""Runs end and are cleared up after, whatever signals are blocked where they are started.

Tier: make test.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

# As in a daemon that waits for its signals with `signal.sigwait`.
BLOCKING = """
import signal, sys, time
import psutil
from labkit.bench.bench import Bench

signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGTERM, signal.SIGINT})
bench = Bench(sys.argv[1])
bench.start("healthy", steps=1).wait(120)
for steps in (1, 1_000_000):
    session = bench.start("healthy", steps=steps)
    while not session.count:
        time.sleep(0.01)
    session.stop()
    session.wait(60)
    print(session.state.name)
left = psutil.Process().children(recursive=True)
print(*(each.name() for each in left if each.status() == psutil.STATUS_ZOMBIE))
bench.close()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts processes as Linux does")
@pytest.mark.parametrize("start", ["auto", pytest.param("plain", marks=pytest.mark.full)])
def test_where_signals_are_blocked_a_run_leaves_no_process(start: str) -> None:
    """Recorded: a dead process stayed for each run, whose end took 6 s, and a stop 12 s."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", BLOCKING, start],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.stdout.splitlines() == ["done", "stopped", ""], done.stdout + done.stderr
