"""Lessons and notebooks agree: what is asked is revealed, once, after it. Tier: make test."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from labkit.course.exercises.exercise import exercise_names, load_exercise
from labkit.course.lesson import LESSONS, load_lesson, read_lesson
from labkit.record import ChoiceError
from tools.notebook_form import without_magics

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
PARTS = ("Predict", "Run", "See", "Toggle", "Explain", "Fix it yourself", "Check yourself",
         "Take away")  # fmt: skip
# The mystery loops are a game: one exercise, with rules of its own.
LABS = [lesson for lesson in LESSONS if lesson != "mystery"]
# And where the claims are tried there is a task of one's own, with no answer to hold against it.
WITH_EXERCISES = [lesson for lesson in LABS if lesson != "claims"]


def cells(lesson: str) -> list[tuple[str, str, str]]:
    """Return kind, id and source of each cell of a lesson's notebook."""
    (path,) = NOTEBOOKS.glob(f"[0-9][0-9]_{lesson}.ipynb")
    found = json.loads(path.read_text())["cells"]
    return [(cell["cell_type"], cell["id"], "".join(cell["source"])) for cell in found]


def called(source: str, name: str) -> list[list[object]]:
    """Return the constant arguments of each call ``lk.NAME(...)`` in a cell, in order."""
    calls = [
        node
        for node in ast.walk(ast.parse(without_magics(source)))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == name
    ]
    return [[each.value for each in call.args if isinstance(each, ast.Constant)] for call in calls]


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_prediction_is_asked_once_and_revealed_once_later(lesson: str) -> None:
    asked: list[object] = []
    revealed: list[object] = []
    for kind, name, source in cells(lesson):
        if kind != "code":
            continue
        for said in called(source, "predict"):
            asked += said
        for said in called(source, "reveal"):
            assert said[0] in asked, f"cell {name} reveals {said[0]} before it is asked"
            revealed.append(said[0])
    names = [each.name for each in load_lesson(lesson).predictions]
    assert sorted(map(str, asked)) == sorted(names)
    assert sorted(map(str, revealed)) == sorted(names)


@pytest.mark.parametrize("lesson", LABS)
def test_a_notebook_has_the_parts_of_a_lab_in_their_order(lesson: str) -> None:
    text = "\n".join(source for kind, _, source in cells(lesson) if kind == "markdown")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    first = [
        next((at for at, said in enumerate(headings) if said.startswith(part)), -1)
        for part in PARTS
    ]
    assert -1 not in first, dict(zip(PARTS, first, strict=True))
    assert first == sorted(first), headings


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_notebook_ends_with_its_own_questions(lesson: str) -> None:
    assert [said for _, _, source in cells(lesson) for said in _quizzes(source)] == [lesson]


def _quizzes(source: str) -> list[str]:
    return re.findall(r'^lk\.quiz\("(\w+)"\)$', source, re.MULTILINE)


@pytest.mark.parametrize("lesson", WITH_EXERCISES)
def test_a_notebook_holds_the_untouched_stub_of_each_of_its_exercises(lesson: str) -> None:
    held = dict(
        source.removeprefix("%%exercise ").split("\n", 1)
        for kind, _, source in cells(lesson)
        if kind == "code" and source.startswith("%%exercise ")
    )
    own = [name for name in exercise_names() if name.startswith(f"{lesson}.")]
    assert len(own) >= 2
    assert sorted(held) == sorted(own)
    for name, stub in held.items():
        assert stub == load_exercise(name).stub.rstrip("\n")


def test_a_lesson_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(ChoiceError, match="graph_growth"):
        load_lesson("graph")


BAD = {
    "a table of another kind": {"predictions": []},
    "no kind of answer": {"prediction": [{"name": "a", "ask": "?"}]},
    "two kinds of answer": {"prediction": [{"name": "a", "ask": "?", "shape": True, "unit": "s"}]},
    "a word too much": {"prediction": [{"name": "a", "ask": "?", "unit": "s", "width": 3}]},
    "no question": {"prediction": [{"name": "a", "ask": "", "unit": "s"}]},
    "a name twice": {"prediction": [{"name": "a", "ask": "?", "unit": "s"}] * 2},
}


@pytest.mark.parametrize("facts", BAD.values(), ids=BAD.keys())
def test_a_lesson_that_says_too_little_or_too_much_is_refused(facts: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="lesson lab"):
        read_lesson("lab", facts)
