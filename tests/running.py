"""One bench for every test that runs loops, and what such tests wait for.

``tests/conftest.py`` makes the fixtures known; a folder whose tests must leave no process behind
uses ``no_process_left`` in its own conftest.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from labkit.bench.bench import Bench
from labkit.bench.session import Session

FAULTY = str(Path(__file__).parent / "bench" / "faulty_loop.py")


@pytest.fixture(scope="session")
def bench() -> Iterator[Bench]:
    """A bench with a warm launcher, or with plain starts where LABKIT_START says so."""
    made = Bench(os.environ.get("LABKIT_START", "auto"))
    made.warm()
    if made.launcher is not None:
        assert made.launcher.wait_until_ready(120)
    yield made
    made.close()


@pytest.fixture
def plain_bench() -> Iterator[Bench]:
    """A bench that starts every worker as a fresh interpreter."""
    made = Bench("plain")
    yield made
    made.close()


@pytest.fixture
def no_process_left(bench: Bench) -> Iterator[None]:
    """Nothing but the launcher may be left after a test."""
    # A learner's own bench, of a test that ran before this one, is none of this test's.
    there = {child.pid for child in psutil.Process().children()}
    yield
    for session in bench.sessions:
        assert session.wait(30), f"{session.name} never ended"
    deadline = time.monotonic() + 10
    while left := _strangers(bench, there):
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


def _strangers(bench: Bench, there: set[int]) -> list[psutil.Process]:
    """Return labkit's processes but the launcher, its spare worker, and those of other benches."""
    launcher = bench.launcher
    ours = {launcher.process_id, launcher.spare_process_id} if launcher is not None else set()
    grown = [
        one
        for child in psutil.Process().children()
        if child.pid in ours or child.pid not in there
        for one in (child, *_children(child))
    ]
    return [one for one in grown if one.pid not in ours and "labkit" in " ".join(_command(one))]


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.Error:
        return []


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def ended(session: Session, seconds: float = 90) -> Session:
    """Wait for the end of a run that must end by itself."""
    assert session.wait(seconds), f"still {session.state} after {seconds} s"
    return session


def stepped(session: Session, count: int, seconds: float = 90) -> Session:
    """Wait until a run has recorded this many steps."""
    deadline = time.monotonic() + seconds
    while session.count < count:
        assert not session.state.ended, session.state
        assert time.monotonic() < deadline, f"only {session.count} steps after {seconds} s"
        time.sleep(0.005)
    return session
