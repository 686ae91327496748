"""Where workers could be reached by others, a lab plays its recording and says why.

Tier: make test.
"""

from __future__ import annotations

import pytest

import labkit as lk
from labkit.bench.bench import Bench
from labkit.bench.isolation.isolation import ExposedError
from labkit.lab.player import SWITCH

WHY = ExposedError("Others could reach the workers here.")


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a system where nothing keeps others from a port."""
    monkeypatch.setattr(Bench, "refused", lambda _: WHY)


def test_both_sides_of_a_comparison_come_from_the_recordings(
    refused: None, capsys: pytest.CaptureFixture[str]
) -> None:
    alone, together = lk.Lab("two_workers").play("1", "2", steps=300)
    assert (alone.toggles["workers"], together.toggles["workers"]) == ("1", "2")
    assert alone.environment["started"] != "" and len(together.others) == 1
    printed = capsys.readouterr().out
    assert str(WHY) in printed and "This is a recording: 20" in printed


def test_a_run_that_was_recorded_is_shown_instead(
    refused: None, capsys: pytest.CaptureFixture[str]
) -> None:
    run = lk.run("two_workers", exchange="every tenth step")
    assert run.toggles["exchange"] == "every tenth step" and len(run.steps) == 300
    assert str(WHY) in capsys.readouterr().out


def test_a_run_like_none_that_was_recorded_is_refused(refused: None) -> None:
    with pytest.raises(ExposedError, match="Others could reach"):
        lk.run("two_workers", size=256)


def test_a_panel_plays_the_recording_and_its_banner_says_why(refused: None) -> None:
    player = lk.Lab("two_workers").player
    values = {toggle.name: toggle.default for toggle in player.toggles}
    assert values[SWITCH.name] == "on"
    started = player.start(values)
    assert "-recorded-" in started.name
    assert player.banner.startswith(str(WHY)) and "A recording: " in player.banner
    player.stop()


def test_one_worker_is_run_here(refused: None) -> None:
    run = lk.run("two_workers", workers="1", exchange="never", steps=10)
    assert len(run.steps) == 10 and run.environment["network"] is None


def test_other_labs_have_no_recording_before_them(refused: None) -> None:
    lab = lk.Lab("graph_growth")
    assert SWITCH.name not in {toggle.name for toggle in lab.player.toggles}
    assert lab.player.banner == ""


def test_who_insists_runs_the_lab_here(refused: None) -> None:
    run = lk.Lab("two_workers", exposed=True).play("2", steps=10)
    assert len(run.steps) == 10 and len(run.others) == 1


def test_a_claim_that_may_not_be_tried_here_stops_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise WHY

    monkeypatch.setattr("labkit.bench.isolation.isolation.Isolator.isolate", refuse)
    refused, other = lk.trial("4.3", "4.4").tried
    assert refused.ruling.name == "cannot tell here" and str(WHY) in refused.ruling.because
    assert str(WHY) not in other.ruling.because and len(other.played.runs["training"].steps) > 0
