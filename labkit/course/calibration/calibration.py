"""How well a learner knows what they know, from all predictions kept in this folder.

It compares how often they were right with how sure they were.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from labkit.course.lesson import load_prediction
from labkit.course.predictions.diary import Guessed
from labkit.course.predictions.predict import diary, said
from labkit.course.predictions.prediction import SURENESS
from labkit.record import ChoiceError
from labkit.record.plain_text import one_line
from labkit.show.markup import Markup, element, table
from labkit.show.page import Shown, view

if TYPE_CHECKING:
    from labkit.show.charts.picture import Picture

# Fewer say nothing: of four coins, all four show heads every sixteenth time.
FEWEST = 5
TITLES = ("asked", "you said", "measured", "outcome")


class Level(NamedTuple):
    """All predictions that were made equally sure: in percent, how many, how many of them right."""

    sure: int
    said: int
    right: int


@dataclass(frozen=True)
class Calibration(Shown):
    """A learner's predictions, scored; a notebook shows sentence, picture and table by itself.

    Args:
        guessed: The predictions that count: of each question the first that was scored.
    """

    guessed: tuple[Guessed, ...]

    @property
    def right(self) -> int:
        """How many were right."""
        return sum(each.right for each in self.guessed)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The predictions, counted for each degree of sureness."""
        return tuple(
            Level(sure, len(rights), sum(rights))
            for sure in SURENESS
            if (rights := [each.right for each in self.guessed if each.guess.sure == sure])
        )

    def sentence(self) -> str:
        """Return the score in one or two sentences."""
        count = len(self.guessed)
        if not count:
            return "No prediction was scored yet; predict, run, and come back."
        told = f"{count} prediction{'s' * (count != 1)}, {self.right} right."
        if count < FEWEST:
            return f"{told} From {FEWEST} on this says how well you know what you know."
        sure = sum(each.guess.sure for each in self.guessed) / count
        share = self.right / count
        surer = sure / 100 - share
        manner = (
            "overconfident" if surer > 0.1
            else "underconfident" if surer < -0.1
            else "well calibrated"
        )  # fmt: skip
        return f"{told} You were {sure:.0f} % sure and right in {share:.0%}: {manner}."

    @cached_property
    def picture(self) -> Picture:
        """How often they were right, for each degree of sureness."""
        from labkit.course.calibration.chart import draw_calibration

        return draw_calibration(self.levels)

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Return question, prediction, measurement and outcome of each, the oldest first."""
        return [
            (_ask(each), *_answer(each), "right" if each.right else "not right")
            for each in self.guessed
        ]

    def lines(self) -> list[str]:
        """Return the score, then a line for each prediction."""
        return [self.sentence(), *("; ".join(row) for row in self.rows())]

    def html(self) -> str:
        """Return sentence, picture and table as a piece of a page."""
        parts = [element("p", element("strong", self.sentence()))]
        if self.levels:
            parts.append(Markup(self.picture.as_html()))
            parts.append(table("Every prediction that was scored", TITLES, self.rows(), prose=True))
        return view(*parts)


def calibration() -> Calibration:
    """Return how the predictions kept in this folder came out, over all notebooks."""
    return calibrate(diary().guessed())


def calibrate(guessed: Iterable[Guessed]) -> Calibration:
    """Score predictions.

    Args:
        guessed: The oldest first; of each question only the first counts, for whoever predicts the
            same again has seen the answer.
    """
    first: dict[str, Guessed] = {}
    for each in guessed:
        first.setdefault(each.guess.name, each)
    return Calibration(tuple(first.values()))


def _ask(each: Guessed) -> str:
    try:
        return load_prediction(each.guess.name).ask
    except ChoiceError:
        return one_line(each.guess.name)  # of a lesson that has changed since


def _answer(each: Guessed) -> tuple[str, str]:
    truth = one_line(each.truth)
    try:
        return said(load_prediction(each.guess.name), each.guess), truth
    except ChoiceError:
        return one_line(f"{each.guess.answer}, {each.guess.sure} % sure"), truth
