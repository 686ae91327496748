"""Controls: what a flip does depends on the toggle's kind and on whether a run goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from labkit.record import ChoiceError, LabkitError
from labkit.show.live.controls import Controls
from tests.show.standin import StandInPlayer


def test_a_flip_between_runs_only_sets_what_the_next_run_starts_with() -> None:
    player = StandInPlayer()
    controls = Controls(player)
    controls.flip("grow", "off")
    controls.flip("onednn", "off")
    assert player.asked == []
    assert controls.start().toggles["grow"] is False


@pytest.mark.parametrize(
    ("name", "word", "asked"),
    [("order", "chain", "set order chain"), ("onednn", "off", "start"), ("onednn", "on", "")],
    ids=["live: in this run", "launch: a fresh run", "launch, as it is: nothing"],
)
def test_a_flip_during_a_run_acts_at_once(name: str, word: str, asked: str) -> None:
    player = StandInPlayer()
    controls = Controls(player)
    controls.start()
    controls.flip("grow", "off")
    controls.flip(name, word)
    assert player.asked == ["start", "set grow off", *filter(None, [asked])]
    assert player.current is not None
    assert player.current.toggles["grow"] is False, "a fresh run keeps the others"
    assert controls.values()[name] == word


def test_a_refused_flip_is_taken_back() -> None:
    player = StandInPlayer()
    controls = Controls(player)
    controls.start()
    player.refusal = "The worker is gone; press Run."
    with pytest.raises(LabkitError):
        controls.flip("grow", "off")
    assert controls.values()["grow"] == "on"


def test_a_loop_that_was_to_wait_at_a_refused_flip_goes_on() -> None:
    player = StandInPlayer()
    controls = Controls(player)
    controls.start()
    controls.pauses_at_flips = True
    player.refusal = "The worker is gone; press Run."
    with pytest.raises(LabkitError):
        controls.flip("grow", "off")
    assert not player.runs[-1].paused


def test_a_loop_that_was_paused_before_stays_so_at_a_refused_flip() -> None:
    player = StandInPlayer()
    controls = Controls(player)
    controls.start().pause(True)
    controls.pauses_at_flips = True
    player.refusal = "The worker is gone; press Run."
    with pytest.raises(LabkitError):
        controls.flip("grow", "off")
    assert player.runs[-1].paused


def test_a_toggle_or_value_that_does_not_exist_is_refused_with_the_choices() -> None:
    controls = Controls(StandInPlayer())
    with pytest.raises(ChoiceError, match="loose, chain, tree"):
        controls.flip("order", "chian")
    with pytest.raises(ChoiceError, match="grow"):
        controls.flip("grwo", "on")


def test_a_flip_made_in_a_cell_shows() -> None:
    player = StandInPlayer()
    controls = Controls(player)
    controls.start()
    player.set("grow", "off")
    assert controls.values()["grow"] == "off"


def test_a_late_worker_does_not_undo_the_click_on_the_screen() -> None:
    player = StandInPlayer()
    controls = Controls(player)
    run = controls.start()
    player.set = lambda name, value: None  # type: ignore[assignment,method-assign]
    controls.flip("grow", "off")
    assert run.toggles["grow"] is True
    assert controls.values()["grow"] == "off"


def test_saving_before_the_first_run_says_what_to_do() -> None:
    with pytest.raises(LabkitError, match="press Run"):
        Controls(StandInPlayer()).save()


@pytest.fixture
def one_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which all that is asked for comes within one second."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("labkit.show.live.controls.time.strftime", lambda _format: "now")
    return tmp_path


def test_two_reports_of_one_second_are_both_kept(one_second: Path) -> None:
    """Two kernels name their runs alike; both said one name, and one report was lost."""
    said = []
    for steps in (30, 40):
        player = StandInPlayer()
        player.start({}).advance(steps)
        said.append(Controls(player).report())
    names = ["run-1-now-2.html", "run-1-now-2.svg", "run-1-now.html", "run-1-now.svg"]
    assert sorted(file.name for file in one_second.iterdir()) == names
    assert said[1].startswith(str(one_second / "run-1-now-2.html"))
    assert said[1].endswith("for slides there is run-1-now-2.svg beside it")
    assert "30 steps" in (one_second / "run-1-now.html").read_text()


def test_a_picture_that_somebody_made_is_left_alone(one_second: Path) -> None:
    (one_second / "run-1-now.svg").write_text("mine")
    player = StandInPlayer()
    player.start({}).advance(30)
    assert Controls(player).report().endswith("there is run-1-now-2.svg beside it")
    assert (one_second / "run-1-now.svg").read_text() == "mine"
