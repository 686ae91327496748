"""The words of a lesson: what is asked before its runs, and what after them.

A lesson is a file ``lessons/NAME.toml``; NAME is that of its notebook without the number.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from labkit.course.predictions.flip import FLIPS
from labkit.course.predictions.prediction import SHAPES, Prediction
from labkit.record import ChoiceError

LESSONS: tuple[str, ...] = (
    "read_the_curve",
    "graph_growth",
    "retracing",
    "open_tape",
    "fragmentation",
    "garbage",
    "checkpoint_io",
    "session_reuse",
    "input",
    "memory",
    "full_memory",
    "two_workers",
    "observer",
    "remedies",
    "your_own_loop",
    "mystery",
    "claims",
)


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


@dataclass(frozen=True)
class Lesson:
    """What one notebook asks.

    Args:
        name: Of the notebook, without its number.
        predictions: What is asked before its runs.
        questions: What is asked at its end.
    """

    name: str
    predictions: tuple[Prediction, ...]
    questions: tuple[Question, ...]


def load_lesson(name: str) -> Lesson:
    """Return a lesson by its name.

    Raises:
        ChoiceError: If there is none of that name; the sentence lists them.
    """
    if name not in LESSONS:
        raise ChoiceError("lesson", name, LESSONS)
    file = resources.files("labkit.course").joinpath("lessons", f"{name}.toml")
    return read_lesson(name, tomllib.loads(file.read_text("utf-8")))


def read_lesson(name: str, facts: Mapping[str, Any]) -> Lesson:
    """Return a lesson from what its file says.

    Args:
        name: Of the lesson.
        facts: ``prediction`` and ``question``, each a list of tables.

    Raises:
        ValueError: If a table says too little or too much.
    """
    unknown = facts.keys() - {"prediction", "question"}
    if unknown:
        raise ValueError(f"lesson {name}: {sorted(unknown)} is neither prediction nor question")
    predictions = tuple(_prediction(name, each) for each in facts.get("prediction", ()))
    if len({each.name for each in predictions}) < len(predictions):
        raise ValueError(f"lesson {name}: two predictions have one name")
    questions = tuple(
        Question(each["ask"], tuple(Choice(**choice) for choice in each["choice"]))
        for each in facts.get("question", ())
    )
    return Lesson(name, predictions, questions)


def _prediction(lesson: str, facts: Mapping[str, Any]) -> Prediction:
    unknown = facts.keys() - {"name", "ask", "shape", "flip", "choices", "unit", "within"}
    kinds = facts.keys() & {"shape", "flip", "choices", "unit"}
    if unknown or len(kinds) != 1 or not facts.get("ask") or not facts.get("name"):
        raise ValueError(
            f"lesson {lesson}: a prediction has a name, an ask, and one of shape, flip, choices or "
            f"unit; this one has {sorted(facts)}"
        )
    choices = tuple(facts.get("choices", ()))
    if facts.get("shape") or facts.get("flip"):
        choices = SHAPES if facts.get("shape") else FLIPS
    return Prediction(
        name=f"{lesson}.{facts['name']}",
        ask=facts["ask"],
        choices=choices,
        unit=facts.get("unit", ""),
        within=facts.get("within", 1.5),
    )


def load_prediction(name: str) -> Prediction:
    """Return a prediction by its whole name, e.g. ``"graph_growth.shape"``.

    Raises:
        ChoiceError: If there is none of that name; the sentence lists those there are.
    """
    lesson = load_lesson(name.partition(".")[0])
    for each in lesson.predictions:
        if each.name == name:
            return each
    raise ChoiceError("prediction", name, (each.name for each in lesson.predictions))
