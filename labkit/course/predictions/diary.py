"""The diary: a file of what a learner did, a line each: predictions and what was then measured,
exercises tried, questions answered.

Several notebooks in one folder share one diary.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from labkit.course.predictions.diary_file import MOST_BYTES, DiaryFile
from labkit.course.predictions.prediction import Answer, Prediction, drawn_curve
from labkit.record import LabkitError
from labkit.record.quantity import quantity

FILE = "labkit-predictions.jsonl"


@dataclass(frozen=True)
class Guess:
    """What somebody predicted.

    Args:
        name: Name of the prediction.
        answer: What was said.
        sure: How sure they were, in percent.
        at_seconds: When, in seconds since 1970.
        drawn: The curve that was drawn, as multiples of its beginning; empty where none was.
    """

    name: str
    answer: Answer
    sure: int
    at_seconds: float
    drawn: tuple[float, ...] = ()


@dataclass(frozen=True)
class Guessed:
    """A prediction that a measurement has scored."""

    guess: Guess
    truth: str
    right: bool


@dataclass(frozen=True)
class Done:
    """An exercise that was tried, or a question that was answered.

    Args:
        kind: Which of the two.
        name: The exercise; or the lesson and the question's number, counted from 1.
        right: Whether the repair, or the answer, was right.
    """

    kind: Literal["exercise", "question"]
    name: str
    right: bool


class Diary:
    """The predictions and other deeds kept in one folder.

    Args:
        folder: Where the file is, or will be. What cannot be written there is kept for as long as
            this object lives, and is written before whatever is said next.
        name: What the file is called.
    """

    def __init__(self, folder: Path, name: str = FILE) -> None:
        self.file = folder / name
        self._lines = DiaryFile(self.file)

    @property
    def kept(self) -> bool:
        """Whether all that was said is in the file."""
        return self._lines.kept

    @property
    def warning(self) -> str:
        """What a learner must know where it is not; empty where it is."""
        lost = f"kept while this kernel lives: {self.file.name} cannot be written"
        return "" if self.kept else lost

    def guess(self, guess: Guess) -> None:
        """Keep a prediction; a later one of the same name counts instead until it is scored."""
        self._lines.add({
            "prediction": guess.name, "answer": guess.answer, "sure": guess.sure,
            "at_seconds": guess.at_seconds, **({"drawn": guess.drawn} if guess.drawn else {}),
        })  # fmt: skip

    def score(
        self, prediction: Prediction, truth: Answer | Sequence[str], at_seconds: float
    ) -> Guessed | None:
        """Score the prediction that waits for this truth; None where none does.

        Only what was said before the truth was known counts. So a guess is scored once, and a cell
        that is run again finds the same answer.

        Args:
            prediction: What was asked.
            truth: What was measured: a number, or the choice or choices it bears out.
            at_seconds: When, in seconds since 1970.
        """
        waiting, latest = self._waiting(prediction)
        if waiting is None:
            done = [each for each in self.guessed() if each.guess.name == prediction.name]
            return done[-1] if done else None
        if waiting != latest:
            self.guess(waiting)  # a truth belongs to the answer before it, and that is none
        found = Guessed(waiting, _told(truth), prediction.right(waiting.answer, truth))
        self._lines.add({
            "prediction": prediction.name, "truth": found.truth, "right": found.right,
            "at_seconds": at_seconds,
        })  # fmt: skip
        return found

    def latest(self, name: str, most_bytes: int = MOST_BYTES) -> Guess | None:
        """Return what was last predicted under a name, scored or not; None where nothing was.

        Args:
            name: Name of the prediction.
            most_bytes: How much of the file's end is read.
        """
        entries = self._lines.newest(name, most_bytes)
        return next((_guess(entry) for entry in entries if "answer" in entry), None)

    def guessed(self) -> tuple[Guessed, ...]:
        """Return every scored prediction, the oldest first."""
        return tuple(each for each in self._walk() if isinstance(each, Guessed))

    def note(self, done: Done, at_seconds: float) -> None:
        """Keep that something was tried or answered.

        Args:
            done: What, and whether it was right.
            at_seconds: When, in seconds since 1970.
        """
        self._lines.add({
            "done": done.kind, "name": done.name, "right": done.right, "at_seconds": at_seconds,
        })  # fmt: skip

    def done(self) -> tuple[Done, ...]:
        """Return all that was tried or answered, the oldest first."""
        return tuple(
            Done(each["done"], each["name"], each["right"])
            for each in self._lines.entries()
            if "done" in each
        )

    def _waiting(self, prediction: Prediction) -> tuple[Guess | None, Guess | None]:
        """Return the latest guess to be scored, and the latest of all; they should be the same."""
        waiting = latest = None
        for each in self._walk():
            if isinstance(each, Guessed):
                if each.guess.name == prediction.name:
                    waiting = latest = None
            elif each.name == prediction.name:
                latest = each
                waiting = each if _answers(each, prediction) else waiting
        return waiting, latest

    def _walk(self) -> Iterator[Guess | Guessed]:
        """Yield each guess, and each again when it was scored, in the order of the file."""
        waiting: dict[str, Guess] = {}
        for entry in self._lines.entries():
            if "done" in entry:
                continue
            name = entry["prediction"]
            if "answer" in entry:
                waiting[name] = _guess(entry)
                yield waiting[name]
            elif name in waiting:
                yield Guessed(waiting.pop(name), entry["truth"], entry["right"])


def _guess(entry: Mapping[str, Any]) -> Guess:
    return Guess(
        entry["prediction"], entry["answer"], entry["sure"], entry["at_seconds"],
        drawn_curve(entry.get("drawn")),
    )  # fmt: skip


def _answers(guess: Guess, prediction: Prediction) -> bool:
    """Tell whether a guess is an answer to this prediction, as it stands in the lesson today."""
    try:
        prediction.read(guess.answer)
    except LabkitError:
        return False
    return True


def _told(truth: Answer | Sequence[str]) -> str:
    if isinstance(truth, str):
        return truth
    return quantity(truth, "") if isinstance(truth, int | float) else " or ".join(truth)
