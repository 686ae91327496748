"""A loop that starts processes of its own and never ends them, for the tests of the bench.

Each writes its process id to the log, so that a test knows that there was something to end.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace

from labkit.cause import Cause, Expectation, Toggle

STARTS = ("nothing", "child", "group", "daemon", "pool", "bomb")
THEN = ("go on", "hold the lock", "stop its reaper")
BOMB = 60


def make_step(toggles: SimpleNamespace, *, seed: int = 0) -> Callable[[], float]:
    """Return a step that does nothing; at its third it starts what the toggle says."""
    done = 0

    def step() -> float:
        nonlocal done
        done += 1
        time.sleep(0.001)
        if done == 3:
            begin(toggles.starts)
        if done == 10 and toggles.then == "hold the lock":
            hold_the_lock()
        if done == 10 and toggles.then == "stop its reaper":
            os.kill(os.getppid(), signal.SIGSTOP)
        return 0.0

    return step


def begin(what: str) -> None:
    """Start processes that stay."""
    if what == "child":
        tell(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid)
    if what == "group":  # as a shell in the background, deaf to what a terminal would send
        command = "trap '' HUP INT TERM; sleep 600 & echo started $! >&2; wait"
        subprocess.Popen(["sh", "-c", command], start_new_session=True)
        time.sleep(0.2)
    if what == "daemon":
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                linger()
            os._exit(0)
        os.wait()
        time.sleep(0.2)
    if what == "pool":
        import multiprocessing

        pool = multiprocessing.get_context("fork").Pool(3)
        for process in pool._pool:  # type: ignore[attr-defined]
            tell(process.pid)
        KEPT.append(pool)
    if what == "bomb":
        for _ in range(BOMB):
            if os.fork() == 0:
                os.setsid()
                linger()
        time.sleep(0.2)


KEPT: list[object] = []  # or the pool would end itself


def linger() -> None:
    """Stay for ten minutes."""
    tell(os.getpid())
    time.sleep(600)
    os._exit(0)


def tell(process_id: int) -> None:
    """Write a process id to the log."""
    os.write(2, f"started {process_id}\n".encode())


def hold_the_lock() -> None:
    """Wait for ten minutes without letting any thread of Python run."""
    import ctypes

    ctypes.PyDLL(None).sleep(600)


CAUSE = Cause(
    slug="leaving_loop",
    title="A loop that leaves processes behind",
    summary="Starts processes on request.",
    make_step=make_step,
    toggles=(
        Toggle("starts", "what is started", default="nothing", choices=STARTS),
        Toggle("then", "what follows", default="go on", choices=THEN),
    ),
    sizes=(),
    expectation=Expectation(shape="flat", steps=100, growth=0.0),
    notebook="",
)
