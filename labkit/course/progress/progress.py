"""How far a learner has come, from the diary of this folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labkit.course.calibration import Calibration, calibrate
from labkit.course.exercises.exercise import exercise_names
from labkit.course.lesson import LESSONS, load_lesson
from labkit.course.predictions.diary import FILE, Diary
from labkit.course.predictions.predict import diary
from labkit.show.markup import element, table
from labkit.show.page import Shown, view

TITLES = ("lab", "guesses scored", "exercises solved", "questions right at the first try")


@dataclass(frozen=True)
class LabPath:
    """How far a learner has come in one lab.

    Args:
        title: Its number and name, e.g. ``"01 graph growth"``.
        left: What is not done yet, in the order of the notebook, in words.
        guesses: How many predictions were scored, and how many there are.
        exercises: How many exercises were solved, and how many there are.
        answered: How many questions were answered, and how many there are.
        right: How many of them right at the first try.
    """

    title: str
    left: tuple[str, ...]
    guesses: tuple[int, int]
    exercises: tuple[int, int]
    answered: tuple[int, int]
    right: int

    @property
    def begun(self) -> bool:
        """Whether anything of it was done."""
        return any(done for done, _ in (self.guesses, self.exercises, self.answered))

    @property
    def row(self) -> tuple[str, str, str, str]:
        """The lab as a row of the table."""
        answered, asked = self.answered
        questions = _of((self.right, asked)) if answered == asked else f"{self.right} of {answered}"
        if answered < asked and asked:
            questions += f", {asked - answered} to go"
        return self.title, _of(self.guesses), _of(self.exercises), questions if asked else ""


@dataclass(frozen=True)
class Progress(Shown):
    """How far a learner has come; a notebook shows it by itself.

    Args:
        labs: Every lab, in the order of the course.
        calibration: How well they know what they know.
        warning: What a learner must know where some of it could not be kept.
    """

    labs: tuple[LabPath, ...]
    calibration: Calibration
    warning: str = ""

    @property
    def begun(self) -> bool:
        """Whether anything was done in any lab."""
        return any(each.begun for each in self.labs)

    def sentence(self) -> str:
        """Return how far one has come, and what is next."""
        done = sum(not each.left for each in self.labs)
        begun = sum(each.begun and bool(each.left) for each in self.labs)
        told = f"{done} of {len(self.labs)} labs done"
        if begun:
            told += f", {begun} begun"
        open_ones = [each for each in self.labs if each.left]
        going = next((each for each in open_ones if each.begun), next(iter(open_ones), None))
        if going is None:
            return f"{told}. That is the whole course."
        return f"{told}. Next: {going.title}, {going.left[0]}."

    def lines(self) -> list[str]:
        """Return the sentence, how well one is calibrated, and a line for each lab begun."""
        rows = (each.row for each in self.labs if each.begun)
        labs = (
            f"  {row[0]}: " + ", ".join(f"{title} {cell}" for title, cell in _told(row))
            for row in rows
        )
        return [self.sentence(), self.calibration.sentence(), *labs, self._kept()]

    def html(self) -> str:
        """Return the same as a piece of a page, with all labs in a table."""
        return view(
            element("p", element("strong", self.sentence())),
            element("p", self.calibration.sentence()),
            table("The labs, and what you did in them", TITLES, [each.row for each in self.labs]),
            element("p", self._kept()),
        )

    def _kept(self) -> str:
        if self.warning:
            return f"Some of it is {self.warning}."
        return f"Kept in {FILE}, beside the notebooks; remove the file to begin anew."


def progress() -> Progress:
    """Return how far one has come in this folder: guesses, exercises, questions, and what is next.

    A lab is done when its predictions are scored, its exercises solved and its questions answered.
    """
    return progress_of(diary())


def progress_of(book: Diary) -> Progress:
    """Return the progress that a diary tells of.

    Args:
        book: Of the learner; what it has of predictions, exercises or questions that the course no
            longer has does not count.
    """
    guessed, done = book.guessed(), book.done()
    scored = {each.guess.name for each in guessed}
    solved = {each.name for each in done if each.kind == "exercise" and each.right}
    first: dict[str, bool] = {}
    for each in done:
        if each.kind == "question":
            first.setdefault(each.name, each.right)
    labs = (_lab(number, name, scored, solved, first) for number, name in enumerate(LESSONS))
    return Progress(tuple(labs), calibrate(guessed), book.warning)


def _lab(
    number: int, name: str, scored: set[str], solved: set[str], first: dict[str, bool]
) -> LabPath:
    lesson = load_lesson(name)
    guesses = [each.name for each in lesson.predictions]
    exercises = [each for each in exercise_names() if each.partition(".")[0] == name]
    questions = [f"{name}.{place}" for place in range(1, len(lesson.questions) + 1)]
    left = (
        *(f"the prediction {each}" for each in guesses if each not in scored),
        *(f"the exercise {each}" for each in exercises if each not in solved),
        *(f"question {each.rpartition('.')[2]}" for each in questions if each not in first),
    )
    return LabPath(
        f"{number:02d} {name.replace('_', ' ')}",
        left,
        _count(guesses, scored),
        _count(exercises, solved),
        _count(questions, set(first)),
        sum(first.get(each, False) for each in questions),
    )


def _count(names: Sequence[str], done: set[str]) -> tuple[int, int]:
    return sum(each in done for each in names), len(names)


def _of(counts: tuple[int, int]) -> str:
    return f"{counts[0]} of {counts[1]}" if counts[1] else ""


def _told(row: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield a row's titles and cells, without those that are empty and the lab's own."""
    return ((title, cell) for title, cell in zip(TITLES[1:], row[1:], strict=True) if cell)
