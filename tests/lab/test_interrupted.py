"""An interrupt within a run, as one ends and between two: no run is lost, none is begun after it.

Tier: make test, in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import labkit as lk
from labkit.bench.session.session import Session
from labkit.lab.kernel import bench, wait_for
from labkit.record import Run
from tests.lab.loop_file import quiet_loop
from tests.running import stepped

pytestmark = pytest.mark.in_turn


@pytest.fixture(autouse=True)
def nothing_left_running() -> Iterator[None]:
    yield
    for session in bench().sessions:
        session.stop()
        assert session.wait(30)


def test_an_interrupt_stops_the_run_and_returns_its_steps() -> None:
    session = bench().start("graph_growth", toggles={"grow": "off"}, steps=1_000_000)

    def interrupted(session: Session, steps: int, title: str) -> None:
        stepped(session, 5)
        raise KeyboardInterrupt

    run = wait_for(session, "a run", interrupted)
    assert run.state.name == "stopped" and len(run.steps) >= 5


@pytest.fixture
def interrupt_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt comes just when a run has ended by itself."""

    def interrupted(session: Session, *_: object, **__: object) -> None:
        assert session.wait(90)
        raise KeyboardInterrupt

    monkeypatch.setattr("labkit.lab.kernel.follow", interrupted)


@pytest.mark.usefixtures("interrupt_at_the_end")
def test_a_run_that_has_ended_when_the_interrupt_comes_is_returned_whole(tmp_path: Path) -> None:
    run = lk.run(str(quiet_loop(tmp_path)), steps=5)
    assert run.state.name == "done" and len(run.steps) == 5
    assert lk.runs()[-1].stop_asked


def test_a_run_that_nobody_stops_tells_so(tmp_path: Path) -> None:
    lk.run(str(quiet_loop(tmp_path)), steps=5)
    assert not lk.runs()[-1].stop_asked


def test_an_interrupt_behind_a_progress_that_nobody_takes_stops_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = bench().start(str(quiet_loop(tmp_path)), steps=1_000_000)
    real, asked = session.wait, iter([KeyboardInterrupt])

    def show(*_: object) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    def wait(seconds: float | None = None) -> bool:
        if error := next(asked, None):
            raise error
        return real(seconds)

    monkeypatch.setattr(session, "wait", wait)
    with pytest.warns(UserWarning, match="cannot be shown"):
        assert wait_for(session, "a loop", show).state.name == "stopped"


def test_an_interrupt_while_the_steps_are_read_costs_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = bench().start(str(quiet_loop(tmp_path)), steps=5)
    real, asked = session.snapshot, iter([KeyboardInterrupt])

    def snapshot() -> Run:
        if error := next(asked, None):
            raise error
        return real()

    monkeypatch.setattr(session, "snapshot", snapshot)
    assert len(wait_for(session, "a loop").steps) == 5 and session.stop_asked


@pytest.mark.usefixtures("interrupt_at_the_end")
def test_an_interrupt_that_comes_as_a_run_ends_plays_no_further_one() -> None:
    before = lk.runs()
    (only,) = lk.Lab("graph_growth").play("off", "on", steps=5)
    assert only.state.name == "done" and only.toggles["grow"] is False
    assert len(set(lk.runs()) - set(before)) == 1


@pytest.mark.parametrize("made", [0, 1])
def test_an_interrupt_between_two_runs_keeps_what_was_played(
    monkeypatch: pytest.MonkeyPatch, made: int
) -> None:
    start, left = bench().start, iter(range(made))

    def interrupted(*given: object, **more: object) -> Session:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return start(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(bench(), "start", interrupted)
    lab = lk.Lab("graph_growth")
    if not made:  # there is nothing to return
        with pytest.raises(KeyboardInterrupt):
            lab.play("off", "on", steps=5)
    else:
        (only,) = lab.play("off", "on", steps=5)
        assert only.state.name == "done" and only.toggles["grow"] is False
