"""Recorded runs played again: nothing is added, nothing left out, and the banner says so.

Tier: make test.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from labkit.diagnosis import judgement
from labkit.lab.lab import Lab
from labkit.lab.player import LabPlayer
from labkit.lab.replay.recorded_runs import RecordedRuns
from labkit.lab.replay.recordings import recordings
from labkit.lab.replay.replay import replay
from labkit.lab.replay.replayed import Replayed
from labkit.record import Event, LabkitError, Run, State, save_run
from tests.made_run import made_run
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
    return made_run(
        seconds, cause=cause, title="Graph growth",
        toggles={"grow": True, "chain": False, "build_once": False, **toggles},
        events=(Event(50, "toggle", "grow off", {"name": "grow", "value": False}),),
        evidence={"live_tensors": ((0, 3.0), (90, 4.0))}, environment=dict(MACHINE),
    )  # fmt: skip


def playing(run: Run | None = None, speed: float = 1.0) -> tuple[Replayed, OwnedClock]:
    """Return a recording that is played, and the clock by which it is."""
    clock = OwnedClock()
    return Replayed("one", run or recorded(), speed, clock), clock


def player_of(*runs: Run, speed: float = 1.0) -> LabPlayer:
    recordings = RecordedRuns(runs, speed)
    return LabPlayer(recordings.cause, recorded=recordings)


def test_steps_come_when_they_came() -> None:
    played, clock = playing()
    assert played.count == 1, "TensorFlow's start-up is not waited for again"
    clock.pass_ms(205)
    assert played.count == 21
    assert played.state.name == "running"
    assert len(played.read("seconds", 10, 100)) == 11
    clock.pass_ms(10_000)
    assert played.count == 100 and played.state == State("done")


def test_twice_the_speed_takes_half_the_time() -> None:
    played, clock = playing(speed=2.0)
    clock.pass_ms(101)
    assert played.count == 21


def test_what_has_not_come_yet_is_in_no_snapshot() -> None:
    played, clock = playing()
    clock.pass_ms(205)
    early = played.snapshot()
    assert len(early.steps) == 21 and not early.events and not early.state.ended
    assert early.evidence == {"live_tensors": ((0, 3.0),)}
    assert played.toggles["grow"] is True
    clock.pass_ms(500)
    assert [event.step for event in played.events] == [50]
    assert played.toggles["grow"] is False


def test_played_to_its_end_it_is_the_recorded_run() -> None:
    run = recorded()
    played, clock = playing(run)
    clock.pass_ms(10_000)
    assert played.snapshot() is run
    assert player_of(run).judge(played) == judgement(run)


def test_stop_plays_no_further_and_keeps_what_was_played() -> None:
    played, clock = playing()
    clock.pass_ms(205)
    played.stop()
    clock.pass_ms(10_000)
    assert played.count == 21 and played.state.name == "stopped"
    assert len(played.snapshot().steps) == 21


def test_a_stop_after_the_end_changes_nothing() -> None:
    played, clock = playing()
    clock.pass_ms(10_000)
    played.stop()
    assert played.state == State("done")


def test_toggles_choose_between_the_recordings_there_are() -> None:
    player = player_of(recorded(), recorded(grow=False))
    assert [toggle.name for toggle in player.toggles] == ["grow"]
    assert {toggle.kind for toggle in player.toggles} == {"launch"}
    assert player.start({"grow": "off"}).toggles["grow"] is False
    assert player.start({"grow": "on"}).snapshot().toggles["grow"] is True
    assert len(player.earlier) == 1


def test_one_recording_has_no_toggles() -> None:
    assert player_of(recorded()).toggles == ()


def test_a_recording_that_is_missing_is_named_with_those_there_are() -> None:
    player = player_of(recorded(), recorded(grow=False), recorded(grow=False, chain=True))
    with pytest.raises(LabkitError, match=r"no recording with grow on, chain on.*grow off, chain"):
        player.start({"grow": "on", "chain": "on"})
    assert player.current is None


def test_a_toggle_that_was_never_recorded_otherwise_is_refused_and_not_passed_over() -> None:
    player = player_of(recorded(), recorded(grow=False))
    with pytest.raises(LabkitError, match=r"with grow on, build once on; .* grow off"):
        player.start({"grow": "on", "chain": "off", "build_once": "on"})
    assert player.start({"grow": "on", "chain": "off"}).snapshot().toggles["chain"] is False
    with pytest.raises(LabkitError, match="with chain on; there is one with each of: the toggles"):
        player_of(recorded()).start({"chain": "on"})


def test_the_banner_says_where_and_when_and_that_nothing_runs() -> None:
    told = player_of(recorded(), speed=4).banner
    for part in ("2026-11-22 10:00:00 UTC", "a small one", "2 cores", "2.21.0", "4 times",
                 "Nothing is running"):  # fmt: skip
        assert part in told
    assert "times the speed" not in player_of(recorded()).banner


@pytest.mark.parametrize(
    ("runs", "speed", "words"),
    [
        ([], 1, "no recording to play"),
        ([recorded(0)], 1, "no step"),
        ([recorded(), recorded(cause="retracing")], 1, "of graph_growth and retracing"),
        ([recorded(cause="own_loop")], 1, "'own_loop' has no lab"),
        ([recorded()], 0, "0 is not a speed"),
        ([recorded()], float("nan"), "nan is not a speed"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused(runs: list[Run], speed: float, words: str) -> None:
    with pytest.raises(LabkitError, match=words):
        RecordedRuns(runs, speed)


def test_a_recording_can_neither_be_switched_nor_saved_again() -> None:
    player = player_of(recorded())
    with pytest.raises(LabkitError, match="no recording with grow off"):
        player.set("grow", "off")
    with pytest.raises(LabkitError, match="a file of it already"):
        player.save(player.start({}))


def test_files_and_folders_are_read(tmp_path: Path) -> None:
    save_run(recorded(), tmp_path / "one.jsonl")
    save_run(recorded(cause="retracing"), tmp_path / "two.jsonl.gz")
    found = recordings(tmp_path, recorded(), cause="graph_growth")
    assert [run.cause for run in found] == ["graph_growth"] * 2


def test_a_damaged_file_costs_the_others_of_its_folder_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.jsonl").write_text("no run\n")
    with pytest.raises(LabkitError, match=r"broken\.jsonl"):
        recordings(tmp_path)
    save_run(recorded(), tmp_path / "whole.jsonl")
    assert len(recordings(tmp_path)) == 1
    replay(tmp_path)
    assert capsys.readouterr().out.startswith("skipped: broken.jsonl")
    Lab("graph_growth", recorded=tmp_path)
    assert capsys.readouterr().out.startswith("skipped: broken.jsonl")
    with pytest.raises(LabkitError, match=r"broken\.jsonl"):
        recordings(tmp_path / "whole.jsonl", tmp_path / "broken.jsonl")


def test_what_is_no_path_is_named() -> None:
    with pytest.raises(LabkitError, match="3 is not a path"):
        recordings(3)  # type: ignore[arg-type]


def test_a_replay_is_shown_as_a_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABKIT_LIVE", "panel")
    assert replay(recorded(), presenter=True)._facts["presenter"] is True
    monkeypatch.setenv("LABKIT_LIVE", "blocking")
    assert len(replay(recorded()).runs) == 1


class Here:
    """Stands in for the bench: notes what was asked of it."""

    def __init__(self) -> None:
        self.live = StandInPlayer()

    def start(self, toggles: Mapping[str, object]) -> Any:
        return self.live.start(toggles)


def both(instead: str = "") -> tuple[LabPlayer, Here]:
    here = Here()
    recordings = RecordedRuns([recorded(), recorded(grow=False)])
    player = LabPlayer(recordings.cause, here.start, recorded=recordings, instead=instead)
    return player, here


def test_one_switch_plays_the_recording_instead() -> None:
    player, here = both()
    values = {toggle.name: toggle.default for toggle in player.toggles}
    assert values["recorded"] == "off"
    live_run = player.start(values)
    assert player.current is live_run and player.banner == ""
    player.start({**values, "recorded": "on"})
    assert isinstance(player.current, Replayed) and "A recording" in player.banner
    assert here.live.asked == ["start"] and live_run.state.ended, "what ran here has ended"
    assert player.earlier == (), "curves of two machines are not drawn over each other"


def test_where_no_run_may_be_made_the_switch_is_on_and_the_banner_says_why() -> None:
    player, here = both("Others could reach it.")
    assert player.toggles[-1].default == "on"
    assert player.banner.startswith("Others could reach it. A recording")
    player.start({"recorded": "on"})
    assert isinstance(player.current, Replayed) and here.live.asked == []
    player.start({"recorded": "off"})
    assert player.banner == "" and here.live.asked == ["start"]


def test_a_flip_while_a_recording_plays_chooses_another() -> None:
    player, here = both()
    player.start({"grow": "on", "recorded": "on"})
    player.set("grow", "off")
    assert player.current is not None and player.current.toggles["grow"] is False
    assert here.live.asked == []


def test_a_recording_that_is_missing_ends_nothing() -> None:
    player, _ = both()
    live_run = player.start({})
    with pytest.raises(LabkitError, match="grow"):
        player.start({"grow": "sideways", "recorded": "on"})
    assert player.current is live_run and not live_run.state.ended


def test_without_a_run_nothing_can_be_switched() -> None:
    with pytest.raises(LabkitError, match="grow cannot be switched; press Run"):
        both()[0].set("grow", "off")


def test_a_lab_without_a_recording_of_its_cause_says_how_to_make_one() -> None:
    with pytest.raises(LabkitError, match="labkit run retracing --out"):
        Lab("retracing", recorded=recorded())


def test_recordings_of_other_causes_are_passed_over() -> None:
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


def test_a_paused_recording_waits_and_goes_on_where_it_was() -> None:
    played, clock = playing()
    clock.pass_ms(205)
    count = played.count
    played.pause(True)
    clock.pass_ms(5_000)
    played.pause(True)
    assert played.count == count and played.paused and not played.state.ended
    played.pause(False)
    assert played.count == count and not played.paused
    clock.pass_ms(100)
    assert played.count == count + 10
