"""The questions at the end of a lab, as a form that answers at once and needs no network."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from labkit.course.form import Asked
from labkit.course.lesson import Choice, Question, load_lesson
from labkit.course.predictions.diary import Done
from labkit.course.predictions.predict import diary
from labkit.record import ChoiceError, LabkitError
from labkit.show.form import Field, Told


class QuizForm(Asked):
    """A lab's questions; a notebook shows them as a form.

    A question may be answered again; the score counts the first answer to each.

    Args:
        questions: At least one.
        note: Is told the number of each question, counted from 1, when it is answered first, and
            whether that was right; returns a warning where that could not be kept.
    """

    title = "Check yourself"
    button = ""

    def __init__(
        self, questions: Sequence[Question], note: Callable[[int, bool], str] | None = None
    ) -> None:
        self._questions = tuple(questions)
        self._note = note
        self._first: dict[int, Choice] = {}
        self._latest: dict[int, Choice] = {}
        self._warning = ""

    @property
    def fields(self) -> Sequence[Field]:
        return [
            Field(each.ask, tuple(choice.say for choice in each.choices))
            for each in self._questions
        ]

    @property
    def said(self) -> str:
        if not self._first:
            return ""
        count = len(self._questions)
        right = sum(choice.right for choice in self._first.values())
        left = count - len(self._first)
        rest = f"; {left} to go" if left else ""
        lost = f"; {self._warning}" if self._warning else ""
        return f"{right} of {count} right at the first try{rest}{lost}"

    def answer(
        self, field: int, value: object, sure: int | None = None, *, drawn: object = None
    ) -> None:
        """Answer a question.

        Args:
            field: Its number, counted from 0.
            value: The choice's number, counted from 1, or its words.
            sure: Is not asked.
            drawn: Nor is this.

        Raises:
            ChoiceError: If there is no such question or choice.
        """
        count = len(self._questions)
        if field not in range(count):
            raise ChoiceError("question", field + 1, range(1, count + 1))
        chosen = self._questions[field].choice(value)
        if self._note is not None and field not in self._first:
            self._warning = self._note(field + 1, chosen.right)
        self._first.setdefault(field, chosen)
        self._latest[field] = chosen

    def told(self, field: int) -> Told | None:
        choice = self._latest.get(field)
        return None if choice is None else Told(choice.say, choice.because, choice.right)

    def __str__(self) -> str:
        lines = []
        for number, question in enumerate(self._questions, 1):
            lines.append(f"{number}. {question.ask}")
            lines += [f"   {place}) {each.say}" for place, each in enumerate(question.choices, 1)]
        return "\n".join([*lines, "Answer with  _.choose(1, 2)  (question 1, choice 2)."])

    def choose(self, question: int, choice: int) -> None:
        """Answer in code, where the form cannot be used, and print what there is to say.

        Args:
            question: Its number, counted from 1.
            choice: The choice's number, counted from 1.

        Raises:
            ChoiceError: If there is no such question or choice.
        """
        self.answer(question - 1, choice)
        chosen = self._latest[question - 1]
        print(f"{'Right.' if chosen.right else 'Not this one.'} {chosen.because}\n{self.said}")


def quiz(lesson: str) -> QuizForm:
    """Return a lab's questions, to be shown by the cell.

    Args:
        lesson: Its name, that of the notebook without the number, e.g. ``"graph_growth"``.

    Raises:
        ChoiceError: If there is no such lesson.
        LabkitError: If it asks nothing.
    """
    questions = load_lesson(lesson).questions
    if not questions:
        raise LabkitError(f"The lesson {lesson!r} has no questions; choose another.")

    def note(number: int, right: bool) -> str:
        kept_in = diary()
        kept_in.note(Done("question", f"{lesson}.{number}", right), time.time())
        return kept_in.warning

    return QuizForm(questions, note)
