"""A quiz: the questions at the end of a lab, and what was answered so far."""

from __future__ import annotations

from collections.abc import Sequence

from labkit.course.question import Choice, Question
from labkit.record import ChoiceError


class Quiz:
    """Some questions and a learner's answers.

    A question may be answered again; the score counts the first answer to each.

    Args:
        questions: At least one.
    """

    def __init__(self, questions: Sequence[Question]) -> None:
        self.questions = tuple(questions)
        self._first: dict[int, Choice] = {}
        self._latest: dict[int, Choice] = {}

    def answer(self, question: int, choice: object) -> Choice:
        """Answer a question.

        Args:
            question: Its number, counted from 1.
            choice: The choice's number, counted from 1, or its words.

        Returns:
            The choice, with what there is to say about it.

        Raises:
            ChoiceError: If there is no such question or choice.
        """
        if question not in range(1, len(self.questions) + 1):
            raise ChoiceError("question", question, range(1, len(self.questions) + 1))
        chosen = self.questions[question - 1].choice(choice)
        self._first.setdefault(question, chosen)
        self._latest[question] = chosen
        return chosen

    def latest(self, question: int) -> Choice | None:
        """Return what was answered last; None where nothing was."""
        return self._latest.get(question)

    @property
    def answered(self) -> int:
        """How many questions were answered."""
        return len(self._first)

    @property
    def right_at_first(self) -> int:
        """How many questions were answered rightly at the first try."""
        return sum(choice.right for choice in self._first.values())
