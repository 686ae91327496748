"""Recorded runs played again: nothing is added, nothing left out, and the banner says so.

Tier: make test.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

from labkit.diagnosis import judgement
from labkit.lab.fallback import FallbackPlayer
from labkit.lab.recordings import recordings
from labkit.lab.replay import ReplayPlayer, replay
from labkit.lab.replayed import Replayed
from labkit.record import Column, Event, LabkitError, Run, State, Steps, save_run
from tests.measure.owned_clock import OwnedClock
from tests.show.standin import StandInPlayer

MACHINE = {
    "started": "2026-11-22T10:00:00+00:00", "processor": "a small one", "cores": 2,
    "tensorflow": "2.21.0",
}  # fmt: skip


def recorded(steps: int = 100, *, cause: str = "graph_growth", **toggles: bool | str) -> Run:
    """Return a run whose steps take 10 ms and follow one another, after a first one of a second."""
    seconds = np.full(steps, 0.01)
    seconds[:1] = 1.0
    starts = np.concatenate([[0.0], np.cumsum(seconds)[:-1]])[:steps]
    return Run(
        cause=cause, title="Graph growth", state=State("done"),
        columns=(Column("start_seconds", "start", "s", "clock"),
                 Column("seconds", "time of the step", "s", "clock")),
        steps=Steps({"start_seconds": starts, "seconds": seconds}),
        toggles={"grow": True, "chain": False, "build_once": False, **toggles},
        events=(Event(50, "toggle", "grow off", {"name": "grow", "value": False}),),
        evidence={"live_tensors": ((0, 3.0), (90, 4.0))}, environment=dict(MACHINE),
    )  # fmt: skip


def test_steps_come_when_they_came() -> None:
    clock = OwnedClock()
    played = Replayed("one", recorded(), clock=clock)
    assert played.count == 1, "TensorFlow's start-up is not waited for again"
    clock.pass_ms(205)
    assert played.count == 21
    assert played.state.name == "running"
    assert len(played.read("seconds", 10, 100)) == 11
    clock.pass_ms(10_000)
    assert played.count == 100 and played.state == State("done")


def test_twice_the_speed_takes_half_the_time() -> None:
    clock = OwnedClock()
    played = Replayed("one", recorded(), 2.0, clock)
    clock.pass_ms(101)
    assert played.count == 21


def test_what_has_not_come_yet_is_in_no_snapshot() -> None:
    clock = OwnedClock()
    played = Replayed("one", recorded(), clock=clock)
    clock.pass_ms(205)
    early = played.snapshot()
    assert len(early.steps) == 21 and not early.events and not early.state.ended
    assert early.evidence == {"live_tensors": ((0, 3.0),)}
    assert played.toggles["grow"] is True
    clock.pass_ms(500)
    assert [event.step for event in played.events] == [50]
    assert played.toggles["grow"] is False


def test_played_to_its_end_it_is_the_recorded_run() -> None:
    clock = OwnedClock()
    run = recorded()
    played = Replayed("one", run, clock=clock)
    clock.pass_ms(10_000)
    assert played.snapshot() is run
    assert ReplayPlayer([run]).judge(played) == judgement(run)


def test_stop_plays_no_further_and_keeps_what_was_played() -> None:
    clock = OwnedClock()
    played = Replayed("one", recorded(), clock=clock)
    clock.pass_ms(205)
    played.stop()
    clock.pass_ms(10_000)
    assert played.count == 21 and played.state.name == "stopped"
    assert len(played.snapshot().steps) == 21


def test_a_stop_after_the_end_changes_nothing() -> None:
    clock = OwnedClock()
    played = Replayed("one", recorded(), clock=clock)
    clock.pass_ms(10_000)
    played.stop()
    assert played.state == State("done")


def test_toggles_choose_between_the_recordings_there_are() -> None:
    player = ReplayPlayer([recorded(), recorded(grow=False)])
    assert [toggle.name for toggle in player.toggles] == ["grow"]
    assert {toggle.kind for toggle in player.toggles} == {"launch"}
    assert player.start({"grow": "off"}).toggles["grow"] is False
    assert player.start({"grow": "on"}).run.toggles["grow"] is True
    assert len(player.earlier) == 1


def test_one_recording_has_no_toggles() -> None:
    assert ReplayPlayer([recorded()]).toggles == ()


def test_a_recording_that_is_missing_is_named_with_those_there_are() -> None:
    player = ReplayPlayer([recorded(), recorded(grow=False), recorded(grow=False, chain=True)])
    with pytest.raises(LabkitError, match=r"no recording with grow on, chain on.*grow off, chain"):
        player.start({"grow": "on", "chain": "on"})
    assert player.current is None


def test_a_toggle_that_was_never_recorded_otherwise_is_refused_and_not_passed_over() -> None:
    player = ReplayPlayer([recorded(), recorded(grow=False)])
    with pytest.raises(LabkitError, match=r"with grow on, build once on; .* grow off"):
        player.start({"grow": "on", "chain": "off", "build_once": "on"})
    assert player.start({"grow": "on", "chain": "off"}).run.toggles["chain"] is False
    with pytest.raises(LabkitError, match="with chain on; there is one with each of: the toggles"):
        ReplayPlayer([recorded()]).start({"chain": "on"})


def test_the_banner_says_where_and_when_and_that_nothing_runs() -> None:
    told = ReplayPlayer([recorded()], 4).banner
    for part in ("2026-11-22 10:00:00 UTC", "a small one", "2 cores", "2.21.0", "4 times",
                 "Nothing is running"):  # fmt: skip
        assert part in told
    assert "times the speed" not in ReplayPlayer([recorded()]).banner


@pytest.mark.parametrize(
    ("runs", "speed", "words"),
    [
        ([], 1, "no recording to play"),
        ([recorded(0)], 1, "no step"),
        ([recorded(), recorded(cause="retracing")], 1, "of graph_growth and retracing"),
        ([recorded(cause="own_loop")], 1, "'own_loop' has no lab"),
        ([recorded()], 0, "0 is no speed"),
        ([recorded()], float("nan"), "nan is no speed"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused(runs: list[Run], speed: float, words: str) -> None:
    with pytest.raises(LabkitError, match=words):
        ReplayPlayer(runs, speed)


def test_a_recording_can_neither_be_switched_nor_saved_again() -> None:
    player = ReplayPlayer([recorded()])
    with pytest.raises(LabkitError, match="cannot be switched"):
        player.set("grow", "off")
    with pytest.raises(LabkitError, match="a file of it already"):
        player.save(player.start({}))


def test_files_and_folders_are_read(tmp_path: Path) -> None:
    save_run(recorded(), tmp_path / "one.jsonl")
    save_run(recorded(cause="retracing"), tmp_path / "two.jsonl.gz")
    found = recordings(tmp_path, recorded(), cause="graph_growth")
    assert [run.cause for run in found] == ["graph_growth"] * 2


def test_a_damaged_file_costs_the_others_of_its_folder_nothing(tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text("no run\n")
    with pytest.raises(LabkitError, match=r"broken\.jsonl"):
        recordings(tmp_path)
    save_run(recorded(), tmp_path / "whole.jsonl")
    assert len(recordings(tmp_path)) == 1
    with pytest.raises(LabkitError, match=r"broken\.jsonl"):
        recordings(tmp_path / "whole.jsonl", tmp_path / "broken.jsonl")


def test_what_is_no_path_is_named() -> None:
    with pytest.raises(LabkitError, match="3 is no path"):
        recordings(3)  # type: ignore[arg-type]


def test_a_replay_is_shown_as_a_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABKIT_LIVE", "panel")
    assert replay(recorded(), presenter=True)._facts["presenter"] is True
    monkeypatch.setenv("LABKIT_LIVE", "core")
    assert "Nothing is running" in replay(recorded()).words.value
    monkeypatch.setenv("LABKIT_LIVE", "blocking")
    assert len(replay(recorded()).runs) == 1


def both() -> tuple[FallbackPlayer, StandInPlayer, ReplayPlayer]:
    live, player = StandInPlayer(), ReplayPlayer([recorded(), recorded(grow=False)])
    return FallbackPlayer(live, player), live, player


def test_one_switch_plays_the_recording_instead() -> None:
    player, live, replayed = both()
    values = {toggle.name: toggle.default for toggle in player.toggles}
    assert values["recorded"] == "off"
    player.start(values)
    assert player.current is live.current and player.banner == ""
    player.start({**values, "recorded": "on"})
    assert player.current is replayed.current and "A recording" in player.banner
    assert live.asked == ["start", "stop"], "what ran here has ended"


def test_a_flip_while_a_recording_plays_chooses_another() -> None:
    player, live, _ = both()
    player.start({"grow": "on", "recorded": "on"})
    player.set("grow", "off")
    assert player.current is not None and player.current.toggles["grow"] is False
    assert "start" not in live.asked


def test_a_recording_that_is_missing_ends_nothing() -> None:
    player, live, _ = both()
    live_run = player.start({toggle.name: toggle.default for toggle in live.toggles})
    with pytest.raises(LabkitError, match="grow"):
        player.start({"grow": "sideways", "recorded": "on"})
    assert player.current is live_run and "stop" not in live.asked


def test_a_lab_without_a_recording_of_its_cause_says_how_to_make_one() -> None:
    from labkit.lab.lab import Lab

    with pytest.raises(LabkitError, match="labkit run retracing --out"):
        Lab("retracing", recorded=recorded())


def test_recordings_of_other_causes_are_passed_over() -> None:
    from labkit.lab.lab import Lab

    lab = Lab("graph_growth", recorded=[recorded(), recorded(cause="retracing")])
    assert lab.player.toggles[-1].name == "recorded"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_a_folder_of_recordings_costs_the_others_nothing(tmp_path: Path) -> None:
    save_run(recorded(), tmp_path / "run.jsonl")
    os.mkfifo(tmp_path / "pipe.jsonl")
    released = threading.Timer(5, (tmp_path / "pipe.jsonl").write_text, ("no run",))
    released.daemon = True
    released.start()
    assert recordings(tmp_path) == [recorded()]
    assert not released.finished.is_set(), "it was waited for"
    released.cancel()
