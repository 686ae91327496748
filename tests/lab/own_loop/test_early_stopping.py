"""A run is ended for what was said twice, and no slowdown is told that was not. Tier: make test."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from labkit.diagnosis import examine
from labkit.lab.own_loop import early_stopping as room
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.lab.own_loop.early_stopping import Looking
from labkit.record import Run, State
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

    def wait(self, seconds: float) -> bool:
        return False

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
    assert looking.told(run) == examine(run)


def test_a_run_that_is_never_ended_is_judged_once_while_it_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged: list[Run] = []
    monkeypatch.setattr(room, "examine", lambda run: judged.append(run) or examine(run))
    run = watched(rest=1e-2, evidence=COUNTED)
    played = Played(run)
    looking = Looking(played, may_end=None)  # type: ignore[arg-type]
    for _ in range(len(run.steps) // 100):
        looking(0.01)
    assert len(judged) == 1 and not played.finished
    assert looking.told(run) == examine(run)


def test_what_nobody_confirmed_is_not_told() -> None:
    run = watched(rest=LATE_SHIFT, evidence=COUNTED)
    assert examine(run).verdict.slower
    played, looking = looked(run)
    assert played.shown == 200
    told = looking.told(run)
    assert len(told.run.steps) == 200 and told.run.state == State("done")
    assert told.verdict.label == "flat" and not told.late_steps


def looked_once(run: Run, at: int) -> Looking:
    """At so many steps; then the time was up."""
    played = Played(run, shown=at - 100)
    looking = Looking(played)  # type: ignore[arg-type]
    looking(0.01)
    assert not played.finished and played.shown == at
    return looking


LATE = np.where(np.arange(STEPS) < 310, 1e-2, 1.3e-2)
TIME_UP = State("time_limit", "Ended at the time limit of 50 s, after 400 steps.")


def test_a_slowdown_that_came_just_before_the_time_was_up_is_not_told() -> None:
    run = watched(rest=LATE, evidence=COUNTED, state=TIME_UP)
    assert examine(run).verdict.slower and not examine(run).findings
    told = looked_once(run, at=310).told(run)
    assert len(told.run.steps) == 310 and told.verdict.label == "flat"
    assert "the last 90 steps are not judged" in str(Diagnosed(told)) and "healthy" not in str(
        Diagnosed(told)
    )
    assert told.late_steps == 90
    page = Diagnosed(told)._repr_mimebundle_()["text/html"]
    assert "the last 90 steps are not judged" in page and "lk-verdict lk-open" in page


def test_what_is_kept_is_that_of_the_whole_run() -> None:
    """The last count of all, after a collection, may be the one that frees it."""
    kept = np.where(np.arange(STEPS) < 320, np.arange(STEPS), 0)
    run = watched(rest=LATE, evidence={**COUNTED, "kept/losses": kept}, state=TIME_UP)
    part = room.until(run, 310)
    assert examine(part).memory.label == "leaking"
    told = looked_once(run, at=310).told(run)
    assert told.verdict.label == "flat"
    assert told.memory == examine(run).memory and told.memory.label == "flat"


@pytest.mark.parametrize("ended", ["failed", "killed", "memory_limit", "stopped", "done"])
def test_a_slowdown_before_another_end_is_told(ended: Any) -> None:
    """What a loop did just before its end may be why it ended, and there is no more to wait for."""
    run = watched(rest=LATE, evidence=COUNTED, state=State(ended, "It ended."))
    told = looked_once(run, at=310).told(run)
    assert len(told.run.steps) == STEPS and told.verdict.slower


def test_a_slowdown_that_stood_for_a_while_is_told_when_the_time_is_up() -> None:
    run = watched(rest=LATE, evidence=COUNTED, state=TIME_UP)
    told = looked_once(run, at=300).told(run)
    assert len(told.run.steps) == STEPS and told.verdict.slower


def test_a_cause_makes_a_late_slowdown_no_surer() -> None:
    """Of a step that is nearly all one place, what the machine does is counted there."""
    run = watched(
        {"graph_building_seconds": LATE - 0.9e-2},
        rest=9e-3,
        counters={"graph_ops": ramp(100, 4000)},
        evidence=COUNTED,
        state=TIME_UP,
    )
    assert examine(run).verdict.slower
    assert not looked_once(run, at=310).told(run).verdict.slower


def test_after_enough_is_known_nobody_looks_again() -> None:
    played, looking = looked(watched(rest=1e-2, evidence=COUNTED))
    looking._due = 0.0
    looking(0.01)
    assert played.finished == 1 and played.shown == 200


def test_a_slowdown_that_does_not_hold_is_withdrawn() -> None:
    grown = watched(rest=np.linspace(1e-2, 3e-2, STEPS), evidence=COUNTED)
    played, looking = looked(grown)
    assert played.finished == 1
    assert looking.told(grown).verdict.slower
    flat = watched(rest=1e-2)
    assert looking.told(flat) == examine(flat)
