"""How well a learner knows what they know, from all predictions kept in this folder.

It compares how often they were right with how sure they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
        return _draw(self.levels)

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Return question, prediction, measurement and outcome of each, the oldest first."""
        return [_row(each) for each in self.guessed]

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


def _row(each: Guessed) -> tuple[str, str, str, str]:
    guess = each.guess
    try:
        asked = load_prediction(guess.name)
        ask, answer = asked.ask, said(asked, guess)
    except ChoiceError:  # of a lesson that has changed since
        ask, answer = one_line(guess.name), one_line(f"{guess.answer}, {guess.sure} % sure")
    return ask, answer, one_line(each.truth), "right" if each.right else "not right"


def _draw(levels: Sequence[Level]) -> Picture:
    """Draw a bar for each degree of sureness, with its 95 % interval, beside what it should be."""
    import matplotlib
    from matplotlib.figure import Figure
    from scipy.stats import binomtest

    from labkit.show.charts.picture import COLOURS, STYLE, rendered

    with matplotlib.rc_context(STYLE):
        height = 1.8 + 0.55 * len(levels)
        figure = Figure(figsize=(7.2, height), layout="constrained", facecolor="white")
        axes = figure.subplots()
        for row, (sure, said, right) in enumerate(levels):
            interval = binomtest(right, said).proportion_ci(method="wilson")
            axes.barh(row, right / said, height=0.55, color=COLOURS[0], alpha=0.75)
            axes.plot([interval.low, interval.high], [row, row], color="#1b1f24", lw=1.4)
            axes.plot([sure / 100] * 2, [row - 0.42, row + 0.42], color=COLOURS[1], lw=3)
        axes.set_yticks(
            range(len(levels)),
            [f"{sure} % sure: {right} of {said}" for sure, said, right in levels],
        )
        axes.set_xlim(0, 1)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        axes.grid(axis="y", visible=False)
        axes.set_xlabel(
            "share that was right, with its 95 % interval\nupright bar: how sure you were"
        )
        figure.suptitle("How well you know what you know", x=0.01, ha="left", fontweight="bold")
        told = (f"when {sure} % sure, {right} of {said} right" for sure, said, right in levels)
        return rendered(figure, f"Predictions: {'; '.join(told)}.")
