"""Handouts: a printable page for each lab, with its questions and none of the answers.

    python -m tools.handouts FOLDER

Each page is one HTML file for A4 paper, made from the lab's notebook, its lesson and its exercises.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from labkit.course.exercises.exercise import Exercise, exercise_names, load_exercise
from labkit.course.lesson import LESSONS, Lesson, Question, load_lesson
from labkit.course.predictions.prediction import SHAPES, SURENESS, Prediction
from labkit.show.markup import Markup, element, escaped, joined
from labkit.show.page import page
from tools.notebook_form import read

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
STYLE = Path(__file__).with_suffix(".css")
MARKED = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\([^)]*\)")
TAGS = ("code", "strong", "em", "span")
WRITTEN_LINES = 2


@dataclass(frozen=True)
class Lab:
    """What a handout is made from.

    Args:
        number: Of the notebook, two digits.
        title: Its heading.
        opening: The paragraphs below it.
        take_away: The entries of its last list.
        lesson: What it asks.
        exercises: Its loops to repair.
    """

    number: str
    title: str
    opening: tuple[str, ...]
    take_away: tuple[str, ...]
    lesson: Lesson
    exercises: tuple[Exercise, ...]


def load_lab(name: str) -> Lab:
    """Return a lab by the name of its lesson.

    Raises:
        ValueError: If the lesson has no notebook.
    """
    found = sorted(NOTEBOOKS.glob(f"[0-9][0-9]_{name}.ipynb"))
    if not found:
        raise ValueError(f"the lesson {name!r} has no notebook NN_{name}.ipynb in {NOTEBOOKS}")
    cells = {each["id"]: each["source"] for each in read(found[0])["cells"]}
    title, *opening = _paragraphs(cells["title"])
    own = [each for each in exercise_names() if each.startswith(f"{name}.")]
    return Lab(
        number=found[0].name[:2],
        title=title.removeprefix("# "),
        opening=tuple(opening),
        take_away=tuple(_entries(cells.get("take-away", ""))),
        lesson=load_lesson(name),
        exercises=tuple(map(load_exercise, own)),
    )


def _paragraphs(text: str) -> list[str]:
    return [" ".join(each.split()) for each in text.strip().split("\n\n")]


def _entries(text: str) -> Iterator[str]:
    """Yield the entries of a text's list, each in one line."""
    for each in re.findall(r"^- (.*(?:\n  .*)*)", text, re.MULTILINE):
        yield " ".join(each.split())


def handout(lab: Lab) -> str:
    """Return a lab's handout as the text of one HTML file."""
    parts = [
        element("p", f"labkit, lab {lab.number}. Name: ", class_="ho-note ho-line"),
        element("h1", marked(lab.title)),
        *(element("p", marked(each)) for each in lab.opening),
        _section("Predict, before you run", map(_prediction, lab.lesson.predictions)),
    ]
    if lab.exercises:
        parts.append(_section("Fix it yourself", map(_exercise, lab.exercises)))
    parts.append(_section("Check yourself", map(_question, lab.lesson.questions)))
    entries = (element("li", marked(each)) for each in lab.take_away)
    parts.append(_section("Take away", [element("ul", *entries)], class_="ho-last"))
    style = element("style", Markup(STYLE.read_text("utf-8")))
    made = page(f"Lab {lab.number}: {lab.title}", *parts)
    return made.replace("</head>", f"{style}\n</head>", 1)


def _section(title: str, content: Iterable[Markup], **attributes: str) -> Markup:
    return element("section", element("h2", title), *content, **attributes)


def _prediction(asked: Prediction) -> Markup:
    if not asked.choices:
        answer = element("p", f"Your answer ({asked.unit}):", class_="ho-line")
    else:
        answer = element("p", "Circle one: ", joined(_listed(asked.choices)))
    sure = " or ".join(f"{each} %" for each in SURENESS)
    parts = [element("p", marked(asked.ask)), answer]
    if asked.choices == SHAPES:
        said = "Empty axes: draw the curve that you expect, the time of a step over its number."
        parts.append(element("div", "", class_="ho-axes", role="img", aria_label=said))
        parts.append(element("p", said.removeprefix("Empty axes: ").capitalize(), class_="ho-note"))
    sureness = f"How sure are you, {sure}? What was measured then:"
    parts.append(element("p", sureness, class_="ho-note ho-line"))
    return element("div", *parts, class_="ho-question")


def _listed(choices: Sequence[str]) -> Iterator[Markup]:
    for place, choice in enumerate(choices):
        yield escaped(" / " if place else "")
        yield element("em", choice)


def _exercise(exercise: Exercise) -> Markup:
    task = " ".join(exercise.task.split())
    lines = (element("p", "", class_="ho-line") for _ in range(WRITTEN_LINES))
    return element(
        "div", element("h3", exercise.title), element("p", marked(task)),
        element("p", "What was wrong, and what was the smallest repair?", class_="ho-note"), *lines,
        class_="ho-question",
    )  # fmt: skip


def _question(question: Question) -> Markup:
    choices = (element("li", marked(each.say)) for each in question.choices)
    return element(
        "div", element("p", marked(question.ask)), element("ol", *choices, class_="ho-choices"),
        class_="ho-question",
    )  # fmt: skip


def marked(text: str) -> Markup:
    """Return a line of Markdown as a piece of a page: code, bold, emphasis; of a link its words."""
    parts, end = [], 0
    for match in MARKED.finditer(text):
        tag, words = next(pair for pair in zip(TAGS, match.groups(), strict=True) if pair[1])
        parts += [escaped(text[end : match.start()]), element(tag, words)]
        end = match.end()
    return joined([*parts, escaped(text[end:])])


def write(folder: Path) -> list[Path]:
    """Write the handouts of all labs into a folder, and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in LESSONS:
        lab = load_lab(name)
        written.append(folder / f"{lab.number}.html")
        written[-1].write_text(handout(lab), encoding="utf-8")
    return written


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print("Name the folder that the handouts go to:  python -m tools.handouts FOLDER")
        sys.exit(2)
    for file in write(Path(sys.argv[1])):
        print(file)
