"""A form: questions with choices or a number, and what stands under each answer.

Predictions and quizzes are both shown as one; what shows it knows nothing of what is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Field:
    """One question of a form.

    Args:
        ask: The question.
        choices: What can be chosen; empty where a number is asked for.
        unit: What the number counts.
        sureness: How sure one can be, in percent; empty where that is not asked.
        shape: Whether the choices are shapes of a curve, which can be drawn as well.
        of_shape: Whether the number is how many times as high that curve ends as it begins.
    """

    ask: str
    choices: tuple[str, ...] = ()
    unit: str = ""
    sureness: tuple[int, ...] = ()
    shape: bool = False
    of_shape: bool = False


@dataclass(frozen=True)
class Told:
    """What stands under a question that was answered.

    Args:
        value: The answer.
        words: What there is to say about it.
        right: Whether it is right; None where that is not known yet.
        sure: How sure they said they were, in percent; None where that is not asked.
        drawn: The curve that was drawn, as multiples of its beginning; empty where none was.
    """

    value: str
    words: str
    right: bool | None = None
    sure: int | None = None
    drawn: tuple[float, ...] = ()


class Form(Protocol):
    """What a form is handed."""

    @property
    def title(self) -> str:
        """Its heading."""

    @property
    def fields(self) -> Sequence[Field]:
        """Its questions."""

    @property
    def button(self) -> str:
        """What hands in all answers together, e.g. ``"Keep"``; empty: each is handed in at once."""

    @property
    def said(self) -> str:
        """One sentence on how far it has come."""

    def answer(self, field: int, value: object, sure: int | None, *, drawn: object = None) -> None:
        """Take an answer; fields are counted from 0.

        Args:
            field: Which question.
            value: The answer.
            sure: How sure they are, in percent.
            drawn: The curve that was drawn, if one was.

        Raises:
            LabkitError: If it is none; the sentence says what would be.
        """

    def told(self, field: int) -> Told | None:
        """Return what to show under a question; None where it was not answered."""
