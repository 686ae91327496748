"""What one sees at a glance: headline, fitted lines, the loop's own time. Tier: make test.

In a real browser, on runs made by the test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser

from labkit.causes import SLUGS, load
from labkit.record import Column, Diagnosis, State
from labkit.show.live.panel import Panel
from labkit.show.live.parts import WAITED
from tests.show.page import WRITTEN, Shown, browser_page, opened
from tests.show.standin import COLUMNS, TOGGLES, StandInPlayer, StandInRun

DISTURBED_MS = 300.0
PANEL_WIDTH = 1150  # of a page that gives the panel what JupyterLab does at 1280
# The rows in which some elements stand, by the middle of each.
MIDDLES = """(which) => [...new Set([...document.querySelectorAll(which)].map((each) => {
  const box = each.getBoundingClientRect();
  return Math.round((box.top + box.height / 2) / 10);
}))]"""


class SharedRun(StandInRun):
    """A run that waits 0.3 s for a processor in every seventh step."""

    def __init__(self, name: str, toggles: Mapping[str, Any], *, seed: int = 0) -> None:
        super().__init__(name, toggles, seed=seed)
        self.columns = (*COLUMNS, Column(WAITED, "waiting for a processor", "s", "machine"))

    def read(self, column: str, start: int, end: int, worker: int = 0) -> NDArray[np.float64]:
        places = np.arange(start, min(end, self.count))
        waited = np.where(places % 7 == 3, 1e-3 * DISTURBED_MS, 0.0)
        if column == WAITED:
            return waited
        found = super().read(column, start, end, worker)
        return found + waited if column == "seconds" else found


class SharedPlayer(StandInPlayer):
    """A lab on a machine that others use."""

    def start(self, toggles: Mapping[str, object]) -> StandInRun:
        super().start(toggles)
        made = self.runs.pop()
        self.runs.append(SharedRun(made.name, made.toggles))
        return self.runs[-1]


@pytest.fixture
def it(browser: Browser) -> Iterator[Shown]:
    with opened(browser, StandInPlayer()) as shown:
        yield shown


def test_the_newest_verdict_is_a_headline_above_the_curve(it: Shown) -> None:
    assert it.text(".lk-headline") == ""
    it.start(400)
    it.page.wait_for_function("root.labkit.words().headline.includes('slower: ')")
    assert it.page.get_attribute(".lk-headline", "data-tone") == "slower"
    boxes = [it.page.locator(each).bounding_box() for each in (".lk-headline", ".lk-canvas")]
    assert boxes[0] and boxes[1] and boxes[0]["y"] < boxes[1]["y"]
    it.page.check("input[name=build_once]")
    it.run.advance(200)
    told = "root.labkit.words().headline.includes('x faster: ')"
    it.page.wait_for_function(told, timeout=5_000)
    assert it.page.get_attribute(".lk-headline", "data-tone") == "faster"


def test_each_stretch_has_its_line_and_its_label_on_the_chart(it: Shown) -> None:
    it.page.evaluate(WRITTEN)
    it.start(400)
    it.page.check("input[name=build_once]")
    it.page.wait_for_function("root.labkit.marks().length === 1")
    flipped = it.page.evaluate("root.labkit.marks()[0].step")
    it.advance(200)
    it.page.wait_for_function("root.labkit.words().fits.length === 2")
    grown, rested = it.page.evaluate("root.labkit.words().fits")
    assert grown["label"].startswith("slowdown ") and rested["label"] == "flat"
    assert grown["steps"][-1] < flipped <= rested["steps"][0]
    it.drawn()
    assert {grown["label"], "flat"} <= set(it.page.evaluate("written"))


def test_the_curve_is_the_loop_s_own_and_wall_time_is_a_click_away(browser: Browser) -> None:
    with opened(browser, SharedPlayer()) as it:
        it.page.evaluate(WRITTEN)
        it.start(200)
        it.drawn()
        assert it.page.evaluate("root.labkit.top") < DISTURBED_MS / 2
        written = it.page.evaluate("written.splice(0)")
        assert "ms per step, own time; grey: other programs" in written
        it.page.select_option("select[name=time]", "wall")
        it.drawn()
        assert "ms per step, wall time" in it.page.evaluate("written.splice(0)")
        assert it.page.evaluate("root.labkit.curve().some((each) => each.max > 0.29)")
        own = it.page.evaluate("root.labkit.own()")
        assert len(own) == 199 and max(each["max"] for each in own) < 0.1


def test_where_nobody_counts_the_waiting_nothing_is_said_of_it(it: Shown) -> None:
    it.page.evaluate(WRITTEN)
    it.start(60)
    it.drawn()
    assert "ms per step" in it.page.evaluate("written")
    assert not it.page.is_visible("select[name=time]")
    assert not [said for said in it.page.evaluate("written") if "grey" in said]


def test_a_lane_says_by_how_much_a_step_and_that_it_is_not_drawn_from_nothing(it: Shown) -> None:
    it.page.evaluate(WRITTEN)
    it.start(400)
    it.drawn()
    written = it.page.evaluate("written.splice(0)")
    assert any(each.endswith(" ops, +5 ops per step") for each in written)
    assert any(", not drawn from 0" in each and "MB" in each for each in written)
    it.page.check("input[name=build_once]")
    it.page.wait_for_function("root.labkit.marks().length === 1")
    it.advance(2_000)
    it.page.dblclick(".lk-canvas")
    it.drawn()
    written = it.page.evaluate("written.splice(0)")
    # Of the stretch it rose in, and what it does now.
    assert any(each.endswith(" ops, +5 ops per step, now at rest") for each in written)


def test_a_step_s_parts_are_two_bars_with_the_ledger_s_words(browser: Browser) -> None:
    class Booked(StandInPlayer):
        def judge(self, source: StandInRun) -> Diagnosis:
            said = super().judge(source)
            rows = tuple(replace(row, first_seconds=0.002) for row in said.ledger.rows)
            return replace(said, ledger=replace(said.ledger, rows=rows))

    with opened(browser, Booked()) as it:
        it.start(400)
        it.page.wait_for_selector(".lk-bars:not([hidden])")
        assert it.text(".lk-parts").split("\n") == [
            "session extension",
            "session run",
            "unexplained",
        ]
        label = it.page.get_attribute(".lk-bars", "aria-label")
        assert label and label == it.page.text_content(".lk-ledger")
        first, last = (
            [piece.bounding_box()["width"] for piece in bar.locator("span").all()]
            for bar in it.page.locator(".lk-bar").all()
        )
        assert all(one <= other + 0.5 for one, other in zip(first, last, strict=True))
        assert last[0] / first[0] == pytest.approx((0.002 + 0.006) / 0.002, rel=0.05)
        assert it.text(".lk-bars").startswith("at the start")
        it.page.uncheck("input[name=grow]")
        it.page.wait_for_function("root.labkit.marks().length === 1")
        it.advance(100)
        # After a flip they are still of the stretch that grew.
        it.page.wait_for_function(
            "root.querySelector('.lk-bars').innerText.startsWith('at step 0\\n')"
            " && root.querySelector('.lk-bars').innerText.includes('at step 399\\n')"
        )


def test_of_a_run_that_failed_the_headline_says_so(it: Shown) -> None:
    it.start(200)
    it.end(State("failed", "The loop raised ValueError: the data ended.", error="ValueError"))
    it.page.wait_for_function("root.labkit.words().headline === 'ValueError after 200 steps'")
    assert it.page.get_attribute(".lk-headline", "data-tone") == "slower"
    it.start(100)
    it.end(State("stopped", "Stopped after 100 steps."))
    it.page.wait_for_function("root.labkit.words().headline.includes(' per step')")


def test_what_came_in_the_step_that_failed_is_not_written_over_it(it: Shown) -> None:
    """Seen: "failed", "memory map" and "stall" in a pile at the end of the curve."""
    it.start(200)
    it.run.happen("stall", "stall")
    it.drawn()
    it.end(State("failed", "The pool is full.", error="ResourceExhaustedError"))
    it.page.wait_for_function("root.labkit.words().headline.startsWith('out of memory')")
    # A picture of before the end may still be drawn; one of another width has the end.
    it.drawn()
    it.page.evaluate(WRITTEN)
    size = it.page.viewport_size
    assert size
    it.page.set_viewport_size({"width": size["width"] - 100, "height": size["height"]})
    it.page.wait_for_function("written.includes('failed')")
    it.page.set_viewport_size(size)
    assert "stall" not in it.page.evaluate("written")


@pytest.mark.parametrize("slug", SLUGS)
def test_the_controls_of_each_lab_take_two_rows_at_most(browser: Browser, slug: str) -> None:
    player = StandInPlayer(toggles=load(slug).toggles)
    with opened(browser, player, width=PANEL_WIDTH) as it:
        tops = it.page.evaluate(MIDDLES, ".lk-controls :is(.lk-toggle, .lk-button)")
        assert len(tops) <= 2, tops


@pytest.mark.parametrize("presenter", [False, True])
def test_controls_headline_curve_and_the_first_lane_are_in_one_screen(
    browser: Browser, presenter: bool
) -> None:
    player = StandInPlayer(toggles=tuple(each for each in load("graph_growth").toggles))
    if not presenter:
        player.toggles += tuple(each for each in TOGGLES if each.name == "decoy")
    panel = Panel(player, poll_seconds=0.05, presenter=presenter)
    # What JupyterLab leaves of 1280 x 720, and of a projector's 1024 x 768.
    width, height = (875, 646) if presenter else (PANEL_WIDTH, 598)
    with browser_page(browser, panel, width=width) as page:
        page.set_viewport_size({"width": width, "height": 768 if presenter else 720})
        it = Shown(player, panel, page)
        it.start(200)
        it.drawn()
        top = page.locator(".labkit-panel").bounding_box()
        canvas = page.locator(".lk-canvas").bounding_box()
        assert top is not None and canvas is not None
        assert canvas["y"] + canvas["height"] - top["y"] <= height
