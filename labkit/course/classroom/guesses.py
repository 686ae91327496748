"""The curves that a class has drawn before its runs, from the diaries in its folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from labkit.causes import SLUGS, load
from labkit.course.lesson import LESSONS, load_lesson
from labkit.course.predictions.diary import FILE, Diary
from labkit.record.file import run_files
from labkit.record.plain_text import one_line

# "within 30 % is right": of how many times as long a step takes at the end.
RIGHT_PERCENT = 30
MOST_GUESSES = 200
# Five hundred curves that were drawn; who did the whole course has a hundredth of it.
MOST_DIARY_BYTES = 1_000_000
TOO_LARGE = (
    "{} has {:,.0f} MB, and a diary has {:,.0f} at most: only its end was read; ask its owner for "
    "another copy."
)
TOO_MANY = "There are {:,} diaries, and a picture shows {}: the others were not read."

Curve = tuple[float, ...]


def is_diary(file: Path) -> bool:
    """Tell whether a file is a learner's diary, by its name: ``labkit-predictions*.jsonl``, too."""
    return Path(FILE).stem in file.name


def guessed_curves(sources: Sequence[str | os.PathLike[str]], cause: str) -> tuple[Curve, ...]:
    """Return the curve that each diary's learner drew last for a cause.

    Args:
        sources: Files, or folders of them.
        cause: Its slug; of another loop nothing was asked.
    """
    names = _asked(cause)
    found = []
    for file in _diaries(sources):
        diary = Diary(file.parent, file.name)
        latest = (diary.latest(name, MOST_DIARY_BYTES) for name in names)
        guesses = [guess for guess in latest if guess and guess.drawn]
        found += [guess.drawn for guess in guesses[-1:]]
    return tuple(found)


def not_read(sources: Sequence[str | os.PathLike[str]]) -> list[str]:
    """Say of each diary that is too large to be one that it was not read whole, and of too many.

    Args:
        sources: Files, or folders of them.
    """
    count = sum(map(is_diary, _files(sources)))
    said = [TOO_MANY.format(count, MOST_GUESSES)] if count > MOST_GUESSES else []
    for file in _diaries(sources):
        with suppress(OSError):  # it was removed meanwhile
            if (size := file.stat().st_size) > MOST_DIARY_BYTES:
                name = one_line(file.name)
                said.append(TOO_LARGE.format(name, size / 1e6, MOST_DIARY_BYTES / 1e6))
    return said


def _diaries(sources: Sequence[str | os.PathLike[str]]) -> list[Path]:
    return [file for file in _files(sources) if is_diary(file)][:MOST_GUESSES]


def _files(sources: Sequence[str | os.PathLike[str]]) -> Iterator[Path]:
    for source in sources:
        yield from run_files(source)


def how_right(guesses: Sequence[Curve], factor: float) -> str:
    """Say in a sentence how many of the guesses end where the class's median run does.

    Args:
        guesses: At least one.
        factor: How many times as long a step of that run takes at the end.
    """
    right = sum(abs(guess[-1] / factor - 1) <= RIGHT_PERCENT / 100 for guess in guesses)
    drawn = "1 guess was" if len(guesses) == 1 else f"{len(guesses)} guesses were"
    near = f"within {RIGHT_PERCENT} % of the median run's end"
    return f"{drawn} drawn (dotted); {right} {near}."


def _asked(cause: str) -> tuple[str, ...]:
    """Return the names of the predictions of a cause's curve."""
    lesson = Path(load(cause).notebook).stem.partition("_")[2] if cause in SLUGS else ""
    if lesson not in LESSONS:
        return ()
    return tuple(each.name for each in load_lesson(lesson).predictions if each.is_shape)
