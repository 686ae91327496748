"""Ctrl-Z stops what a command has started together with it, and `fg` lets it go on.

Tier: make test.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests.running import came, gone

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


@pytest.fixture(params=["auto", "plain"])
def at_work(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A command in a group of its own, as a shell gives each, whose script has begun."""
    (tmp_path / "train.py").write_text(CODE)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    ours = subprocess.Popen(
        [sys.executable, "-m", "labkit", "diagnose", "train.py"], cwd=tmp_path, process_group=0,
        env=os.environ | {"LABKIT_START": request.param, "TMPDIR": str(temporary)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert waited_for(lambda: ticks(tmp_path) > 10)
    yield ours
    ours.kill()
    ours.wait()


def ticks(folder: Path) -> int:
    file = folder / "ticks"
    return file.read_text().count("\n") if file.exists() else 0


def suspend(command: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Press Ctrl-Z, and return what the command has started."""
    os.kill(command.pid, signal.SIGTSTP)
    process = psutil.Process(command.pid)
    assert waited_for(lambda: stopped(process))
    return process.children(recursive=True)


def test_a_script_stops_with_ctrl_z_and_goes_on_with_fg(
    at_work: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    below = suspend(at_work)
    assert waited_for(lambda: any(map(stopped, below)))
    before = ticks(tmp_path)
    time.sleep(0.5)
    assert ticks(tmp_path) == before
    os.kill(at_work.pid, signal.SIGCONT)
    assert waited_for(lambda: ticks(tmp_path) > before + 10)
    os.kill(at_work.pid, signal.SIGINT)
    assert at_work.wait(60) == 128 + signal.SIGINT
    assert not any(each.is_running() for each in below)


def test_a_command_that_is_killed_while_it_is_stopped_leaves_nothing(
    at_work: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    below = suspend(at_work)
    assert len(below) >= 2 and [*(tmp_path / "temporary").iterdir()]
    at_work.kill()
    at_work.wait()
    assert all(gone(each.pid) for each in below)
    assert came(lambda: not [*(tmp_path / "temporary").iterdir()])
