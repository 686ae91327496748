"""How long a notebook takes: what is counted, and the rule. No notebook is run. Tier: make test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.minutes import PAGE, ROOT, Asked, Row, asked, kept, page, row
from tools.notebook_form import read

NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
MACHINE = {"processor": "a processor", "cores": "2"}


def counted(*cells: str, text: str = "") -> Asked:
    found = [{"cell_type": "code", "source": source} for source in cells]
    return asked({"cells": [{"cell_type": "markdown", "source": text}, *found]})


def test_words_are_counted_and_marks_are_none() -> None:
    assert counted(text="## Two words\n\n- `lk.run` and *three* more - that is 8").words == 9


def test_each_prediction_of_a_form_counts() -> None:
    assert counted('lk.predict("a.b", "a.c")', 'lk.predict("a.d")').predictions == 3


def test_a_form_of_questions_a_loop_to_repair_and_a_mystery_count_once_each() -> None:
    made = counted('lk.quiz("a")', "%%exercise a.b\ndef make_step():", "first = lk.mystery(8)")
    assert (made.quizzes, made.exercises) == (1, 2)


def test_what_only_looks_like_a_task_is_none() -> None:
    quiet = counted("%pip install x", "# lk.quiz('a')", "!ls", "lk.hint('a.b')", "%%bash\nfor f;")
    assert quiet == Asked(0, 0, 0, 0)


def test_the_minutes_are_added_up_by_the_rule_that_the_page_states() -> None:
    made = Asked(words=1300, predictions=4, quizzes=1, exercises=2)
    assert made.minutes(60.0) == 10 + 4 + 1 + 10 + 1
    assert made.minutes(60.0, exercises=False) == 10 + 4 + 1 + 1
    assert made.minutes(61.0) == 27  # a minute that was begun is a minute
    assert "read at 130 words a minute" in PAGE.read_text()
    assert "a prediction takes 1 minute" in PAGE.read_text()
    assert "an exercise takes 5 minutes" in PAGE.read_text()


def test_the_page_names_the_machine_and_says_what_was_not_run() -> None:
    work = Asked(130, 1, 1, 1)
    made = page([Row("00_a.ipynb", "A", work, 59.6), Row("01_b.ipynb", "B", work)], MACHINE)
    lines = made.splitlines()
    assert "| [00 A](../../notebooks/00_a.ipynb) | 60 s | 130 | 1 | 1 | 4 | 9 |" in lines
    assert "| [01 B](../../notebooks/01_b.ipynb) | not run | 130 | 1 | 1 | 3 | 8 |" in lines
    assert "| processor | a processor |" in lines


def test_what_is_not_run_keeps_its_last_figure() -> None:
    work = Asked(130, 1, 1, 1)
    rows = [Row("00_a.ipynb", "A", work, 37.0), Row("01_b.ipynb", "B", work)]
    assert kept(page(rows, {})) == {"00_a.ipynb": 37.0}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_notebook_can_be_counted_and_has_a_title_and_a_quiz(path: Path) -> None:
    made = row(path)
    assert made.title and not made.title.startswith("#")
    assert made.asked.words > 100 and made.asked.quizzes == 1
    assert made.seconds is None and made.asked.minutes(0.0) > 5


def test_each_notebook_tells_learners_the_minutes_that_the_page_tells_teachers() -> None:
    rows = re.findall(r"(\d\d_\w+\.ipynb)\).*\| (\d+) \| (\d+) \|$", PAGE.read_text(), re.M)
    assert len(rows) == len(NOTEBOOKS)
    for name, without, whole in rows:
        header = "".join(read(ROOT / "notebooks" / name)["cells"][0]["source"])
        found = re.search(r"About (\d+) minutes(?:, (\d+) with the exercises)?\.", header)
        assert found, name
        told = [int(each) for each in found.groups() if each]
        # A notebook that tells one number tells that of all it has.
        for minutes, counted in zip(reversed(told), (whole, without), strict=False):
            assert 0 <= minutes - int(counted) < 5, (name, told, without, whole)
