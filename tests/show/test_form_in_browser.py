"""Forms in a real browser: keyboard, words for each answer, what happens without a kernel.

Tier: make test, in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from labkit.course.predictions.diary import FILE, Diary
from labkit.course.predictions.predict import Predictions
from labkit.course.quiz import QuizForm
from labkit.show.form_view import FormView
from tests.show.asked import ASKED, QUESTION
from tests.show.page import browser_page

pytestmark = [pytest.mark.browser, pytest.mark.in_turn]


@pytest.fixture
def predictions(browser: Browser, tmp_path: Path) -> Iterator[tuple[Page, Diary]]:
    diary = Diary(tmp_path)
    with browser_page(browser, FormView(Predictions(ASKED, diary))) as page:
        yield page, diary


@pytest.fixture
def quiz(browser: Browser) -> Iterator[tuple[Page, QuizForm]]:
    played = QuizForm([QUESTION, QUESTION])
    with browser_page(browser, FormView(played), dark=True) as page:
        yield page, played


def test_predictions_are_kept_when_they_are_handed_in(
    predictions: tuple[Page, Diary],
) -> None:
    page, diary = predictions
    shape, factor = page.locator(".lk-ask").all()
    shape.get_by_label("ramp").check()
    shape.get_by_label("90 %").check()
    factor.get_by_role("spinbutton").fill("2.5")
    factor.get_by_label("50 %").check()
    assert diary.latest("lab.shape") is None
    page.get_by_role("button", name="Keep my prediction").click()
    expect(page.locator(".lk-form-said")).to_have_text(f"2 of 2 kept in {FILE}")
    kept = diary.latest("lab.shape"), diary.latest("lab.factor")
    assert [(each.answer, each.sure) for each in kept if each] == [("ramp", 90), (2.5, 50)]
    expect(shape.locator(".lk-told")).to_have_text("You said ramp, 90 % sure.")


def test_what_is_missing_is_named_and_the_rest_is_kept(predictions: tuple[Page, Diary]) -> None:
    page, diary = predictions
    factor = page.locator(".lk-ask").nth(1)
    factor.get_by_role("spinbutton").fill("3")
    factor.get_by_label("70 %").check()
    page.get_by_role("button").click()
    expect(page.get_by_role("alert")).to_contain_text("question 1")
    expect(page.locator(".lk-form-said")).to_have_text(f"1 of 2 kept in {FILE}")
    assert diary.latest("lab.shape") is None and diary.latest("lab.factor") is not None


def test_a_number_that_is_none_is_refused_in_a_sentence(predictions: tuple[Page, Diary]) -> None:
    page, diary = predictions
    factor = page.locator(".lk-ask").nth(1)
    factor.get_by_role("spinbutton").fill("-3")
    factor.get_by_label("70 %").check()
    page.get_by_role("button").click()
    expect(page.get_by_role("alert")).to_contain_text("a number above zero")
    assert diary.latest("lab.factor") is None


def test_each_answer_of_a_quiz_brings_its_words_at_once(quiz: tuple[Page, QuizForm]) -> None:
    page, played = quiz
    first, second = page.locator(".lk-ask").all()
    first.get_by_label("the clock").check()
    expect(first.locator(".lk-told")).to_have_text(
        "Not this one. Times never rest: the machine moves them."
    )
    first.get_by_label("graph_ops").check()
    expect(first.locator(".lk-told")).to_contain_text("Right. It rests")
    expect(page.locator(".lk-form-said")).to_have_text("0 of 2 right at the first try; 1 to go")
    expect(second.locator(".lk-told")).to_be_empty()
    assert played.said.startswith("0 of 2")


def test_a_quiz_can_be_answered_with_the_keyboard_alone(quiz: tuple[Page, QuizForm]) -> None:
    page, played = quiz
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.locator(".lk-told").first).to_contain_text("Right.")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(page.locator(".lk-told").nth(1)).to_contain_text("Not this one.")
    assert played.said == "1 of 2 right at the first try"


def test_an_arrow_key_on_the_way_to_a_choice_answers_nothing(quiz: tuple[Page, QuizForm]) -> None:
    page, played = quiz
    page.keyboard.press("Tab")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(page.locator(".lk-ask").first.get_by_label("the clock")).to_be_focused()
    assert played.said == ""


@pytest.mark.parametrize(
    ("key", "kept"), [("ArrowDown", True), ("x", True), ("Shift+Enter", False), ("Escape", False)]
)
def test_plain_keys_are_kept_from_jupyterlab_and_those_that_go_on_are_not(
    quiz: tuple[Page, QuizForm], key: str, kept: bool
) -> None:
    page, _ = quiz
    # JupyterLab listens at the document, and leaves such an element alone.
    page.evaluate(
        "document.addEventListener('keydown', (event) => { window.kept ="
        " event.target.hasAttribute('data-lm-suppress-shortcuts'); })"
    )
    page.keyboard.press("Tab")
    page.keyboard.press(key)
    assert page.evaluate("window.kept") is kept


def test_a_page_that_is_loaded_again_shows_what_was_answered(quiz: tuple[Page, QuizForm]) -> None:
    page, _ = quiz
    page.locator(".lk-ask").first.get_by_label("graph_ops").check()
    expect(page.locator(".lk-told").first).to_contain_text("Right.")
    page.evaluate("endView(); show('two')")
    shown = page.locator("#two .lk-ask").first
    expect(shown.get_by_label("graph_ops")).to_be_checked()
    expect(shown.locator(".lk-told")).to_contain_text("Right.")


def test_code_in_backticks_is_set_as_code(quiz: tuple[Page, QuizForm]) -> None:
    page, _ = quiz
    assert page.locator(".lk-choice code").first.inner_text() == "graph_ops"


def test_a_kernel_that_does_not_answer_is_told(quiz: tuple[Page, QuizForm]) -> None:
    page, _ = quiz
    page.evaluate("model.mute = true")
    page.locator(".lk-ask").first.get_by_label("graph_ops").check()
    expect(page.get_by_role("alert")).to_contain_text("no answer from the kernel", timeout=9_000)


def test_on_a_narrow_page_nothing_sticks_out(browser: Browser) -> None:
    with browser_page(browser, FormView(QuizForm([QUESTION])), width=400) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
