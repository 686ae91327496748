"""The diary: a file of predictions and of what was then measured, a line each.

Lines are only ever added, so a kernel that dies loses nothing, and several notebooks in one folder
share one diary. What cannot be read is passed over: a diary is no reason to stop a lesson.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.course.prediction import Answer, Prediction

FILE = "labkit-predictions.jsonl"


@dataclass(frozen=True)
class Guess:
    """What somebody predicted.

    Args:
        name: Of the prediction.
        answer: What was said.
        sure: How sure they were, in percent.
        at_seconds: When, in seconds since 1970.
    """

    name: str
    answer: Answer
    sure: int
    at_seconds: float


@dataclass(frozen=True)
class Guessed:
    """A prediction that a measurement has scored."""

    guess: Guess
    truth: str
    right: bool


class Diary:
    """The predictions kept in one folder.

    Args:
        folder: Where the file is, or will be. Where it cannot be written, what is said is kept for
            as long as this object lives, and `kept` is False.
    """

    def __init__(self, folder: Path) -> None:
        self.file = folder / FILE
        self.kept = True
        self._unwritten: list[str] = []

    def guess(self, guess: Guess) -> None:
        """Keep a prediction; a later one of the same name counts instead until it is scored."""
        self._add({
            "prediction": guess.name, "answer": guess.answer, "sure": guess.sure,
            "at_seconds": guess.at_seconds,
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
        waiting = self._waiting().get(prediction.name)
        if waiting is None:
            done = [each for each in self.guessed() if each.guess.name == prediction.name]
            return done[-1] if done else None
        found = Guessed(waiting, _told(truth), prediction.right(waiting.answer, truth))
        self._add({
            "prediction": prediction.name, "truth": found.truth, "right": found.right,
            "at_seconds": at_seconds,
        })  # fmt: skip
        return found

    def latest(self, name: str) -> Guess | None:
        """Return what was last predicted under a name, scored or not; None where nothing was."""
        found = None
        for each in self._walk():
            if isinstance(each, Guess) and each.name == name:
                found = each
        return found

    def guessed(self) -> tuple[Guessed, ...]:
        """Return every scored prediction, the oldest first."""
        return tuple(each for each in self._walk() if isinstance(each, Guessed))

    def _waiting(self) -> dict[str, Guess]:
        waiting: dict[str, Guess] = {}
        for each in self._walk():
            if isinstance(each, Guessed):
                waiting.pop(each.guess.name, None)
            else:
                waiting[each.name] = each
        return waiting

    def _walk(self) -> Iterator[Guess | Guessed]:
        """Yield each guess, and each again when it was scored, in the order of the file."""
        waiting: dict[str, Guess] = {}
        for entry in self._entries():
            name = entry["prediction"]
            if "answer" in entry:
                waiting[name] = Guess(name, entry["answer"], entry["sure"], entry["at_seconds"])
                yield waiting[name]
            elif name in waiting:
                yield Guessed(waiting.pop(name), entry["truth"], entry["right"])

    def _entries(self) -> Iterator[dict[str, Any]]:
        try:
            lines = self.file.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            lines = []
        for line in [*lines, *self._unwritten]:
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # half a line, of a disk that was full
            if _is_entry(entry):
                yield entry

    def _add(self, entry: Mapping[str, object]) -> None:
        line = json.dumps(entry)
        try:
            with self.file.open("ab") as file:
                # In front as well: a disk that was full may have left half a line.
                file.write(f"\n{line}\n".encode())
        except OSError:
            self.kept = False
            self._unwritten.append(line)


def _is_entry(entry: object) -> bool:
    if not isinstance(entry, dict) or not isinstance(entry.get("prediction"), str):
        return False
    guess = {"answer", "sure", "at_seconds"} <= entry.keys()
    return guess or {"truth", "right"} <= entry.keys()


def _told(truth: Answer | Sequence[str]) -> str:
    if isinstance(truth, str):
        return truth
    return f"{truth:.3g}" if isinstance(truth, int | float) else " or ".join(truth)
