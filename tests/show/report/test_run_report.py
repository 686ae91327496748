"""The report of runs: one file that holds what is known, needs nothing else, and adds nothing.

Tier: make test, in turn.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from labkit.record import Diagnosis, LabkitError, State
from labkit.show.live.controls import Controls
from labkit.show.live.panel import Panel
from labkit.show.report.report import report_html
from labkit.show.verdict.verdict_words import verdict_words
from tests.show.markup_tree import Node, read
from tests.show.page import Shown
from tests.show.standin import StandInPlayer, finished

pytestmark = pytest.mark.in_turn


def reported(steps: int = 200, **toggles: str) -> Diagnosis:
    """Return a stand-in run that was done, as the panel would report it."""
    player = StandInPlayer()
    return player.judge(finished(player, steps, **toggles))


def headings(root: Node) -> list[tuple[int, str]]:
    found = [each for each in root.every() if re.fullmatch("h[1-6]", each.tag)]
    return [(int(each.tag[1]), each.text) for each in found]


def test_one_run_has_curve_verdict_ledger_and_environment() -> None:
    each = reported()
    run = replace(each.run, environment={"tensorflow": "2.21.0", "processor": "a small one"})
    root = read(report_html([replace(each, run=run, judged=run)]))
    assert [title for _, title in headings(root)] == [
        "Graph growth", "Where it went", "What was recorded", "Step times",
    ]  # fmt: skip
    assert each.verdict.slower and verdict_words(each.verdict) in root.text
    for part in ("grow on", "session_extension", "2.21.0", "a small one", "ops in the graph"):
        assert part in root.text, part
    (chart,) = root.every("svg")
    assert chart.attributes["aria-label"].startswith("Iteration-time curve of Graph growth, 200")


def test_a_flat_run_has_no_ledger_and_no_alarm() -> None:
    root = read(report_html([reported(grow="off")]))
    assert "Where it went" not in root.text
    assert root.of_class("lk-fine") and not root.of_class("lk-alarming")
    assert not root.of_class("lk-error")


def test_several_runs_are_told_apart_and_drawn_over_each_other() -> None:
    root = read(report_html([reported(), reported(grow="off")]))
    titles = [title for level, title in headings(root) if level <= 2]
    assert titles == ["2 runs", "grow on", "grow off"]
    assert len(root.every("svg")[0].every("polyline")) == 2
    (table,) = [each for each in root.every("table") if "at a glance" in each.text]
    assert "slowdown" in table.text and "flat" in table.text
    levels = [level for level, _ in headings(root)]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_more_runs_than_there_are_looks_get_no_common_chart() -> None:
    five = [reported(40, order=order, grow=grow) for grow in ("on", "off")
            for order in ("loose", "chain")]  # fmt: skip
    assert len(read(report_html(five)).every("figure")) == 5
    five.append(reported(40, order="tree"))
    assert len(read(report_html(five)).every("figure")) == 5


def test_a_run_that_failed_says_so_first() -> None:
    each = reported()
    state = State("failed", "The loop raised ValueError: <b>no</b>", "Traceback\nValueError: no")
    run = replace(each.run, state=state)
    root = read(report_html([replace(each, run=run, judged=run)]))
    (said,) = root.of_class("lk-error")
    assert "ValueError: <b>no</b>" in said.text, "data never becomes markup"
    assert root.of_class("lk-traceback")


def test_of_a_flipped_toggle_each_stretch_is_told_and_fitted() -> None:
    player = StandInPlayer()
    source = player.start({})
    source.advance(100)
    player.set("grow", "off")
    source.advance(100)
    source.state = State("done")
    text = report_html([player.judge(source)])
    root = read(text)
    assert "steps 0-99, grow on: slowdown" in root.text and "steps 100-199, grow off" in root.text
    assert "where it went, steps 0-99" in root.text
    assert "slowdown" in " ".join(each.text for each in root.of_class("lk-told"))


def test_nothing_to_report_is_refused() -> None:
    with pytest.raises(LabkitError, match="no run to report"):
        report_html([])


def test_the_button_writes_beside_the_run_and_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    player = StandInPlayer()
    panel = Panel(player)
    said: list[dict[str, object]] = []
    panel.send = lambda content, buffers=None: said.append(content)  # type: ignore[method-assign]
    panel._handle_custom_msg({"t": "report", "id": "a:1"}, [])
    assert "no run to report yet" in str(said[-1]["error"])
    source = player.start({})
    source.advance(60)
    panel._handle_custom_msg({"t": "report", "id": "a:2"}, [])
    (file,), (picture,) = tmp_path.glob("*.html"), tmp_path.glob("*.svg")
    assert str(said[-1]["said"]).startswith(f"the report is {file}; ") and "error" not in said[-1]
    assert picture.stem == file.stem and picture.name in str(said[-1]["said"])
    assert picture.read_text().count("<svg") == 1
    assert "running, 60 steps" in read(file.read_text()).text
    assert not source.state.ended, "a report ends nothing"
    assert not read(file.read_text()).of_class("lk-error"), "to go on is no fault"


def test_a_run_of_one_step_is_reported_without_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    player = StandInPlayer()
    player.start({}).advance(1)
    said = Controls(player).report()
    assert [str(file) for file in tmp_path.iterdir()] == [said]


def test_a_picture_that_cannot_be_written_takes_nothing_of_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    player = StandInPlayer()
    player.start({}).advance(30)
    link = os.link

    def without_room(part: Path, name: Path) -> None:
        if name.suffix == ".svg":
            raise OSError(28, "No space left on device")
        link(part, name)

    monkeypatch.setattr(os, "link", without_room)
    monkeypatch.setattr(os, "replace", without_room)
    said = Controls(player).report()
    file, _, why = said.partition("; ")
    assert "30 steps" in read(Path(file).read_text()).text
    assert why.startswith("The picture could not be saved to")


def test_a_report_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = StandInPlayer()
    player.start({}).advance(10)
    monkeypatch.setattr("labkit.show.live.controls.default_folder", lambda: tmp_path / "gone")
    with pytest.raises(LabkitError, match="The report could not be saved to"):
        Controls(player).report()


@pytest.mark.browser
def test_a_click_on_report_says_where_the_file_is(
    it: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    button = it.page.get_by_role("button", name="report")
    assert button.get_attribute("aria-disabled") == "true", "there is no run yet"
    it.start(40)
    it.end()
    button.click()
    it.page.wait_for_selector("text=the report is")
    (file,) = tmp_path.glob("*.html")
    assert str(file) in it.text(".lk-said")
