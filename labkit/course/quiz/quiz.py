"""Questions with choices, each of which says why it is right or wrong."""

from __future__ import annotations

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
