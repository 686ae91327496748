"""How well a learner knows what they know: how often they were right, beside how sure they were.

Scored as weather forecasts are: Brier, "Verification of forecasts expressed in terms of
probability", Monthly Weather Review 78 (1950).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labkit.course.predictions.diary import Guessed
from labkit.course.predictions.prediction import SURENESS


@dataclass(frozen=True)
class Level:
    """All predictions that were made equally sure.

    Args:
        sure: In percent.
        said: How many there were.
        right: How many of them were right.
    """

    sure: int
    said: int
    right: int


@dataclass(frozen=True)
class Calibration:
    """What a learner's predictions say of the learner.

    Args:
        guessed: The predictions that count: of each question the first that was scored.
        levels: The same, counted for each degree of sureness.
        brier: The mean squared distance between how sure they were (0 to 1) and what came of it
            (1 or 0); 0 is best, and who says 50 % every time gets 0.25. None without predictions.
    """

    guessed: tuple[Guessed, ...]
    levels: tuple[Level, ...]
    brier: float | None

    @property
    def right(self) -> int:
        """How many were right."""
        return sum(each.right for each in self.guessed)

    @property
    def surer_than_right(self) -> float:
        """How much surer they were, on average, than they were right; from -1 to 1."""
        if not self.guessed:
            return 0.0
        return sum(each.guess.sure / 100 - each.right for each in self.guessed) / len(self.guessed)


def calibration(guessed: Sequence[Guessed]) -> Calibration:
    """Return what scored predictions say of the one who made them.

    Args:
        guessed: The oldest first; of each question only the first counts, for whoever predicts the
            same again has seen the answer.
    """
    first: dict[str, Guessed] = {}
    for each in guessed:
        first.setdefault(each.guess.name, each)
    counted = tuple(first.values())
    levels = tuple(
        Level(sure, len(found), sum(each.right for each in found))
        for sure in SURENESS
        if (found := [each for each in counted if each.guess.sure == sure])
    )
    squares = [(each.guess.sure / 100 - each.right) ** 2 for each in counted]
    return Calibration(counted, levels, sum(squares) / len(squares) if squares else None)
