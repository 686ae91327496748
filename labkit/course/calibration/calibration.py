"""How well a learner knows what they know, from all predictions kept in this folder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from labkit.course.calibration.score import Calibration
from labkit.course.calibration.score import calibration as calibrate
from labkit.course.lesson import load_prediction
from labkit.course.predictions.diary import Guessed
from labkit.course.predictions.predict import diary, said
from labkit.record import ChoiceError
from labkit.record.plain_text import one_line
from labkit.show.markup import Markup, element, table
from labkit.show.page import Shown, view

if TYPE_CHECKING:
    from labkit.show.charts.picture import Picture

# Fewer say nothing: of four coins, all four show heads every sixteenth time.
FEWEST = 5
TITLES = ("asked", "you said", "measured", "outcome")


@dataclass(frozen=True)
class Calibrated(Shown):
    """A learner's predictions, scored; a notebook shows sentence, picture and table by itself."""

    found: Calibration

    def sentence(self) -> str:
        """Return the score in one or two sentences."""
        count = len(self.found.guessed)
        if not count:
            return "No prediction was scored yet; predict, run, and come back."
        told = f"{count} prediction{'s' * (count != 1)}, {self.found.right} right."
        if count < FEWEST:
            return f"{told} From {FEWEST} on this says how well you know what you know."
        gap = self.found.surer_than_right
        sure = sum(each.guess.sure for each in self.found.guessed) / count
        manner = (
            "overconfident" if gap > 0.1
            else "underconfident" if gap < -0.1
            else "well calibrated"
        )  # fmt: skip
        share = self.found.right / count
        return f"{told} You were {sure:.0f} % sure and right in {share:.0%}: {manner}."

    @cached_property
    def picture(self) -> Picture:
        """How often they were right, for each degree of sureness."""
        from labkit.course.calibration.chart import draw_calibration

        levels = [(level.sure, level.said, level.right) for level in self.found.levels]
        return draw_calibration(levels)

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Return question, prediction, measurement and outcome of each, the oldest first."""
        return [
            (_ask(each), *_answer(each), "right" if each.right else "not right")
            for each in self.found.guessed
        ]

    def lines(self) -> list[str]:
        """Return the score, then a line for each prediction."""
        return [self.sentence(), *("; ".join(row) for row in self.rows())]

    def html(self) -> str:
        """Return sentence, picture and table as a piece of a page."""
        parts = [element("p", element("strong", self.sentence()))]
        if self.found.levels:
            parts.append(Markup(self.picture.as_html()))
            parts.append(table("Every prediction that was scored", TITLES, self.rows(), prose=True))
        return view(*parts)


def calibration() -> Calibrated:
    """Return how the predictions kept in this folder came out, over all notebooks."""
    return Calibrated(calibrate(diary().guessed()))


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
