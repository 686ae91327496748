"""The gallery says what the recordings say, and its buttons choose between them.

Tier: make test, in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from labkit.causes import SLUGS
from labkit.diagnosis import judgement
from labkit.lab.replay.recordings import shipped
from labkit.record import Run
from labkit.show.verdict.verdict_words import loop_words
from tests.browser.chromium import chromium_or_skip
from tests.lab.replay.test_replay import recorded
from tests.show.markup_tree import Node, read
from tests.show.report.test_report_in_browser import CONTRASTS
from tools.gallery import GALLERY, gallery

pytestmark = pytest.mark.in_turn

MOST_BYTES = 2_000_000


def labs() -> list[list[Run]]:
    """Return recordings of two labs; of the first one combination of toggles is missing."""
    first = [recorded(), recorded(grow=False), recorded(build_once=True)]
    other = replace(recorded(cause="healthy"), toggles={"keep_losses": False}, events=())
    return [[replace(run, events=()) for run in first], [other]]


@pytest.fixture
def root() -> Node:
    return read(gallery(labs()).partition("<script>")[0] + "</body></html>")


def test_every_recording_is_there_with_its_verdict_and_where_it_was_made(root: Node) -> None:
    shown = root.of_class("recording")
    assert len(shown) == 4
    for run, article in zip([run for runs in labs() for run in runs], shown, strict=True):
        assert loop_words(judgement(run).verdict) in article.text
        assert "2026-11-22 10:00:00 UTC, a small one, 2 cores" in article.text
        (chart,) = article.every("svg")
        assert loop_words(judgement(run).verdict).rstrip(".") in chart.attributes["aria-label"]


def test_only_what_differs_from_the_defaults_is_drawn_over_them(root: Node) -> None:
    curves = [len(article.every("polyline")) for article in root.of_class("recording")]
    ghosts = ["lk-line-ghost-1" in str(article) for article in root.of_class("recording")]
    assert ghosts == [False, True, True, False], curves


def test_without_its_script_the_page_hides_no_recording_and_shows_no_button(root: Node) -> None:
    assert not [each for each in root.of_class("recording") if "hidden" in each.attributes]
    assert all("hidden" in each.attributes for each in root.of_class("choices"))


def test_the_page_asks_for_nothing_from_elsewhere() -> None:
    text = gallery(labs())
    assert "http:" not in text and "https:" not in text and "default-src &#x27;none&#x27;" in text


def test_the_committed_page_has_every_lab_and_is_small() -> None:
    text = GALLERY.read_text()
    assert [slug for slug in SLUGS if f'<section id="{slug}"' not in text] == []
    assert len(text.encode()) < MOST_BYTES


def test_the_whole_committed_page_is_made_from_the_recordings_there_are() -> None:
    # Not compared in the assert: pytest would look for the differences of two megabytes for hours.
    same = GALLERY.read_text() == gallery([shipped(slug) for slug in SLUGS])
    assert same, "run: make gallery"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium_or_skip() as started:
        yield started


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The page, opened as a file; whatever it asks for elsewhere is a fault."""
    file = tmp_path / "gallery.html"
    file.write_text(gallery(labs()))
    shown = browser.new_page()
    faults: list[str] = []
    shown.on("pageerror", lambda error: faults.append(str(error)))
    shown.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    shown.goto(file.as_uri())
    shown.on("request", lambda request: faults.append(f"asked for {request.url}"))
    yield shown
    shown.close()
    assert not faults, faults


def visible(page: Page) -> list[str]:
    return page.locator("#graph_growth .recording:visible h3").all_text_contents()


@pytest.mark.browser
def test_a_button_shows_the_recording_with_that_toggle_and_says_so(page: Page) -> None:
    assert visible(page) == ["grow on, the others at their defaults"]
    lab = page.locator("#graph_growth")
    lab.locator("button[data-name=grow][data-word=off]").click()
    assert visible(page) == ["grow off"]
    assert "grow off: " in lab.locator(".told").text_content()
    pressed = lab.locator("button[aria-pressed=true]")
    assert [each.get_attribute("data-word") for each in pressed.all()] == ["off", "off"]
    assert page.locator("#healthy .recording:visible").count() == 1, "no other lab changes"
    nothing = page.locator("#healthy .choices button:visible")
    assert nothing.count() == 0, "nothing to choose from"


@pytest.mark.browser
def test_toggles_that_were_not_recorded_together_show_the_nearest_and_say_so(page: Page) -> None:
    page.click("#graph_growth button[data-name=grow][data-word=off]")
    assert "together" not in str(page.text_content("#graph_growth .told"))
    page.click("#graph_growth button[data-name=build_once][data-word=on]")
    assert visible(page) == ["build once on"]
    assert "not recorded together" in str(page.text_content("#graph_growth .told"))


@pytest.mark.browser
def test_a_recording_is_played_and_is_whole_again_after_it(page: Page) -> None:
    drawn = page.locator("#graph_growth .recording:visible .lk-drawn")
    clipped = "(each) => getComputedStyle(each).clipPath"
    assert drawn.evaluate(clipped) == "none"
    page.click("#graph_growth .play")
    assert drawn.evaluate(clipped).startswith("inset")
    page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    assert drawn.evaluate(clipped) == "none"


@pytest.mark.browser
def test_who_wants_less_motion_is_offered_none(page: Page, browser: Browser) -> None:
    assert page.locator(".play:visible").count() == 2
    still = browser.new_page(reduced_motion="reduce")
    still.goto(page.url)
    assert still.locator(".play:visible").count() == 0
    still.close()


@pytest.mark.browser
def test_the_buttons_work_by_keyboard(page: Page) -> None:
    page.focus("#graph_growth button[data-name=grow][data-word=off]")
    page.keyboard.press("Enter")
    assert visible(page) == ["grow off"]
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert visible(page) == ["grow on, the others at their defaults"]


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_words_stand_out_in_light_and_dark(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    found = page.evaluate(CONTRASTS)
    assert len(found) > 20
    assert {words: ratio for words, ratio in found.items() if ratio < 4.5} == {}
