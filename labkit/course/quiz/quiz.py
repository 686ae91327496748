"""A quiz: questions with choices, each of which says why it is right or wrong, and the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labkit.record import ChoiceError


@dataclass(frozen=True)
class Choice:
    """One answer to choose.

    Args:
        say: The answer.
        because: What a learner who chose it should hear: why it is right, or what it overlooks.
        right: Whether it is the right one.
    """

    say: str
    because: str
    right: bool = False


@dataclass(frozen=True)
class Question:
    """A question of which exactly one choice is right.

    Args:
        ask: The question.
        choices: Two or more.

    Raises:
        ValueError: If not exactly one choice is right, or two say the same.
    """

    ask: str
    choices: tuple[Choice, ...]

    def __post_init__(self) -> None:
        right = sum(choice.right for choice in self.choices)
        if right != 1 or len({choice.say for choice in self.choices}) < max(2, len(self.choices)):
            raise ValueError(
                f"{self.ask!r} has {len(self.choices)} choices of which {right} are right; give "
                "two or more that differ, and exactly one with right = true"
            )

    def choice(self, number: object) -> Choice:
        """Return a choice by its number, counted from 1, or by its words.

        Raises:
            ChoiceError: If there is none.
        """
        for place, choice in enumerate(self.choices, 1):
            if number in (place, choice.say):
                return choice
        raise ChoiceError("choice", number, range(1, len(self.choices) + 1))


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
