"""Predictions: asked before a run, kept, and scored by what the run then shows."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from functools import cache

from labkit.causes import SLUGS, load
from labkit.course.form import Asked
from labkit.course.lesson import load_prediction
from labkit.course.predictions.diary import FILE, Diary, Guess
from labkit.course.predictions.flip import FLIPS, after_flip
from labkit.course.predictions.prediction import (
    RISING,
    SURENESS,
    Prediction,
    drawn_curve,
    shapes_of,
)
from labkit.lab import verdicts
from labkit.lab.lab import Lab
from labkit.record import ChoiceError, LabkitError, Run, Verdict
from labkit.record.plain_text import one_line
from labkit.record.quantity import quantity
from labkit.record.saving.default_folder import default_folder
from labkit.show.form import Field, Told

# A factor of two to either side: such an interval cannot tell a flat curve from a steep one.
WIDEST = 4.0
UNDECIDED = "times too uncertain to tell a flat curve from a steep one"


def diary() -> Diary:
    """Return this kernel's diary: of the folder it was in when it first asked, the notebooks'."""
    return diary_of(os.getpid())


@cache
def diary_of(_process_id: int) -> Diary:
    """Return the diary of a process.

    One a kernel: where the folder cannot be written, it alone knows what was said. And a cell that
    changes the folder would leave behind what was predicted before it.
    """
    return Diary(default_folder())


class Predictions(Asked):
    """Some predictions to make; a notebook shows them as a form.

    Args:
        asked: What is asked.
        diary: Keeps the answers.
    """

    title = "Your prediction"
    button = "Keep my prediction"

    def __init__(self, asked: Sequence[Prediction], diary: Diary) -> None:
        self._asked = tuple(asked)
        self._diary = diary

    @property
    def fields(self) -> Sequence[Field]:
        return [
            Field(each.ask, each.choices, each.measure, SURENESS, each.is_shape, each.is_of_shape)
            for each in self._asked
        ]

    @property
    def said(self) -> str:
        kept = sum(self._diary.latest(each.name) is not None for each in self._asked)
        if not kept:
            return ""
        where = self._diary.warning or f"kept in {FILE}"
        return f"{kept} of {len(self._asked)} {where}"

    @property
    def drawn(self) -> tuple[float, ...]:
        """The curve that was drawn last, as multiples of its beginning; empty where none was."""
        names = [each.name for each in self._asked if each.is_shape]
        found = map(self._diary.latest, reversed(names))
        return next((guess.drawn for guess in found if guess is not None and guess.drawn), ())

    def answer(self, field: int, value: object, sure: int | None, *, drawn: object = None) -> None:
        """Keep an answer, and the curve that was drawn with it.

        Raises:
            LabkitError: If it is none, or it is not said how sure one is.
        """
        asked = self._asked[field]
        if sure not in SURENESS:
            raise ChoiceError("confidence in percent", sure, SURENESS)
        curve = drawn_curve(drawn) if asked.is_shape else ()
        self._diary.guess(Guess(asked.name, asked.read(value), sure, time.time(), curve))

    def told(self, field: int) -> Told | None:
        asked = self._asked[field]
        guess = self._diary.latest(asked.name)
        if guess is None:
            return None
        value = guess.answer if isinstance(guess.answer, str) else f"{guess.answer:g}"
        return Told(value, f"You said {said(asked, guess)}.", None, guess.sure, guess.drawn)

    def __str__(self) -> str:
        lines = []
        for asked in self._asked:
            lines += [asked.ask, *(f"  {choice}" for choice in asked.choices or [asked.measure])]
            example = asked.choices[0] if asked.choices else 3
            lines.append(f"  answer with  lk.predict({asked.name!r}, answer={example!r}, sure=70)")
        return "\n".join(lines)


def predict(*names: str, answer: object = None, sure: int | None = None) -> Predictions | None:
    """Ask for predictions, or make one in code.

    Args:
        names: Names of the predictions, e.g. ``"graph_growth.shape"``.
        answer: What is predicted, where the form cannot be used; then give one name.
        sure: How sure you are of it: 50, 70 or 90 percent.

    Returns:
        The form; nothing where `answer` was given.

    Raises:
        ChoiceError: If there is no such prediction, or the answer is not one of its choices.
        LabkitError: If no name is given, or several with one answer.
    """
    asked = [load_prediction(name) for name in names]
    if not asked or (answer is not None and len(asked) > 1):
        raise LabkitError(
            f"lk.predict was given {len(asked)} names; give at least one, and with an answer "
            "exactly one."
        )
    form = Predictions(asked, diary())
    if answer is None:
        return form
    form.answer(0, answer, sure)
    told = form.told(0)
    assert told is not None
    print(told.words)
    return None


def reveal(name: str, measured: Lab | Run | float | str | Sequence[str]) -> None:
    """Score a prediction and print what was said and what was measured.

    Args:
        name: Name of the prediction.
        measured: A run, whose verdict tells the shape, how many times as long a step takes at its
            end, or what a flip did; a lab for the run in its panel. Else the number, or the choice
            or choices that the measurement bears out.

    Raises:
        ChoiceError: If there is no such prediction, or `measured` is not one of its choices.
    """
    asked = load_prediction(name)
    if isinstance(measured, Lab):
        if measured.player.current is None:
            print("Nothing was run in this panel yet; press Run, flip the toggle, run this cell.")
            return
        measured = measured.run
    truth, words = _truth(asked, measured)
    if truth is None:
        print(f"Measured: {words}. That does not decide it, so your prediction stays open.")
        return
    book = diary()
    was_scored = {each.guess for each in book.guessed()}
    scored = book.score(asked, truth, time.time())
    if scored is None:
        print(f"You made no prediction here. Measured: {words}.")
        return
    outcome = f"{'Right' if scored.right else 'Not right'}{asked.counted(truth)}."
    if scored.guess in was_scored:
        outcome = f"When it was scored first, that was {'right' if scored.right else 'not right'}."
    print(f"You said {said(asked, scored.guess)}. Measured: {words}. {outcome}")


def said(asked: Prediction, guess: Guess) -> str:
    """Return a prediction in words, e.g. ``ramp, 70 % sure``."""
    answer = guess.answer if isinstance(guess.answer, str) else f"{guess.answer:g} {asked.unit}"
    return one_line(f"{answer.strip()}, {guess.sure} % sure")


def _truth(
    asked: Prediction, measured: Run | float | str | Sequence[str]
) -> tuple[float | str | Sequence[str] | None, str]:
    """Return what is true, and the same in words; None where the measurement does not decide."""
    if isinstance(measured, Run):
        if asked.choices == FLIPS:
            return after_flip(measured)
        return _shape(measured) if asked.is_shape else _factor(asked, measured)
    if asked.choices:
        truth = (measured,) if isinstance(measured, str) else tuple(map(str, measured))  # type: ignore[arg-type]
        for each in truth:
            asked.read(each)
        return truth, " or ".join(truth)
    number = float(measured)  # type: ignore[arg-type]
    return (number if number > 0 else None), _in_words(number, asked)


def _in_words(number: float, asked: Prediction) -> str:
    return f"{quantity(number, '')} {asked.unit}".strip()


def _shape(run: Run) -> tuple[tuple[str, ...] | None, str]:
    verdict = verdicts.verdict(run)
    if open_because := _undecided(verdict):
        return None, open_because
    label = verdict.label
    shapes = shapes_of(label)
    if label == "spikes" and verdict.spike_period is None:
        shapes = ("flat", *shapes)  # stray ones, as on any computer that does other things too
    if not shapes:
        return None, label.replace("_", " ")
    known = load(run.cause).expectation.shape if run.cause in SLUGS else ""
    if {known, *shapes} <= RISING:
        # A steep ramp that bends is called a shift on some machines, and nobody has seen stairs.
        shapes = tuple(dict.fromkeys([known, *shapes]))
    named = shapes[0] if shapes == (label,) else f"{label}, so {' or '.join(shapes)}"
    return shapes, named


def _factor(asked: Prediction, run: Run) -> tuple[float | None, str]:
    verdict = verdicts.verdict(run)
    growth = verdict.growth
    if growth is None:
        return None, "too few steps to say"
    if open_because := _undecided(verdict):
        return None, open_because
    return 1 + growth, _in_words(1 + growth, asked)


def _undecided(verdict: Verdict) -> str:
    """Return why a verdict decides nothing; empty where it does.

    One without a change may leave open that the steps halved or doubled; and a change may be no
    more than what other programs took, where the correction for that came too short.
    """
    if verdict.low is None or verdict.high is None:
        return ""
    if verdict.label in ("flat", "warmup"):
        return UNDECIDED if 1 + verdict.high >= WIDEST * (1 + verdict.low) else ""
    factor, share = 1 + (verdict.growth or 0.0), verdict.contended_share or 0.0
    if verdict.slower and factor * (1 - share) < 1:
        return f"{factor:.3g} times, and other programs took {share:.0%} of the time"
    return ""
