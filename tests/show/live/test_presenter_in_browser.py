"""Presenter mode in a real Chromium: large, and driven by keys alone.

Tier: make test, in turn.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from labkit.lab.player import SWITCH
from labkit.show.live.panel import Panel
from tests.show.page import WRITTEN, Shown, browser_page
from tests.show.standin import TOGGLES, StandInPlayer

pytestmark = [pytest.mark.browser, pytest.mark.in_turn]


@pytest.fixture
def presented(browser: Browser) -> Iterator[Shown]:
    player = StandInPlayer()
    panel = Panel(player, poll_seconds=0.05, presenter=True)
    with browser_page(browser, panel) as page:
        page.focus(".labkit-panel")
        yield Shown(player, panel, page)


def test_keys_run_flip_and_stop(presented: Shown) -> None:
    page, player = presented.page, presented.player
    page.keyboard.press("r")
    page.wait_for_function("root.dataset.state === 'running'")
    page.keyboard.press("1")
    page.wait_for_function("root.labkit.marks().length === 1")
    assert player.current is not None and player.current.toggles["grow"] is False
    page.keyboard.press("3")
    page.wait_for_function("root.labkit.marks().length === 2")
    assert player.current.toggles["order"] == "chain", "a select goes on to its next choice"
    page.keyboard.press("s")
    page.wait_for_function("root.dataset.state === 'stopped'")


def test_letters_with_a_control_key_and_in_a_list_are_left_alone(presented: Shown) -> None:
    page = presented.page
    page.keyboard.press("Control+r")
    page.focus("select[name=order]")
    page.keyboard.press("r")
    page.wait_for_timeout(300)
    assert presented.player.asked == []


def test_figures_of_a_guess_flip_no_toggle(presented: Shown) -> None:
    page, player = presented.page, presented.player
    page.keyboard.press("r")
    page.wait_for_function("root.dataset.state === 'running'")
    page.keyboard.press("p")
    page.locator(".lk-status [type=number]").first.focus()
    page.keyboard.type("12")
    assert page.locator(".lk-status [type=number]").first.input_value() == "12"
    page.wait_for_timeout(300)
    assert player.current is not None and player.current.toggles["grow"] is True


def test_type_and_picture_are_larger_and_nothing_overflows(presented: Shown) -> None:
    page = presented.page
    assert page.evaluate("parseFloat(getComputedStyle(root).fontSize)") >= 20
    assert page.evaluate("root.querySelector('canvas').clientHeight") >= 350
    assert page.evaluate("root.scrollWidth <= root.clientWidth")


def test_the_keys_are_told_to_a_screen_reader_and_not_read_as_words(presented: Shown) -> None:
    page = presented.page
    assert page.get_attribute(".lk-run", "aria-keyshortcuts") == "R"
    assert page.get_attribute("input[name=grow]", "aria-keyshortcuts") == "1"
    assert page.locator("kbd:not([aria-hidden=true])").count() == 0


def test_without_presenter_mode_no_key_does_anything(browser: Browser) -> None:
    player = StandInPlayer()
    with browser_page(browser, Panel(player)) as page:
        page.focus(".lk-run")
        page.keyboard.press("r")
        page.keyboard.press("1")
        page.wait_for_timeout(300)
        assert player.asked == [] and page.locator("kbd").count() == 0


def test_p_pauses_asks_where_the_curve_will_go_and_goes_on(presented: Shown) -> None:
    page = presented.page
    page.keyboard.press("p")
    assert not presented.player.asked, "nothing runs yet"
    presented.start(60)
    whole = page.evaluate("root.view.chart.range[1]")
    page.evaluate(WRITTEN)
    page.keyboard.press("p")
    page.wait_for_function("written.includes('where will it go? draw it, then go on')")
    assert presented.run.paused and presented.text(".lk-state") == "paused between two steps"
    assert page.evaluate("root.view.chart.range[1]") > 1.4 * whole, "there is room for a guess"
    assert page.get_attribute(".lk-pause", "aria-pressed") == "true"
    page.keyboard.press("p")
    page.wait_for_function("root.querySelector('.lk-state').innerText === 'running'")
    assert not presented.run.paused
    presented.end()
    page.wait_for_function("root.querySelector('.lk-pause').hidden")


def test_l_plays_the_recording_and_is_no_key_where_there_is_none(browser: Browser) -> None:
    player = StandInPlayer(toggles=(*TOGGLES, SWITCH))
    with browser_page(browser, Panel(player, presenter=True)) as page:
        page.focus(".labkit-panel")
        page.keyboard.press("l")
        assert page.is_checked("input[name=recorded]")
        assert page.get_attribute("input[name=recorded]", "aria-keyshortcuts") == "L"
    with browser_page(browser, Panel(StandInPlayer(), presenter=True)) as page:
        page.focus(".labkit-panel")
        page.keyboard.press("l")
        assert page.locator("[aria-keyshortcuts=L]").count() == 0
