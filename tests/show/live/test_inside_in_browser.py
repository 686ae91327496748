"""The inside of a step beside the curve, in a real browser. Tier: make test, in turn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser

from labkit.show.inside.inside_step import InsideStep, inside_run
from labkit.show.inside.meeting_step import MeetingStep
from labkit.show.inside.of_cause import inside_now
from tests.show.page import Shown, opened
from tests.show.standin import MECHANISM, StandInPlayer
from tests.show.test_meeting_step import FIRST, MEETING, SECOND

pytestmark = [pytest.mark.browser, pytest.mark.in_turn]

SWEEP = "getComputedStyle(root.querySelector('.lk-walked i')).animationName"


def player() -> StandInPlayer:
    known = StandInPlayer()
    known.mechanism = MECHANISM
    return known


@pytest.fixture
def it(browser: Browser) -> Iterator[Shown]:
    with opened(browser, player()) as shown:
        yield shown


def counted(it: Shown) -> InsideStep:
    inside = inside_run(MECHANISM, it.run.snapshot())
    assert inside is not None
    return inside


def covered(it: Shown, layer: str) -> float:
    """Return how many dots the outline of a layer encloses, by its area."""
    return float(
        it.page.evaluate(
            """(layer) => {
              const said = root.querySelector(`.lk-dots .${layer}`).style.clipPath;
              const points = said.match(/polygon\\((.*)\\)/)[1].split(",")
                .map((point) => point.trim().split(" ").map((part) => parseFloat(part) / 100));
              let area = 0;
              points.forEach(([x, y], k) => {
                const [nextX, nextY] = points[(k + 1) % points.length];
                area += (x * nextY - nextX * y) / 2;
              });
              return Math.abs(area) * 240;
            }""",
            layer,
        )
    )


def test_the_dots_are_what_was_counted_in_the_last_step(it: Shown) -> None:
    it.start(60)
    it.end()
    inside = counted(it)
    it.page.wait_for_selector(f"text={inside.title}")
    assert it.text(".lk-inside ul").splitlines() == list(inside.lines)
    assert it.text(".lk-inside em") == inside.caption
    for layer, dots in (("lk-all", inside.dots), ("lk-walked", inside.walked),
                        ("lk-fresh", inside.new)):  # fmt: skip
        assert covered(it, layer) == pytest.approx(dots, abs=0.01), layer


def test_a_step_is_played_while_the_loop_runs_and_stands_still_after_it(it: Shown) -> None:
    it.start(40)
    it.page.wait_for_function(f"{SWEEP} === 'lk-sweep'")
    first = it.text(".lk-inside b")
    it.advance(5)
    it.page.wait_for_function(f"root.querySelector('.lk-inside b').innerText !== '{first}'")
    it.end()
    it.page.wait_for_function(f"{SWEEP} === 'none'")
    assert it.text(".lk-inside b") == counted(it).title


def test_whoever_wants_no_motion_sees_a_still_picture_of_the_newest_step(browser: Browser) -> None:
    with opened(browser, player(), reduced=True) as it:
        it.start(40)
        it.advance(5)
        it.page.wait_for_selector(f"text={counted(it).title}")
        assert it.page.evaluate(SWEEP) == "none"
        assert covered(it, "lk-walked") == pytest.approx(counted(it).walked, abs=0.01)


def test_it_is_beside_the_curve_and_below_it_where_there_is_no_room(browser: Browser) -> None:
    for width, beside in ((1280, True), (420, False)):
        with opened(browser, player(), width=width) as it:
            it.start(40)
            it.page.wait_for_selector(".lk-inside b:not(:empty)")
            curve = it.page.locator(".lk-canvas").bounding_box()
            inside = it.page.locator(".lk-inside").bounding_box()
            assert curve is not None and inside is not None
            assert (inside["x"] >= curve["x"] + curve["width"]) is beside
            assert (inside["y"] >= curve["y"] + curve["height"]) is not beside
            assert it.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_panel_without_one_gives_the_curve_all_its_room(browser: Browser) -> None:
    with opened(browser, StandInPlayer()) as it:
        it.start(40)
        it.drawn()
        assert not it.page.is_visible(".lk-inside")
        wide = "root.querySelector('{}').clientWidth"
        assert it.page.evaluate(wide.format("canvas")) == it.page.evaluate(
            wide.format(".lk-picture")
        )


def test_workers_that_meet_have_a_bar_each_and_move_together(browser: Browser) -> None:
    known = StandInPlayer()
    known.mechanism = MEETING
    with opened(browser, known) as it:
        it.start()
        known.runs[-1].others = (SECOND,)
        known.runs[-1]._data |= {name: np.asarray(FIRST.column(name)) for name in FIRST.names}
        inside = inside_now(MEETING, it.run)
        assert isinstance(inside, MeetingStep)
        it.page.wait_for_selector(f"text={inside.title}")
        told = [
            said for each in inside.workers for said in (each.name, *(p.line for p in each.parts))
        ]
        assert it.text(".lk-inside ul").split("\n") == told
        wide = it.page.evaluate(
            "[...root.querySelectorAll('.lk-worker .lk-bar')].map((bar) => [...bar.children]"
            ".map((part) => 100 * part.getBoundingClientRect().width / bar.clientWidth))"
        )
        for bar, worker in zip(wide, inside.workers, strict=True):
            assert bar == pytest.approx(
                [worker.before, *(part.percent for part in worker.parts)], abs=1
            )
        moving = "getComputedStyle(root.querySelector('.lk-worker .lk-bar')).animationName"
        assert it.page.evaluate(moving) == "lk-sweep"
        assert not it.page.is_visible(".lk-dots")
        it.end()
        it.page.wait_for_function(f"{moving} === 'none'")


def test_before_the_first_counted_step_nothing_is_drawn(it: Shown) -> None:
    it.start()
    assert not it.page.is_visible(".lk-inside")
    it.advance(1)
    assert not it.page.is_visible(".lk-inside"), "nothing says how many of them are new"


def test_a_saved_notebook_has_the_still_picture(it: Shown) -> None:
    it.start(40)
    it.end()
    stored = it.panel._repr_mimebundle_()[0]["text/html"]
    assert counted(it).title in stored and "lk-step-dots" in stored
