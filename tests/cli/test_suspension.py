"""Ctrl-Z stops what a command has started together with it, and `fg` lets it go on.

Tier: make test.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

CODE = """
import time
ticks = open('ticks', 'w', buffering=1)
for step in range(2_000):
    print(step, file=ticks)
    time.sleep(0.01)
"""
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGTSTP"), reason="no terminal stops anything")


def waited_for(true: Callable[[], bool]) -> bool:
    ends_at = time.monotonic() + 60
    while not true() and time.monotonic() < ends_at:
        time.sleep(0.05)
    return true()


def stopped(process: psutil.Process) -> bool:
    return bool(process.status() == psutil.STATUS_STOPPED)


def test_a_script_stops_with_ctrl_z_and_goes_on_with_fg(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(CODE)
    command = [sys.executable, "-m", "labkit", "diagnose", "train.py"]
    # A group of its own, as a shell gives each command.
    ours = subprocess.Popen(command, cwd=tmp_path, process_group=0, stderr=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL)  # fmt: skip
    process, ticks = psutil.Process(ours.pid), tmp_path / "ticks"

    def count() -> int:
        return ticks.read_text().count("\n") if ticks.exists() else 0

    try:
        assert waited_for(lambda: count() > 10)
        os.kill(ours.pid, signal.SIGTSTP)
        assert waited_for(lambda: stopped(process))
        below = process.children(recursive=True)
        assert len(below) >= 2 and waited_for(lambda: all(map(stopped, below)))
        before = count()
        time.sleep(0.5)
        assert count() == before
        os.kill(ours.pid, signal.SIGCONT)
        assert waited_for(lambda: count() > before + 10)
    finally:
        for number in (signal.SIGCONT, signal.SIGINT):
            os.kill(ours.pid, number)
        assert ours.wait(60) == 128 + signal.SIGINT
    assert not any(each.is_running() for each in below)
