"""A run is ended for what was said twice, and no slowdown is told that was not. Tier: make test."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import numpy as np
import pytest

from labkit.diagnosis import examine, explained
from labkit.lab import looking as room
from labkit.lab.looking import Looking
from labkit.record import Finding, Run, State
from tests.diagnosis.watched import STEPS, ramp, watched

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
    assert looking.bears_out(run, examine(run))


def test_what_nobody_confirmed_is_not_told() -> None:
    run = watched(rest=LATE_SHIFT, evidence=COUNTED)
    assert examine(run).verdict.slower
    played, looking = looked(run)
    assert played.shown == 200
    assert not looking.bears_out(run, examine(run))
    told = looking.believed(run)
    assert len(told.steps) == 200 and told.state == State("done")
    assert examine(told).verdict.label == "flat"


def looked_once(run: Run, at: int) -> Looking:
    """At so many steps; then the time was up."""
    played = Played(run, shown=at - 100)
    looking = Looking(played)  # type: ignore[arg-type]
    looking(0.01)
    assert not played.finished and played.shown == at
    return looking


LATE = np.where(np.arange(STEPS) < 310, 1e-2, 1.3e-2)


def test_a_slowdown_that_came_just_before_the_time_was_up_is_not_told() -> None:
    run = watched(rest=LATE, evidence=COUNTED)
    said = examine(run)
    assert said.verdict.slower and not said.findings
    looking = looked_once(run, at=310)
    assert not looking.bears_out(run, said)
    told = looking.believed(run)
    assert len(told.steps) == 310 and examine(told).verdict.label == "flat"


def test_a_slowdown_that_stood_for_a_while_is_told_when_the_time_is_up() -> None:
    run = watched(rest=LATE, evidence=COUNTED)
    assert looked_once(run, at=300).bears_out(run, examine(run))


def test_a_late_slowdown_with_a_sure_cause_is_told() -> None:
    run = watched(
        {"graph_building_seconds": LATE - 0.9e-2},
        rest=9e-3,
        counters={"graph_ops": ramp(100, 4000)},
        evidence=COUNTED,
    )
    said = examine(run)
    assert said.verdict.slower and explained(said)
    assert looked_once(run, at=310).bears_out(run, said)


def test_a_machine_that_got_slower_is_no_sure_cause() -> None:
    said = examine(watched(rest=LATE, evidence=COUNTED))
    blamed = replace(said, findings=(Finding("machine", "growth", 1.0, "", ""),))
    assert not explained(blamed)
    assert explained(replace(said, findings=(Finding("retracing", "growth", 0.6, "", ""),)))
    assert not explained(replace(said, findings=(Finding("retracing", "growth", 0.5, "", ""),)))
    assert not explained(replace(said, findings=(Finding("retracing", "memory", 1.0, "", ""),)))


def test_after_enough_is_known_nobody_looks_again() -> None:
    played, looking = looked(watched(rest=1e-2, evidence=COUNTED))
    looking._due = 0.0
    looking(0.01)
    assert played.finished == 1 and played.shown == 200


def test_a_slowdown_that_does_not_hold_is_withdrawn() -> None:
    grown = watched(rest=np.linspace(1e-2, 3e-2, STEPS), evidence=COUNTED)
    played, looking = looked(grown)
    assert played.finished == 1
    assert looking.bears_out(grown, examine(grown))
    flat = watched(rest=1e-2)
    assert looking.bears_out(flat, examine(flat))
