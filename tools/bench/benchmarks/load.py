"""Load made on purpose: processes that compute and copy for a while, rest for a while, and so on.

Usage: python -m tools.bench.benchmarks.load SEED     until its input is closed or it is ended.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

REST_SECONDS = 0.8
WORK_SECONDS = 1.0


@contextmanager
def load(seed: int) -> Iterator[None]:
    """Keep the machine busy with a program of its own."""
    program = subprocess.Popen(
        [sys.executable, "-m", "tools.bench.benchmarks.load", str(seed)],
        stdin=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    try:
        yield
    finally:
        os.killpg(program.pid, 9)
        program.wait()


def main(seed: int) -> None:
    """Rest and work for random times; one or two processes at a time, of one kind or the other."""
    threading.Thread(target=end_with_standard_input, daemon=True).start()
    chance = random.Random(seed)
    context = multiprocessing.get_context("spawn")
    with context.Pool(2) as pool:
        pool.map(int, (0, 0))  # both are there before the first load
        while True:
            time.sleep(chance.expovariate(1 / REST_SECONDS))
            seconds = chance.expovariate(1 / WORK_SECONDS)
            kinds = chance.choices(("compute", "copy"), k=chance.choice((1, 1, 2)))
            pool.starmap(work, [(kind, seconds) for kind in kinds], chunksize=1)


def end_with_standard_input() -> None:
    """End the whole group once whoever started it is gone, however that ended."""
    sys.stdin.read()
    os.killpg(0, signal.SIGKILL)


def work(kind: str, seconds: float) -> None:
    """Keep one processor busy: with numbers in its caches, or with its way to the memory."""
    matrix, block = np.ones((40, 40)), np.ones(4_000_000)
    copy = np.empty_like(block)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if kind == "compute":
            matrix @ matrix
        else:
            np.copyto(copy, block)


if __name__ == "__main__":
    main(int(sys.argv[1]))
