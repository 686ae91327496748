"""The diary: a file of predictions and of what was then measured, a line each.

Lines are only ever added, so a kernel that dies loses nothing, and several notebooks in one folder
share one diary. What cannot be read is passed over: a diary is no reason to stop a lesson. Anybody
can write into the file, so a line counts only if it is one that could have been written here.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.course.predictions.prediction import SURENESS, Answer, Prediction
from labkit.record import LabkitError
from labkit.record.saving.shared_folder import open_to_append

FILE = "labkit-predictions.jsonl"
LONGEST_LINE_BYTES = 20_000  # a prediction takes some hundred
MOST_BYTES = 32_000_000


@dataclass(frozen=True)
class Guess:
    """What somebody predicted.

    Args:
        name: Name of the prediction.
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
        folder: Where the file is, or will be. What cannot be written there is kept for as long as
            this object lives, and is written before whatever is said next.
    """

    def __init__(self, folder: Path) -> None:
        self.file = folder / FILE
        self._unwritten: list[bytes] = []

    @property
    def kept(self) -> bool:
        """Whether all that was said is in the file."""
        return not self._unwritten

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
        waiting, latest = self._waiting(prediction)
        if waiting is None:
            done = [each for each in self.guessed() if each.guess.name == prediction.name]
            return done[-1] if done else None
        if waiting != latest:
            self.guess(waiting)  # a truth belongs to the answer before it, and that is none
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
        for entry in self._entries():
            name = entry["prediction"]
            if "answer" in entry:
                waiting[name] = Guess(name, entry["answer"], entry["sure"], entry["at_seconds"])
                yield waiting[name]
            elif name in waiting:
                yield Guessed(waiting.pop(name), entry["truth"], entry["right"])

    def _entries(self) -> Iterator[dict[str, Any]]:
        try:
            # Who opens a pipe waits for somebody to write into it.
            written = self._last_bytes() if self.file.is_file() else b""
        except OSError:
            written = b""
        for line in [*written.split(b"\n"), *self._unwritten]:
            if len(line) > LONGEST_LINE_BYTES:
                continue
            try:
                entry = json.loads(line.decode("utf-8-sig"))
            except (ValueError, RecursionError):
                continue  # half a line, of a disk that was full; or something else altogether
            if _is_entry(entry):
                yield entry

    def _last_bytes(self) -> bytes:
        """Return the file, or its end: in a shared folder it may be anybody's, of any size."""
        with open(self.file, "rb") as file:
            file.seek(-min(MOST_BYTES, file.seek(0, os.SEEK_END)), os.SEEK_END)
            return file.read(MOST_BYTES)

    def _add(self, entry: Mapping[str, object]) -> None:
        # What waits goes first: the order of the lines says which answer is the latest.
        self._unwritten.append(json.dumps(entry).encode())
        with suppress(OSError):
            while self._unwritten:
                self._write(self._unwritten[0])
                del self._unwritten[0]

    def _write(self, line: bytes) -> None:
        with os.fdopen(open_to_append(self.file), "ab") as file:
            # In front as well: a disk that was full may have left half a line.
            file.write(b"\n" + line + b"\n")


def _is_entry(entry: object) -> bool:
    if not isinstance(entry, dict) or not _is_text(entry.get("prediction")):
        return False
    if "answer" in entry:
        answer, sure = entry["answer"], entry.get("sure")
        fits = _is_text(answer) or _is_number(answer)
        return (
            fits and type(sure) is int and sure in SURENESS and _is_number(entry.get("at_seconds"))
        )
    return _is_text(entry.get("truth")) and isinstance(entry.get("right"), bool)


def _is_text(value: object) -> bool:
    # JSON has an escape for half a character, which no file and no page can hold.
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all that a float holds
        return False


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
    return f"{truth:.3g}" if isinstance(truth, int | float) else " or ".join(truth)
