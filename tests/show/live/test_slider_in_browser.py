"""A toggle of numbers is a slider in a real Chromium: by mouse, by keyboard, on a projector.

Tier: make test, in turn.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from labkit.cause import Toggle
from labkit.show.live.panel import Panel
from tests.show.page import Shown, browser_page, opened
from tests.show.standin import TOGGLES, StandInPlayer

pytestmark = [pytest.mark.browser, pytest.mark.in_turn]

PACE = Toggle("pace", "ops a step", default="2", choices=("1", "2", "4", "never"), ordered=True)
SLIDER = "input[name=pace]"


@pytest.fixture
def it(browser: Browser) -> Iterator[Shown]:
    with opened(browser, StandInPlayer(toggles=(*TOGGLES, PACE))) as shown:
        yield shown


def said(it: Shown) -> tuple[str, str | None]:
    """Return the word beside the slider, and what a screen reader hears."""
    return it.text(".lk-toggle output"), it.page.get_attribute(SLIDER, "aria-valuetext")


def moves(it: Shown) -> list[str]:
    return [each for each in it.player.asked if each.startswith("set")]


def test_an_arrow_key_sets_the_next_number_of_a_running_loop(it: Shown) -> None:
    assert said(it) == ("2", "2")
    it.start(20)
    it.page.focus(SLIDER)
    it.page.keyboard.press("ArrowRight")
    it.page.wait_for_function("root.labkit.marks().length === 1")
    assert moves(it) == ["set pace 4"] and said(it) == ("4", "4")
    it.page.keyboard.press("End")
    it.page.wait_for_function("root.labkit.marks().length === 2")
    assert it.run.toggles["pace"] == "never" and said(it) == ("never", "never")


def test_while_the_slider_is_dragged_it_tells_its_number_and_the_loop_hears_nothing(
    it: Shown,
) -> None:
    it.start(20)
    box = it.page.locator(SLIDER).bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    it.page.mouse.move(box["x"] + box["width"] / 3, middle)
    it.page.mouse.down()
    it.page.mouse.move(box["x"] + box["width"] - 1, middle, steps=5)
    it.page.wait_for_timeout(400)  # answers of the kernel come meanwhile
    assert said(it)[0] == "never" and moves(it) == []
    it.page.mouse.up()
    it.page.wait_for_function("root.labkit.marks().length === 1")
    assert moves(it) == ["set pace never"]


def test_a_slider_that_was_dragged_there_and_back_still_follows_the_loop(it: Shown) -> None:
    it.start(20)
    box = it.page.locator(SLIDER).bounding_box()
    assert box is not None
    at, middle = box["x"] + box["width"] / 3, box["y"] + box["height"] / 2
    it.page.mouse.move(at, middle)
    it.page.mouse.down()
    for x in (box["x"] + box["width"] - 1, at):
        it.page.mouse.move(x, middle, steps=5)
    it.page.mouse.up()
    it.player.set("pace", "4")
    it.page.wait_for_function("root.querySelector('.lk-toggle output').textContent === '4'")


def test_a_number_that_is_set_in_a_cell_moves_the_slider(it: Shown) -> None:
    it.start(20)
    it.player.set("pace", 1)
    it.page.wait_for_function("root.querySelector('.lk-toggle output').textContent === '1'")
    assert it.page.input_value(SLIDER) == "0"


def test_a_number_chosen_before_the_run_is_what_it_starts_with(it: Shown) -> None:
    it.page.focus(SLIDER)
    it.page.keyboard.press("ArrowLeft")
    it.start(20)
    assert it.run.toggles["pace"] == "1" and moves(it) == []


def test_on_a_projector_its_key_goes_on_to_the_next_number_and_from_the_last_to_the_first(
    browser: Browser,
) -> None:
    player = StandInPlayer(toggles=(*TOGGLES[:2], PACE))
    panel = Panel(player, poll_seconds=0.05, presenter=True)
    with browser_page(browser, panel) as page:
        it = Shown(player, panel, page)
        it.start(20)
        page.focus(".labkit-panel")
        for count, word in enumerate(("4", "never", "1"), start=1):
            page.keyboard.press("3")
            page.wait_for_function(f"root.labkit.marks().length === {count}")
            assert it.run.toggles["pace"] == word
