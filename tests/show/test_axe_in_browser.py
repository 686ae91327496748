"""axe-core finds nothing wrong with what the kit shows, in light and in dark.

Tier: make test for the panel and for light pages, make test-full for dark ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from labkit.claims import Played, Ruling, Tried, chosen
from labkit.claims.table import Trial
from labkit.course.calibration import calibrate
from labkit.course.check.selfchecked import CheckedCause, SelfCheck
from labkit.course.classroom.classroom import classroom
from labkit.course.exercises.demand import Demand
from labkit.course.exercises.exercise import exercise_names, load_exercise
from labkit.course.exercises.outcome import Outcome
from labkit.course.predictions.diary import Diary, Guess, Guessed
from labkit.course.predictions.predict import Predictions
from labkit.course.quiz import QuizForm
from labkit.lab.compare import compare
from labkit.record import State, save_run
from labkit.show.form_view import FormView
from labkit.show.live.panel import Panel
from labkit.show.report.report import report_html, view_html
from tests.show import told
from tests.show.asked import ASKED, QUESTION
from tests.show.axe import violations
from tests.show.page import DARK, browser_page, opened
from tests.show.standin import MECHANISM, StandInPlayer

pytestmark = [pytest.mark.browser, pytest.mark.in_turn]

THEMES = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
# What is no panel is looked at in light alone; other tests see that its words stand out in dark.
MOSTLY_LIGHT = pytest.mark.parametrize(
    "dark", [False, pytest.param(True, marks=pytest.mark.full)], ids=["light", "dark"]
)
# A notebook's page around an output: it has the headings and the landmarks.
NOTEBOOK = """<!doctype html><html lang="en"><title>a notebook</title>
<style>:root{{{colours}}} body{{background:{paper};color:{ink}}}</style>
<body data-jp-theme-light="{light}"><main><h1>A lab</h1><h2>What came out</h2>{output}</main>"""


def test_axe_does_find_what_is_wrong(browser: Browser) -> None:
    wrong = '<button></button><p style="color:#ccc">pale words</p><img src="data:,">'
    with in_a_notebook(browser, wrong) as page:
        found = {each.partition(":")[0] for each in violations(page)}
    assert found == {"button-name", "color-contrast", "image-alt"}


@THEMES
def test_the_panel_at_rest_at_work_and_with_all_its_parts_open(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dark: bool
) -> None:
    monkeypatch.chdir(tmp_path)  # where a report is written
    player = StandInPlayer()
    player.mechanism = MECHANISM
    with opened(browser, player, dark=dark) as it:
        assert violations(it.page) == [], "before the first run"
        it.start(60)
        it.run.happen("toggle", "grow off", name="grow", value=False)
        it.advance(20)
        assert violations(it.page) == [], "while it runs"
        it.start(40)
        it.end(State("failed", "ValueError: one too many", "Traceback: one too many"))
        it.page.click("text=as table")
        it.page.wait_for_selector(".lk-table tbody tr")
        it.page.click(".lk-traceback summary")
        it.page.click(".lk-more summary")
        it.page.click(".lk-foot button:text-is('report')")
        it.page.wait_for_selector(".lk-said:not(:empty)")
        it.player.refusal = "There is no room left on the disk; delete a file."
        it.page.click("text=save run")
        it.page.wait_for_selector(".lk-error:not(:empty)")
        assert violations(it.page) == [], "failed, with table, traceback and an error"
    (report,) = tmp_path.glob("*.html")
    assert of_a_file(browser, report.read_text(), dark=dark) == []


@MOSTLY_LIGHT
def test_the_panel_of_a_presenter_and_of_a_replay(browser: Browser, dark: bool) -> None:
    player = StandInPlayer()
    player.banner = "A recording of 22 November 2026, made on: a processor, 2 cores."
    panel = Panel(player, poll_seconds=0.05, presenter=True)
    with browser_page(browser, panel, dark=dark) as page:
        page.click(".lk-run")
        page.wait_for_selector(".lk-banner:not(:empty)")
        assert violations(page) == []


@MOSTLY_LIGHT
def test_predictions_before_and_after_an_answer(
    browser: Browser, tmp_path: Path, dark: bool
) -> None:
    form = FormView(Predictions(ASKED, Diary(tmp_path)))
    with browser_page(browser, form, dark=dark) as page:
        assert violations(page) == []
        shape = page.locator(".lk-ask").first
        shape.get_by_label("ramp").check()
        shape.get_by_label("90 %").check()
        page.get_by_role("button").click()
        page.wait_for_selector(".lk-error:not(:empty)")
        assert violations(page) == []


@MOSTLY_LIGHT
def test_a_quiz_with_a_right_and_a_wrong_answer(browser: Browser, dark: bool) -> None:
    quiz = QuizForm([QUESTION, QUESTION])
    with browser_page(browser, FormView(quiz), dark=dark) as page:
        first, second = page.locator(".lk-ask").all()
        first.get_by_label("graph_ops").check()
        second.get_by_label("the clock").check()
        page.wait_for_selector("[data-right=true]")
        page.wait_for_selector("[data-right=false]")
        assert violations(page) == []


@MOSTLY_LIGHT
def test_what_cells_answer_in_a_notebook(
    browser: Browser, answers: dict[str, str], dark: bool
) -> None:
    output = "".join(f"<h3>{name}</h3>{answer}" for name, answer in answers.items())
    with in_a_notebook(browser, output, dark=dark) as page:
        assert violations(page) == []


@MOSTLY_LIGHT
def test_files_of_their_own(browser: Browser, files: list[str], dark: bool) -> None:
    for text in files:
        assert of_a_file(browser, text, dark=dark) == []


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return what a notebook is handed, by what it is; drawn once for both themes."""
    folder = tmp_path_factory.mktemp("class")
    for number, growth in enumerate((1.7, 1.2, 0.0)):
        run = replace(told.run(growth=growth), cause="graph_growth", toggles={"grow": growth > 0})
        save_run(run, folder / f"learner-{number}.jsonl")
    return {
        "A diagnosis": view_html(told.looked_at(told.ill())),
        "A healthy loop": view_html(told.looked_at(told.healthy())),
        "A trial": html_of(trial()),
        "A class": html_of(classroom(folder)),
        "A comparison": html_of(compare(told.run(), told.run(growth=0))),
        "A self-check": html_of(self_check(folder / "learner-0.jsonl")),
        "An attempt": html_of(attempt()),
        "Predictions, scored": html_of(calibrate(guessed())),
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the pages of a diagnosis and of a trial, and the gallery."""
    saved = trial().save(tmp_path_factory.mktemp("trial") / "trial.html")
    gallery = Path(__file__).parents[2] / "docs" / "gallery.html"
    report = report_html([told.looked_at(told.ill())])
    return [report, saved.read_text(), gallery.read_text()]


@contextmanager
def in_a_notebook(browser: Browser, output: str, *, dark: bool = False) -> Iterator[Page]:
    page = browser.new_page()
    colours = "".join(f"{name}:{value};" for name, value in (DARK if dark else {}).items())
    page.set_content(NOTEBOOK.format(
        colours=colours, output=output, light=str(not dark).lower(),
        paper="#111" if dark else "#fff", ink="#eee" if dark else "#111",
    ))  # fmt: skip
    open_all(page)
    yield page
    page.close()


def of_a_file(browser: Browser, text: str, *, dark: bool) -> list[str]:
    page = browser.new_page(color_scheme="dark" if dark else "light")
    page.set_content(text)
    open_all(page)
    found = violations(page, whole=True)
    page.close()
    return found


def open_all(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true; })")


def trial() -> Trial:
    (claim,) = chosen(["1.1"])
    runs = {name: told.run() for name in claim.plays}
    ruling = Ruling("holds only if", "It took 2.7 times as long.", "it grows", "a longer run")
    return Trial((Tried(claim, Played(runs), ruling),))


def self_check(file: Path) -> SelfCheck:
    rows = (
        CheckedCause("graph_growth", "Graph growth", told.run(), "cpu", True, "slowdown", 2.0),
        CheckedCause("garbage", "Garbage", None, "cpu", None, "", 0.1, ("It cannot be built.",)),
    )
    return SelfCheck(rows, file)


def attempt() -> Outcome:
    demands = (Demand("steps stay flat", True, "+1 %"), Demand("the same losses", False, "none"))
    exercise = load_exercise(exercise_names()[0])
    sentence = "Not yet: it is flat, and returns other losses."
    return Outcome(exercise, "wrong", sentence, demands, "Trace")


def guessed() -> list[Guessed]:
    """Return six predictions, one of them of a question that has gone since."""
    names = ["graph_growth.shape", "gone.shape", *(f"made_up.{n}" for n in range(4))]
    return [
        Guessed(Guess(name, "ramp", sure, 0.0), "ramp" if sure > 60 else "flat", sure > 60)
        for name, sure in zip(names, (50, 70, 90, 50, 70, 90), strict=True)
    ]


def html_of(answer: Any) -> str:
    return str(answer._repr_mimebundle_()["text/html"])
