"""The core-widgets panel: the same rules as the live one, from ipywidgets' own parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from labkit.record import State
from labkit.show.core import CorePanel
from tests.show.busy import TOLD, BusyPlayer
from tests.show.standin import StandInPlayer


def playing(panel: CorePanel) -> bool:
    beat = panel.beat
    return bool(beat.playing if beat.has_trait("playing") else beat._playing)


def test_run_starts_the_beat_and_the_end_stops_it() -> None:
    player = StandInPlayer()
    panel = CorePanel(player)
    assert not playing(panel)
    panel.run.click()
    assert playing(panel)
    assert player.current is not None
    player.current.advance(40)
    player.current.state = State("done")
    panel.beat.value += 1
    assert not playing(panel)
    assert "done after 40 steps" in panel.words.value


def test_a_beat_draws_the_new_steps() -> None:
    player = StandInPlayer()
    panel = CorePanel(player)
    panel.run.click()
    before = panel.picture.value
    assert player.current is not None
    player.current.advance(30)
    panel.beat.value += 1
    assert panel.picture.value != before
    assert "<polyline" in panel.picture.value


def test_flips_follow_the_rules_of_the_controls() -> None:
    player = StandInPlayer()
    panel = CorePanel(player)
    panel.toggles["grow"].value = False
    assert player.asked == []
    panel.run.click()
    panel.toggles["order"].value = "chain"
    panel.toggles["onednn"].value = False
    assert player.asked == ["start", "set order chain", "start"]


def test_a_flip_made_in_a_cell_is_shown_and_not_made_again() -> None:
    player = StandInPlayer()
    panel = CorePanel(player)
    panel.run.click()
    player.set("grow", "off")
    panel.beat.value += 1
    assert panel.toggles["grow"].value is False
    assert player.asked == ["start", "set grow off"]


def test_a_refusal_is_shown_and_taken_back() -> None:
    player = StandInPlayer()
    panel = CorePanel(player)
    panel.run.click()
    player.refusal = "No <room>."
    panel.toggles["grow"].value = False
    assert "No &lt;room&gt;." in panel.words.value
    assert panel.toggles["grow"].value is True


def test_a_busy_machine_is_told_of_once() -> None:
    player = BusyPlayer()
    panel = CorePanel(player)
    panel.run.click()
    assert player.current is not None
    player.current.advance(60)
    player.set("grow", "off")
    player.current.advance(60)
    player.current.state = State("done")
    panel.beat.value += 1
    assert panel.words.value.count("programs") == 1 and f"<p>{TOLD}; " in panel.words.value


def test_it_has_a_picture_for_viewers_without_a_kernel() -> None:
    player = StandInPlayer()
    panel = CorePanel(player)
    panel.run.click()
    assert player.current is not None
    player.current.advance(30)
    panel.refresh()
    assert "<svg" in panel._repr_mimebundle_()["text/html"]


def test_a_report_of_the_run_on_show_is_written_and_its_path_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    player = StandInPlayer()
    panel = CorePanel(player)
    panel.report.click()
    assert "no run to report yet" in panel.words.value and not list(tmp_path.iterdir())
    panel.run.click()
    assert player.current is not None
    player.current.advance(60)
    panel.report.click()
    (written,) = tmp_path.glob("*.html")
    assert f"the report is {written}" in panel.words.value
