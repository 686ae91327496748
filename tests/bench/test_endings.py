"""A run ends whatever fails while it is being ended, and says what. Tier: make test."""

from __future__ import annotations

from pathlib import Path

import pytest

from labkit.bench.bench import Bench
from labkit.bench.session.session import Session
from tests.running import FAULTY, ended, stepped
from tests.torture.test_shortages import descriptors_left

WAITING = """
import os, time
def make_step():
    while not os.path.exists({go!r}):
        time.sleep(0.01)
    return lambda: time.sleep(0.001)
"""
# The worker has made its step file by then, and its kernel has not looked for it yet.
REMOVING = """
import os, re, shutil, time
def make_step():
    (file,) = re.findall(r"\\S+/steps-0", open("/proc/self/maps").read())[:1]
    shutil.rmtree(os.path.dirname(file))
    return lambda: time.sleep(0.001)
"""


def assert_failed(session: Session, *words: str) -> None:
    state = session.state
    assert state.name == "failed" and "\n" not in state.reason
    assert all(word in state.reason for word in words), state.reason
    assert len(session.snapshot().steps) == session.count == 0


def test_a_run_ends_where_its_kernel_has_no_descriptor_left(bench: Bench, tmp_path: Path) -> None:
    loop, go = tmp_path / "loop.py", tmp_path / "go"
    loop.write_text(WAITING.format(go=str(go)))
    session = bench.start(str(loop), steps=1_000_000)
    with descriptors_left(0):
        go.mkdir()
        ended(session, 30)
    assert_failed(session, "no file descriptor is left", "then run again")
    assert ended(bench.start(FAULTY, steps=5)).state.name == "done"


def test_a_run_ends_where_its_folder_is_gone_before_the_first_look(
    bench: Bench, tmp_path: Path
) -> None:
    loop = tmp_path / "loop.py"
    loop.write_text(REMOVING)
    session = ended(bench.start(str(loop), steps=1_000_000), 30)
    assert_failed(session, "steps-0 was removed while it was in use", "run again")
    assert not session.folders.scratch.path.exists()


def test_what_was_seen_of_a_run_outlives_its_folder(bench: Bench) -> None:
    session = stepped(bench.start(FAULTY, steps=1_000_000), 50)
    session.folders.remove()
    session.stop()
    ended(session)
    assert session.state.name == "stopped" and len(session.snapshot().steps) >= 50


def test_a_run_ends_whatever_breaks_in_the_kernel_itself(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("nobody thought of this")

    monkeypatch.setattr("labkit.bench.session.session.Session.gather", broken)
    monkeypatch.setattr("labkit.bench.session.worker_handle.WorkerHandle.trim_log", broken)
    session = ended(bench.start(FAULTY, steps=1_000_000), 30)
    assert session.state.name == "failed" and "please report it" in session.state.reason
    assert "nobody thought of this" in session.state.traceback


def test_a_fault_in_clearing_up_hides_no_fault_of_the_loop(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("labkit.bench.session.session.Session.gather", broken)
    session = ended(bench.start(FAULTY, toggles={"fault": "raise"}, steps=100), 30)
    assert session.state.name == "failed" and "ValueError: step 21" in session.state.reason
