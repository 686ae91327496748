"""What a lab's controls do apart from running loops: where runs are saved.

Tier: make test.
"""

from __future__ import annotations

import itertools
import weakref
from pathlib import Path
from typing import Any

import pytest

from labkit.causes import load
from labkit.lab.player import LabPlayer
from labkit.record import load_run
from labkit.show.live.answer import GHOSTS
from labkit.show.live.controls import Controls
from tests.show.standin import StandInRun


def refused(**_options: Any) -> Any:
    raise AssertionError("nothing is run here")


def kernel() -> LabPlayer:
    """Return the player of a lab in a kernel of its own, in which nothing has run."""
    return LabPlayer(load("graph_growth"), start=refused)


def test_two_runs_saved_within_one_second_are_both_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two kernels name their runs alike; both said one name, and one run was lost."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("labkit.lab.player.time.strftime", lambda _format: "now")
    said = []
    for steps in (30, 40):
        run = StandInRun("graph_growth-1", {"grow": True, "build_once": False})
        run.advance(steps)
        said.append(kernel().save(run))
    assert said == [str(tmp_path / f"graph_growth-1-now{more}.jsonl") for more in ("", "-2")]
    assert [len(load_run(path).steps) for path in said] == [30, 40]


def test_a_saved_run_has_its_name_and_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = StandInRun("graph_growth-7", {"grow": True, "build_once": False})
    run.advance(3)
    (file,) = [Path(kernel().save(run))]
    assert list(tmp_path.iterdir()) == [file]
    assert file.name.startswith("graph_growth-7-2") and file.suffix == ".jsonl"


def test_a_panel_holds_no_more_runs_than_it_shows() -> None:
    numbers = itertools.count(1)
    player = LabPlayer(
        load("graph_growth"),
        start=lambda **_: StandInRun(
            f"graph_growth-{next(numbers)}", {"grow": True, "build_once": False}
        ),
    )
    first = weakref.ref(player.start({}))
    for _ in range(GHOSTS):
        player.start({})
    assert first() is player.earlier[-1] and len(player.earlier) == GHOSTS
    player.start({})
    assert first() is None and len(player.earlier) == GHOSTS


def test_a_card_that_is_not_used_is_told_above_the_chart_and_nothing_where_none_is() -> None:
    run = StandInRun("graph_growth-1", {"grow": True, "build_once": False})
    player = LabPlayer(load("graph_growth"), start=refused, going=[run])  # type: ignore[list-item]
    assert player.banner == ""
    run.environment = {"no_gpu": "The card is busy. Labs run on the processor."}
    assert player.banner == "The card is busy. Labs run on the processor."


def test_where_both_devices_work_a_launch_toggle_chooses_one_and_starts_the_run_there() -> None:
    asked = []

    def start(**options: Any) -> Any:
        asked.append(options["device"])
        return StandInRun(f"run-{len(asked)}", {"grow": True})

    player = LabPlayer(load("graph_growth"), start=start, device="gpu")
    (toggle,) = (each for each in player.toggles if each.name == "device")
    assert (toggle.default, toggle.choices, toggle.kind) == ("gpu", ("cpu", "gpu"), "launch")
    controls = Controls(player)
    controls.start()
    controls.flip("device", "cpu")  # of a run in progress, so it starts afresh
    assert controls.values()["device"] == "cpu"
    assert asked == ["auto", "cpu"]
    assert player.current is not None and player.current.shown_with == {"device": "cpu"}  # type: ignore[union-attr]


def test_where_one_device_works_there_is_no_toggle_and_the_bench_chooses() -> None:
    asked = []
    player = LabPlayer(
        load("graph_growth"),
        start=lambda **options: asked.append(options) or StandInRun("run-1", {}),  # type: ignore[func-returns-value,return-value,arg-type]
    )
    assert "device" not in [each.name for each in player.toggles]
    player.start({})
    assert "device" not in asked[0]
