"""A learner draws a guess, presses Run, and sees it under the measured curve.

Tier: make test, in turn.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from labkit.course.predictions.diary import FILE, Diary
from tests.browser.page import SETUP, open_notebook
from tests.browser.server import LabServer

pytestmark = [pytest.mark.browser, pytest.mark.in_turn]


@pytest.fixture(autouse=True)
def no_diary_of_others_and_none_left(server: LabServer) -> Iterator[None]:
    """The server's folder is that of other tests, too: their panels would draw this guess."""
    diary = server.root / FILE
    diary.unlink(missing_ok=True)
    yield
    diary.unlink(missing_ok=True)


PREDICT = 'guess = lk.predict("graph_growth.shape", "graph_growth.factor")\nguess'
PANEL = 'lab = lk.Lab("graph_growth", guess=guess)\nlab'
GUESS = "lab.words().fits.filter((fit) => fit.tone === 'guess')"


def test_a_guess_that_is_drawn_is_kept_and_lies_under_the_curve(
    browser: Browser, server: LabServer
) -> None:
    cells = {"setup": SETUP, "predict": PREDICT, "panel": PANEL}
    name = server.write_notebook("guess.ipynb", cells)
    with open_notebook(browser, server, name) as notebook:
        notebook.run_through("panel")
        page, panel = notebook.page, notebook.panel()
        panel.run(20)
        assert panel.ask(GUESS) == [], "nothing was drawn yet"
        pad = page.locator(".lk-pad")
        pad.scroll_into_view_if_needed()
        box = pad.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 0.07 * box["width"], box["y"] + 0.75 * box["height"])
        page.mouse.down()
        page.mouse.move(box["x"] + 0.97 * box["width"], box["y"] + 0.3 * box["height"], steps=8)
        page.mouse.up()
        shape, factor = page.locator(".lk-ask").all()
        expect(shape.get_by_role("radio", name="ramp")).to_be_checked()
        shape.get_by_label("70 %").check()
        factor.get_by_label("50 %").check()
        page.get_by_role("button", name="Keep my prediction").click()
        expect(shape.locator(".lk-told")).to_have_text("You said ramp, 70 % sure.")
        panel.wait(f"{GUESS}.length === 1")
        (line,) = panel.ask(GUESS)
        assert line["label"] == "your guess" and line["seconds"][-1] > line["seconds"][0]
        assert line["steps"][-1] < panel.steps, "it goes as far as the run"
        panel.end()
        kept = Diary(server.root).latest("graph_growth.shape")
        assert kept is not None and len(kept.drawn) == 40
        notebook.assert_no_fault()
