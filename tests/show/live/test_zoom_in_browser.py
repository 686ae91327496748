"""The axes serve the toggle, and the eye: what is seen of a run, and how high. Tier: make test.

In a real browser, on runs made by the test.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser

from tests.show.page import Shown, opened
from tests.show.standin import StandInPlayer

BOTTOM = 224  # of the chart, in pixels
# The heights of the points of each long line that is drawn from here on, the curve's first.
LINES = """() => {
  window.lines = [];
  let points = [];
  const canvas = CanvasRenderingContext2D.prototype;
  const { beginPath, lineTo, stroke } = canvas;
  canvas.beginPath = function () { points = []; return beginPath.call(this); };
  canvas.lineTo = function (x, y) { points.push(y); return lineTo.call(this, x, y); };
  canvas.stroke = function () {
    if (points.length > 30) window.lines.push(points);
    return stroke.call(this);
  };
}"""


@pytest.fixture
def it(browser: Browser) -> Iterator[Shown]:
    with opened(browser, StandInPlayer()) as shown:
        yield shown


def flipped(it: Shown, *, steps: int, after: int) -> float:
    """Run so many steps, flip a toggle, run others, and return when it was flipped, in seconds."""
    it.start(steps)
    it.page.check("input[name=build_once]")
    it.page.wait_for_function("root.labkit.marks().length === 1")
    it.advance(after)
    return float(it.run.read("start_seconds", steps, steps + 1)[0])


def seen(it: Shown) -> tuple[float, float]:
    it.drawn()
    start, end = it.read("range")
    return start, end


@pytest.mark.parametrize("after", [1, 300, 4_000])
def test_the_moment_of_a_flip_stays_in_the_middle_third(it: Shown, after: int) -> None:
    flip = flipped(it, steps=300, after=after)
    start, end = seen(it)
    near = 1.01  # what is drawn are groups of steps
    assert start == 0 and end / 3 <= flip * near and flip <= end * 2 / 3 * near


def test_what_comes_later_is_a_double_click_away_and_back(it: Shown) -> None:
    flipped(it, steps=300, after=4_000)
    newest = float(it.run.read("start_seconds", it.run.count - 1, it.run.count)[0])
    around = seen(it)
    assert around[1] < newest
    it.page.dblclick(".lk-canvas")
    assert seen(it)[1] >= newest
    it.page.dblclick(".lk-canvas")
    assert seen(it) == around


def test_a_run_without_a_flip_is_seen_whole(it: Shown) -> None:
    it.start(500)
    start, end = seen(it)
    assert start == 0 and end >= float(it.run.read("start_seconds", 499, 500)[0])


def test_a_part_is_chosen_by_dragging_and_by_buttons(it: Shown) -> None:
    it.start(500)
    whole = seen(it)
    box = it.page.locator(".lk-canvas").bounding_box()
    assert box is not None
    middle = box["y"] + 120
    it.page.mouse.move(box["x"] + 0.3 * box["width"], middle)
    it.page.mouse.down()
    it.page.mouse.move(box["x"] + 0.6 * box["width"], middle, steps=4)
    it.page.mouse.up()
    part = seen(it)
    assert whole[0] < part[0] < part[1] < whole[1]
    it.page.click("text=+")
    closer = seen(it)
    assert part[0] < closer[0] < closer[1] < part[1]
    it.page.get_by_role("button", name="see more of the run").click()
    assert seen(it) == pytest.approx(part)
    it.page.get_by_role("button", name="see the whole run").click()
    assert seen(it) == whole


def test_a_new_run_is_seen_whole_again(it: Shown) -> None:
    it.start(300)
    it.page.click("text=+")
    it.end()
    it.start(200)
    assert seen(it)[0] == 0


def test_steps_that_differ_by_much_have_a_logarithmic_axis_that_says_so(it: Shown) -> None:
    it.start()
    it.run.append(np.full(200, 0.02))
    it.caught_up()
    assert not it.read("log")
    it.run.append(np.full(400, 0.0004))
    it.caught_up()
    assert it.read("log")
    it.page.click(".lk-more summary")
    it.page.select_option("select[name=scale]", "linear")
    it.drawn()
    assert not it.read("log")


def test_a_run_from_before_bends_no_slope_that_is_seen_beside_it(it: Shown) -> None:
    it.start()
    it.run.append(np.full(200, 0.02))
    it.end()
    it.start()
    it.run.append(np.linspace(0.0006, 0.006, 200))
    it.caught_up()
    assert not it.read("log")
    it.end()
    it.start()
    it.run.append(np.full(200, 0.0005))
    it.caught_up()
    it.page.wait_for_function("root.labkit.log")


def test_on_a_logarithmic_axis_the_line_of_a_comb_stays_near_its_steps(it: Shown) -> None:
    """Drawn by the mean, it lay where no step was: nine of 0.25 ms and one of 150 ms have 15 ms."""
    it.start()
    it.run.append(np.where(np.arange(400) % 10 == 9, 0.15, 0.00025))
    it.caught_up()
    it.page.click(".lk-more summary")
    it.page.select_option("select[name=scale]", "log")
    it.page.wait_for_function("root.labkit.log")
    it.drawn()
    it.page.evaluate(LINES)
    it.page.click("text=+")
    it.page.wait_for_function("window.lines.length > 0")
    curve = it.page.evaluate("window.lines[0]")
    assert len(curve) > 30 and 0 < np.median(curve) < BOTTOM
