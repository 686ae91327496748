"""A curve is drawn by pointer or keyboard, read as a shape and a factor, and kept.

Tier: make test, in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from labkit.course.predictions.diary import Diary
from labkit.course.predictions.predict import Predictions
from labkit.course.quiz import QuizForm
from labkit.show.form_view import FormView
from labkit.show.page import browser_files
from tests.show.asked import ASKED, DRAWN, QUESTION
from tests.show.page import browser_page

pytestmark = [pytest.mark.browser, pytest.mark.in_turn]
READ = f"(drawn) => {{ {browser_files('pad.js')}; return [shapeOf(drawn), timesOf(drawn)]; }}"
SKETCHED = (
    f"([shape, times]) => {{ {browser_files('pad.js')}; return shapeOf(sketch(shape, times)); }}"
)

# Where the pointer goes: shares of the pad's width and height, from the left and the foot.
FLAT = [(0.06, 0.12), (0.98, 0.14)]
RAMP = [(0.06, 0.12), (0.98, 0.5)]
CLIFF = [(0.06, 0.12), (0.6, 0.12), (0.61, 0.6), (0.98, 0.6)]
STAIRS = [(0.06, 0.1), (0.3, 0.1), (0.31, 0.3), (0.6, 0.3), (0.61, 0.6), (0.98, 0.6)]
COMB = [
    (0.06, 0.12),
    *((at + 0.02 * k, 0.7 if k == 1 else 0.12) for at in (0.2, 0.5, 0.8) for k in range(3)),
    (0.98, 0.12),
]


WAVES = [(0.06, 0.1), (0.3, 0.14), (0.5, 0.08), (0.7, 0.14), (0.98, 0.11)]
SLOW_START = [(0.06, 0.8), (0.1, 0.1), (0.98, 0.11)]
FALLING = [(0.06, 0.8), (0.98, 0.1)]


@pytest.fixture
def pad(browser: Browser, tmp_path: Path) -> Iterator[tuple[Page, Diary]]:
    diary = Diary(tmp_path)
    with browser_page(browser, FormView(Predictions(DRAWN, diary))) as page:
        yield page, diary


def draw(page: Page, way: Sequence[tuple[float, float]]) -> None:
    box = page.locator(".lk-pad").bounding_box()
    assert box is not None
    spots = [(box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"]) for x, y in way]
    page.mouse.move(*spots[0])
    page.mouse.down()
    for spot in spots[1:]:
        page.mouse.move(*spot, steps=4)
    page.mouse.up()


@pytest.mark.parametrize(
    ("way", "shape"),
    [
        (FLAT, "flat"), (WAVES, "flat"), (SLOW_START, "flat"), (RAMP, "ramp"), (CLIFF, "cliff"),
        (STAIRS, "stairs"), (COMB, "comb"),
    ],
)  # fmt: skip
def test_what_is_drawn_is_read_as_a_shape_and_kept_with_it(
    pad: tuple[Page, Diary], way: Sequence[tuple[float, float]], shape: str
) -> None:
    page, diary = pad
    draw(page, way)
    first, factor = page.locator(".lk-ask").all()
    expect(first.get_by_role("radio", name=shape)).to_be_checked()
    assert float(factor.get_by_role("spinbutton").input_value()) > 0
    first.get_by_label("70 %").check()
    factor.get_by_label("50 %").check()
    assert diary.latest("lab.shape") is None  # to draw is not to answer yet
    page.get_by_role("button", name="Keep my prediction").click()
    expect(first.locator(".lk-told")).to_have_text(f"You said {shape}, 70 % sure.")
    kept = diary.latest("lab.shape")
    assert kept is not None and len(kept.drawn) == 40 and kept.drawn[0] == 1


def test_what_is_none_of_the_shapes_is_said_to_be_none(pad: tuple[Page, Diary]) -> None:
    """Seen: "choose an answer and how sure you are", to who had drawn and was sure."""
    page, diary = pad
    draw(page, FALLING)
    for row in page.locator(".lk-ask").all():
        row.get_by_label("70 %").check()
    page.get_by_role("button", name="Keep my prediction").click()
    told = "question 1: what you drew is none of these shapes; draw it anew, or choose one"
    expect(page.get_by_role("alert")).to_have_text(told)
    assert diary.latest("lab.shape") is None


def test_another_number_keeps_the_shape_that_was_drawn(pad: tuple[Page, Diary]) -> None:
    """Seen: a line that was level for long became a straight one."""
    page, _ = pad
    draw(page, CLIFF)
    page.locator(".lk-ask").nth(1).get_by_role("spinbutton").fill("3")
    expect(page.locator(".lk-ask").first.get_by_role("radio", name="cliff")).to_be_checked()
    line = page.locator(".lk-pad").get_attribute("aria-label") or ""
    assert "cliff, at its end 3.0 times as long" in line


def test_the_end_that_was_drawn_is_the_answer_to_how_many_times(pad: tuple[Page, Diary]) -> None:
    page, _ = pad
    number = page.locator(".lk-ask").nth(1).get_by_role("spinbutton")
    for begun in (0.3, 0.1):  # nobody hits the dot
        draw(page, [(0.06, begun), (0.9, begun + 0.4), (0.98, begun + 0.4)])
        # The axis is 130 of 160 high, for ten times as long.
        assert float(number.input_value()) == pytest.approx(1 + 10 * 0.4 * 160 / 130, rel=0.05)


def test_the_keyboard_draws_what_it_chooses_and_types(pad: tuple[Page, Diary]) -> None:
    page, diary = pad
    first, factor = page.locator(".lk-ask").all()
    line = page.locator(".lk-pad-line")
    assert line.get_attribute("d") == ""
    first.get_by_role("radio", name="flat").focus()
    page.keyboard.press("ArrowDown")
    factor.get_by_role("spinbutton").fill("3")
    said = "The curve that you expect: ramp, at its end 3.0 times as long as at first"
    expect(page.locator(".lk-pad")).to_have_attribute("aria-label", said)
    first.get_by_label("90 %").check()
    factor.get_by_label("90 %").check()
    page.get_by_role("button", name="Keep my prediction").click()
    expect(first.locator(".lk-told")).to_have_text("You said ramp, 90 % sure.")
    kept = diary.latest("lab.shape")
    assert kept is not None and kept.drawn[-1] == pytest.approx(3, rel=0.05)


def test_a_curve_that_falls_is_no_shape_and_answers_nothing(pad: tuple[Page, Diary]) -> None:
    page, _ = pad
    draw(page, [(0.06, 0.7), (0.98, 0.2)])
    assert not page.locator(".lk-ask").first.get_by_role("radio", checked=True).count()


def test_what_was_kept_is_on_the_pad_when_the_form_is_shown_again(
    pad: tuple[Page, Diary], browser: Browser, tmp_path: Path
) -> None:
    page, diary = pad
    draw(page, RAMP)
    page.locator(".lk-ask").first.get_by_label("70 %").check()
    page.get_by_role("button", name="Keep my prediction").click()
    expect(page.locator(".lk-ask").first.locator(".lk-told")).to_contain_text("ramp")
    form = Predictions(DRAWN, Diary(tmp_path))
    assert form.drawn == diary.latest("lab.shape").drawn != ()  # type: ignore[union-attr]
    with browser_page(browser, FormView(form)) as again:
        expect(again.locator(".lk-pad")).to_have_attribute(
            "aria-label", page.locator(".lk-pad").get_attribute("aria-label") or ""
        )


@pytest.mark.parametrize("shape", ["flat", "ramp", "stairs", "comb", "cliff"])
def test_each_shape_is_sketched_as_what_it_is(pad: tuple[Page, Diary], shape: str) -> None:
    for times in (1.6, 4, 30):
        assert pad[0].evaluate(SKETCHED, [shape, times]) == shape


def test_a_hand_that_trembles_draws_the_same_shape(pad: tuple[Page, Diary]) -> None:
    ramp = [1 + 0.1 * k + 0.04 * (-1) ** k for k in range(40)]
    bent = [1 + 0.005 * k**2 + 0.04 * (-1) ** k for k in range(40)]
    flat = [1 + 0.08 * (-1) ** k for k in range(40)]
    read = [pad[0].evaluate(READ, each) for each in (ramp, bent, flat)]
    assert [shape for shape, _ in read] == ["ramp", "ramp", "flat"]
    assert read[0][1] == pytest.approx(4.8, rel=0.1)


def test_other_questions_have_no_pad(browser: Browser, tmp_path: Path) -> None:
    for form in (Predictions(ASKED, Diary(tmp_path)), QuizForm([QUESTION])):
        with browser_page(browser, FormView(form)) as page:
            expect(page.locator(".lk-ask").first).to_be_visible()
            assert not page.locator(".lk-pad").count()
