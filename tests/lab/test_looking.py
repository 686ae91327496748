"""A run is ended for what was said twice, and no slowdown is told that was not. Tier: make test."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest

from labkit.diagnosis import examine
from labkit.lab import looking as room
from labkit.lab.looking import Looking
from labkit.record import Run, State
from tests.diagnosis.watched import STEPS, watched

COUNTED = {"gc_objects": np.full(STEPS, 1e5)}
LATE_SHIFT = np.where(np.arange(STEPS) < STEPS // 2, 1e-2, 2e-2)


@dataclass
class Played:
    """A session whose steps were recorded before; a look finds a hundred more of them."""

    run: Run
    shown: int = 0
    finished: int = 0
    timing: SimpleNamespace = field(
        default_factory=lambda: SimpleNamespace(first_step=time.monotonic() - 60)
    )

    def snapshot(self) -> Run:
        self.shown += 100
        return room.until(self.run, self.shown)

    def finish(self) -> None:
        self.finished += 1


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "LOOK_SECONDS", 0.0)


def looked(run: Run) -> tuple[Played, Looking]:
    played = Played(run)
    looking = Looking(played)  # type: ignore[arg-type]
    deadline = time.monotonic() + 20
    while not played.finished and played.shown < len(run.steps):
        looking(0.01)
        assert time.monotonic() < deadline
    return played, looking


def test_a_verdict_that_stays_is_that_on_the_whole_run() -> None:
    run = watched(rest=1e-2, evidence=COUNTED)
    played, looking = looked(run)
    assert played.finished == 1 and played.shown == 200
    assert looking.bears_out(examine(run).verdict)


def test_what_nobody_confirmed_is_not_told() -> None:
    run = watched(rest=LATE_SHIFT, evidence=COUNTED)
    assert examine(run).verdict.slower
    played, looking = looked(run)
    assert played.shown == 200
    assert not looking.bears_out(examine(run).verdict)
    told = looking.believed(run)
    assert len(told.steps) == 200 and told.state == State("done")
    assert examine(told).verdict.label == "flat"


def test_a_run_that_was_never_settled_is_told_whole() -> None:
    run = watched(rest=LATE_SHIFT, evidence=COUNTED)
    played = Played(run)
    looking = Looking(played)  # type: ignore[arg-type]
    looking(0.01)
    assert not played.finished
    assert looking.bears_out(examine(run).verdict)


def test_after_enough_is_known_nobody_looks_again() -> None:
    played, looking = looked(watched(rest=1e-2, evidence=COUNTED))
    looking._due = 0.0
    looking(0.01)
    assert played.finished == 1 and played.shown == 200


def test_a_slowdown_that_does_not_hold_is_withdrawn() -> None:
    grown = watched(rest=np.linspace(1e-2, 3e-2, STEPS), evidence=COUNTED)
    played, looking = looked(grown)
    assert played.finished == 1
    assert looking.bears_out(examine(grown).verdict)
    assert looking.bears_out(examine(watched(rest=1e-2)).verdict)
