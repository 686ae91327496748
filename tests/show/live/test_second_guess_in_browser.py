"""What comes after a flip is guessed by drawing into the paused picture, in a real Chromium.

Tier: make test, in turn.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from labkit.record import LabkitError
from tests.show.page import WRITTEN, Shown, opened
from tests.show.standin import StandInPlayer, StandInRun

pytestmark = [pytest.mark.browser, pytest.mark.in_turn]

GUESS = "root.view.chart.guess.in(root.view.chart.scene)"
PAUSED = "root.querySelector('.lk-state').innerText === 'paused between two steps'"


def drag(it: Shown, *places: tuple[float, float]) -> None:
    """Drag over the picture, from place to place, in shares of its axes."""
    box = it.page.locator(".lk-canvas").bounding_box()
    plot = it.page.evaluate("root.view.chart.box")
    assert box is not None
    for k, (across, up) in enumerate(places):
        x = box["x"] + plot["left"] + across * (plot["right"] - plot["left"])
        y = box["y"] + plot["bottom"] - up * (plot["bottom"] - plot["top"])
        it.page.mouse.move(x, y, steps=1 if k == 0 else 8)
        if k == 0:
            it.page.mouse.down()
    it.page.mouse.up()


def paused_by_a_flip(it: Shown) -> None:
    it.page.check("text=pause at a flip")
    it.start(120)
    it.drawn()
    it.page.uncheck("input[name=grow]")
    it.page.wait_for_function(PAUSED)
    it.page.wait_for_function("root.view.chart.room")


def test_a_flip_pauses_the_loop_where_that_was_asked_for_and_else_not(it: Shown) -> None:
    it.start(60)
    it.page.uncheck("input[name=grow]")
    it.page.wait_for_function("root.labkit.marks().length === 1")
    assert not it.run.paused
    it.page.check("text=pause at a flip")
    it.page.check("input[name=grow]")
    it.page.wait_for_function(PAUSED)
    assert it.run.paused and it.run.toggles["grow"] is True


def test_a_drawn_guess_stays_and_the_curve_goes_over_it(it: Shown) -> None:
    paused_by_a_flip(it)
    top = it.page.evaluate("root.view.chart.height.top")
    drag(it, (0.75, 0.2), (0.95, 0.4))
    drawn = it.page.evaluate(GUESS)
    assert len(drawn) > 5
    across, high = zip(*drawn, strict=True)
    assert list(across) == sorted(across) and across[0] == 0, "it begins at the pause"
    assert high[0] == pytest.approx(0.2 * top, abs=0.03 * top)
    assert high[-1] == pytest.approx(0.4 * top, abs=0.03 * top)
    it.page.evaluate(WRITTEN)
    it.page.click(".lk-pause")
    it.page.wait_for_function("root.querySelector('.lk-state').innerText === 'running'")
    it.advance(200)
    it.page.wait_for_function("written.includes('your guess')")
    assert it.page.evaluate(GUESS) == drawn
    assert it.page.evaluate("root.view.zoom.view") is None, "it was no choice of a part"


def test_when_the_curve_has_come_to_its_end_both_numbers_are_told(it: Shown) -> None:
    paused_by_a_flip(it)
    drag(it, (0.7, 0.3), (0.75, 0.3))
    guessed = it.page.evaluate(GUESS)[-1][1]
    it.page.evaluate(WRITTEN)
    it.page.click(".lk-pause")
    it.advance(300)
    it.page.wait_for_function("written.some((words) => words.startsWith('your guess: '))")
    (said, *_) = it.page.evaluate("written.filter((words) => words.startsWith('your guess: '))")
    told = said.removeprefix("your guess: ").split("; it was ")
    first, came = (float(part.removesuffix(" ms")) for part in told)
    assert first == pytest.approx(guessed, abs=0.06)
    assert came == pytest.approx(7.0, rel=0.15), "a step that no longer grows takes 7 ms"


def test_by_keyboard_a_guess_is_typed_and_goes_to_the_edge(it: Shown) -> None:
    field = ".lk-status [type=number]:last-of-type"
    it.start(120)
    assert not it.page.is_visible(field), "before a pause there is nothing to guess"
    it.page.check("text=pause at a flip")
    it.page.uncheck("input[name=grow]")
    it.page.wait_for_function("root.view.chart.room")
    now = it.page.evaluate("root.view.chart.guess.levelBefore(root.view.chart.scene, Infinity)")
    top = it.page.evaluate("root.view.chart.height.top")
    it.page.focus(field)
    it.page.keyboard.type(f"{2 * top}")
    (begin, low), (end, high) = it.page.evaluate(GUESS)
    assert begin == 0 and low == pytest.approx(1e3 * now) and high == 2 * top
    begun, edge = (it.page.evaluate(f"root.view.chart.{of}") for of in ("guess.from()", "range[1]"))
    assert begun + end == pytest.approx(edge)
    it.page.wait_for_function(f"root.view.chart.height.top > {2 * top}")
    it.page.keyboard.press("Shift+Tab")
    it.page.keyboard.type("5")
    (_, low), (_, high) = it.page.evaluate(GUESS)
    assert low == 5 and high == 2 * top
    it.page.keyboard.press("Shift+Tab")
    it.page.keyboard.press("Shift+Tab")
    it.page.keyboard.press("Enter")
    it.page.wait_for_function("root.querySelector('.lk-state').innerText === 'running'")
    it.page.wait_for_selector(field, state="hidden")
    it.advance(600)
    it.page.wait_for_function("root.view.alt.includes('In the picture: your guess: ')")
    assert "; it was " in it.page.evaluate("root.view.alt")


def test_what_is_no_time_draws_no_guess_and_the_next_pause_begins_without_one(it: Shown) -> None:
    paused_by_a_flip(it)
    fields = it.page.locator(".lk-status input[type=number]")
    for typed in ("0", "-3", ""):
        fields.nth(0).fill(typed)
        fields.nth(1).fill(typed)
        assert it.page.evaluate(GUESS) == []
    fields.nth(0).fill("5")
    assert [high for _, high in it.page.evaluate(GUESS)] == [5, 5], "it stays there"
    it.page.click(".lk-pause")
    it.page.wait_for_function("root.querySelector('.lk-state').innerText === 'running'")
    it.advance(20)
    it.page.check("input[name=grow]")
    it.page.wait_for_function(PAUSED)
    assert [fields.nth(k).input_value() for k in (0, 1)] == ["", ""]


def test_a_guess_goes_to_the_right_only_and_a_second_one_takes_its_place(it: Shown) -> None:
    paused_by_a_flip(it)
    drag(it, (0.9, 0.2), (0.75, 0.8))
    assert len(it.page.evaluate(GUESS)) <= 2, "what goes to the left is left out"
    drag(it, (0.75, 0.2), (0.8, 0.2))
    first = it.page.evaluate(GUESS)
    drag(it, (0.8, 0.5), (0.95, 0.5))
    second = it.page.evaluate(GUESS)
    assert second[0][1] > 2 * first[0][1] and second[-1][0] > first[-1][0]


def test_a_guess_may_begin_at_the_curve_s_end(it: Shown) -> None:
    """Seen: a drag from there chose a part of the picture, and nothing was drawn."""
    paused_by_a_flip(it)
    room = it.page.evaluate("root.view.chart.room")
    plot = it.page.evaluate("root.view.chart.box")
    end = (room - 10 - plot["left"]) / (plot["right"] - plot["left"])
    drag(it, (end, 0.3), (0.9, 0.3))
    assert len(it.page.evaluate(GUESS)) > 3
    assert it.page.evaluate("root.view.zoom.view") is None


def test_the_room_is_of_the_run_on_show_whatever_ran_before(it: Shown) -> None:
    it.start(3000)
    it.end()
    paused_by_a_flip(it)
    room, plot = (it.page.evaluate(f"root.view.chart.{name}") for name in ("room", "box"))
    assert 0.4 < (room - plot["left"]) / (plot["right"] - plot["left"]) < 0.8


def test_the_button_says_how_to_go_on(it: Shown) -> None:
    paused_by_a_flip(it)
    assert it.text(".lk-pause") == "go on"
    it.page.click(".lk-pause")
    it.page.wait_for_function("root.querySelector('.lk-pause').innerText === 'pause'")


def test_a_drag_over_the_curve_chooses_a_part_of_it_also_in_a_pause(it: Shown) -> None:
    paused_by_a_flip(it)
    drag(it, (0.1, 0.5), (0.4, 0.5))
    assert it.page.evaluate(GUESS) == []
    assert len(it.page.evaluate("root.view.zoom.view")) == 2


def test_the_next_run_has_no_guess_of_the_one_before(it: Shown) -> None:
    paused_by_a_flip(it)
    drag(it, (0.75, 0.2), (0.95, 0.4))
    assert it.page.evaluate(GUESS)
    it.start(30)
    it.drawn()
    assert it.page.evaluate(GUESS) == []


class WithoutPause(StandInRun):
    """A run that must not be kept waiting."""

    def pause(self, on: bool) -> None:
        raise LabkitError("It cannot be paused.")


def test_where_a_loop_cannot_be_paused_the_reason_is_told_and_the_next_flip_is_made(
    browser: Browser,
) -> None:
    player = StandInPlayer()
    with opened(browser, player) as it:
        it.start(30)
        player.runs[-1].__class__ = WithoutPause
        it.page.check("text=pause at a flip")
        it.page.click("text=grow the graph")
        it.page.wait_for_selector("text=It cannot be paused.")
        assert it.run.toggles["grow"] is True and it.page.is_checked("input[name=grow]")
        it.page.wait_for_function("!root.querySelector('input[name=asks]').checked")
        it.page.click("text=grow the graph")
        it.page.wait_for_function("root.labkit.marks().length === 1")
        assert it.run.toggles["grow"] is False


def test_a_panel_that_is_shown_again_has_its_tick(it: Shown) -> None:
    it.page.check("text=pause at a flip")
    it.page.evaluate("show('one')")
    it.page.wait_for_function("root.querySelector('input[name=asks]').checked")
