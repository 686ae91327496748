"""A kernel remembers its latest runs, and the steps of the others do not fill its memory.

Tier: make test, in turn.
"""

from __future__ import annotations

import weakref

import pytest

from labkit.bench.bench import Bench
from labkit.bench.session.session import Session
from tests.running import came, ended, stepped

pytestmark = pytest.mark.in_turn


def run(bench: Bench) -> Session:
    return ended(bench.start("healthy", steps=300))


def test_runs_that_take_little_are_all_remembered(bench: Bench) -> None:
    made = [run(bench) for _ in range(3)]
    assert list(bench.sessions[-3:]) == made


def test_a_run_that_nobody_holds_goes_from_memory_when_later_ones_need_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded: each run stayed for as long as its kernel, also one that had been deleted."""
    first, last = weakref.ref(run(bench)), run(bench)
    assert last.links.kept_bytes > 50_000
    monkeypatch.setattr("labkit.bench.remembered.MOST_BYTES", 50_000)
    going = stepped(bench.start("healthy", steps=1_000_000), 5)
    assert bench.sessions == (last, going)
    assert came(lambda: first() is None)
    going.stop()
    ended(going)


def test_who_holds_a_run_that_is_not_remembered_has_its_steps(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labkit.bench.remembered.MOST_BYTES", 50_000)
    held = run(bench)
    before = held.snapshot()
    run(bench), run(bench)
    assert held not in bench.sessions
    assert held.snapshot() == before and len(before.steps) == 300


def test_a_run_that_goes_on_is_remembered_whatever_came_after_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labkit.bench.remembered.MOST_BYTES", 0)
    going = stepped(bench.start("healthy", steps=1_000_000), 5)
    run(bench), run(bench), run(bench)
    assert bench.sessions[0] is going and len(bench.sessions) == 3
    going.stop()
    ended(going)
