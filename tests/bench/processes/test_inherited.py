"""A run has the variables, umask and processors that its kernel has when it starts the run.

Tier: make test, in turn.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from labkit.bench.bench import Bench
from labkit.bench.processes.inherited import Inherited
from tests.running import FAULTY, ended, stepped

pytestmark = pytest.mark.in_turn

# Python reads the variable of the last one when a process begins.
LOOP = """
import os, sys
def make_step():
    cores = len(os.sched_getaffinity(0))
    words = os.environ.get("MY_DATA"), oct(os.umask(0o022)), cores, sys.get_int_max_str_digits()
    print(*words, sep=", ")
    return lambda: None
"""
DIGITS = "PYTHONINTMAXSTRDIGITS"


@pytest.fixture(params=["auto", pytest.param("plain", marks=pytest.mark.full)])
def own(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """A bench whose launcher may be replaced."""
    made = Bench(request.param)
    yield made
    made.close()


@pytest.fixture
def loop(tmp_path: Path) -> str:
    path = tmp_path / "telling.py"
    path.write_text(LOOP)
    return str(path)


def told(bench: Bench, loop: str) -> list[str]:
    run = ended(bench.start(loop, steps=1)).snapshot()
    assert run.state.name == "done", run.state
    return run.log.splitlines()[-1].split(", ")


def test_what_is_set_and_removed_between_two_runs_reaches_the_next(
    own: Bench, loop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_DATA", "first")
    assert told(own, loop)[0] == "first"
    launcher = own.launcher and own.launcher.process_id
    monkeypatch.setenv("MY_DATA", "second")
    before = os.umask(0o077)
    try:
        assert told(own, loop)[:2] == ["second", "0o77"]
    finally:
        os.umask(before)
    monkeypatch.delenv("MY_DATA")
    assert told(own, loop)[:2] == ["None", oct(before)]
    assert (own.launcher and own.launcher.process_id) == launcher, "each run would take seconds"


def test_what_is_read_as_a_process_begins_reaches_the_next_run_too(
    own: Bench, loop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    going = stepped(own.start(FAULTY, steps=1_000_000), 5)
    monkeypatch.setenv(DIGITS, "5000")
    assert told(own, loop)[3] == "5000"
    assert not going.state.ended, "the run in progress was ended with its launcher"
    going.stop()
    ended(going)
    assert told(own, loop)[3] == "5000"
    assert own.sessions[-1].environment["start"] == ("fork" if own.launcher else "plain")
    monkeypatch.delenv(DIGITS)
    assert told(own, loop)[3] == "4300"


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no such choice here")
def test_the_processors_are_those_that_the_kernel_may_use_now(own: Bench, loop: str) -> None:
    before = os.sched_getaffinity(0)
    assert told(own, loop)[2] == str(len(before))
    os.sched_setaffinity(0, {min(before)})
    try:
        assert told(own, loop)[2] == "1"
    finally:
        os.sched_setaffinity(0, before)


HARMLESS = ("MY_DATA", "PATH", "PYTEST_CURRENT_TEST", "HOMEPAGE", "MY_TF_DATA")
READ_ONCE = (
    "TF_NUM_INTEROP_THREADS", "OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES", "KERAS_BACKEND",
    "PYTHONPATH", "LC_ALL", "HOME",
)  # fmt: skip


@pytest.mark.parametrize("name", [*HARMLESS, *READ_ONCE])
def test_what_is_read_once_cannot_be_set_afterwards(name: str) -> None:
    late = name in READ_ONCE
    cores = frozenset({0})
    without, one, other = (Inherited(each, cores) for each in ({}, {name: "1"}, {name: "2"}))
    assert one.changes_to(one) == without.changes_to(without) == {}
    assert one.changes_to(other) == (None if late else {name: "2"})
    assert one.changes_to(without) == (None if late else {name: None})
