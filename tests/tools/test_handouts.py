"""Handouts: whole, printable, and without an answer. Tier: make test."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from labkit.course.lesson import LESSONS
from labkit.record.plain_text import visible
from tests.show.markup_tree import Node, read
from tools.handouts import handout, load_lab, marked, write

LABS = {name: load_lab(name) for name in LESSONS}
lessons = pytest.mark.parametrize("name", LESSONS)


def tree(name: str) -> Node:
    return read(handout(LABS[name]))


def bare(text: str) -> str:
    """Return a line of a lesson as it reads once its marks are gone."""
    return " ".join(read(f"<p>{marked(text)}</p>").text.split())


@lessons
def test_it_has_one_title_and_headings_in_order(name: str) -> None:
    headings = [each for each in tree(name).every() if re.fullmatch("h[1-6]", each.tag)]
    levels = [int(each.tag[1]) for each in headings]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert headings[0].text == bare(LABS[name].title)
    assert headings[-1].text == "Take away" and len(LABS[name].take_away) >= 3


@lessons
def test_every_question_prediction_and_task_is_on_it(name: str) -> None:
    text, lab = tree(name).text, LABS[name]
    assert all(bare(each.ask) in text for each in lab.lesson.predictions)
    for question in lab.lesson.questions:
        assert bare(question.ask) in text
        assert all(bare(choice.say) in text for choice in question.choices)
    assert all(bare(each.task) in text for each in lab.exercises)


@lessons
def test_no_answer_is_on_it(name: str) -> None:
    root, lab = tree(name), LABS[name]
    said = [choice.because for each in lab.lesson.questions for choice in each.choices]
    said += [hint for each in lab.exercises for hint in each.hints]
    assert [each for each in said if bare(each) in root.text] == []
    choices = [each for found in root.of_class("ho-choices") for each in found.every("li")]
    assert len(choices) == sum(len(each.choices) for each in lab.lesson.questions)
    assert all(each.attributes == {} for each in choices)
    assert [each for found in choices for each in found.every("strong")] == root.every("pre") == []


@lessons
def test_it_prints_on_a4_in_the_language_it_says_and_needs_nothing_else(name: str) -> None:
    page = handout(LABS[name])
    (html,) = read(page).every("html")
    assert html.attributes["lang"] == "en"
    assert "@page { size: A4" in page and page.index("@page") < page.index("</head>")
    assert not re.search(r"<script|src=|href=|url\(|@import", page)
    assert all(each.attributes["aria-label"] for each in read(page).of_class("ho-axes"))


def test_all_of_them_are_written_and_no_more(tmp_path: Path) -> None:
    files = write(tmp_path / "deep" / "down")
    numbers = [LABS[name].number for name in LESSONS]
    assert [each.name for each in files] == [f"{number}.html" for number in numbers]
    assert sorted(each.name for each in (tmp_path / "deep" / "down").iterdir()) == sorted(
        each.name for each in files
    )


def test_marks_become_elements_and_nothing_else_does() -> None:
    made = marked("`a < b`, **bold**, *so*, a [link](x.md) & <i>text</i>")
    assert made == (
        "<code>a &lt; b</code>, <strong>bold</strong>, <em>so</em>, a <span>link</span> &amp; "
        "&lt;i&gt;text&lt;/i&gt;"
    )
    assert visible(made) == made


def test_a_lesson_without_a_notebook_is_refused_by_its_name() -> None:
    with pytest.raises(ValueError, match="'nothing' has no notebook"):
        load_lab("nothing")
