"""What a step of a script is, in words: which loop's turn, and where that stands."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from labkit.record import Diagnosis
from labkit.record.loop import SourceLoop
from labkit.record.plain_text import one_line
from labkit.record.proof import TracedAnew
from labkit.record.source_line import SourceLine

MOST_CODE = 60
FIT = re.compile(r"([A-Za-z_][\w.]*)\.fit\s*\(")
WHOLE = {"fit": "batch", "epoch": "epoch"}


def step_words(loop: SourceLoop) -> str:
    """Return what one step is, as in ``one batch of model.fit, train.py:61``."""
    place = f"{os.path.basename(loop.file)}:{loop.line}"
    if loop.kind in WHOLE:
        called = FIT.search(loop.code)
        of = f"{called[1]}.fit" if called else "Keras's fit"
        return f"one {WHOLE[loop.kind]} of {of}, {place}"
    return f"one turn of  {one_line(loop.code, MOST_CODE)}  {place}"


def line_words(line: SourceLine) -> str:
    """Return where a line stands and what it says, as in ``train.py:38   loss = step(batch)``."""
    place = f"{os.path.basename(line.file)}:{line.line}"
    return f"{place}   {one_line(line.code, MOST_CODE)}".rstrip()


NEW = {
    "value": "`{argument}` was a Python value, another one each time ({was}, then {now})",
    "shape": "`{argument}` had a new shape ({was}, then {now})",
    "dtype": "`{argument}` had a new type ({was}, then {now})",
    "object": "`{argument}` was a new object each time",
    "first": "the function itself was made anew each time",
    "other": "its arguments were new in some other way",
}


def traced_words(traced: TracedAnew) -> str:
    """Return what was new at each trace, in a sentence."""
    names = {
        name: one_line(getattr(traced, name), MOST_CODE) for name in ("argument", "was", "now")
    }
    times = f"{one_line(traced.function, MOST_CODE)} was traced {traced.times:,} times"
    return f"{times}: {NEW[traced.reason].format(**names)}."


def loop_line(loop: SourceLoop, entries: int) -> str:
    """Return the line that says what a step is, and how often its loop was begun."""
    times = f", begun {entries:,} times" if entries > 1 else ""
    return f"a step is {step_words(loop)}{times}"


def loop_titles(diagnoses: Sequence[Diagnosis]) -> tuple[str, ...]:
    """Return what the loops of one script are called; empty where they are of several runs."""
    places = [
        f"Loop at {os.path.basename(each.loop.file)}:{each.loop.line}"
        for each in diagnoses
        if each.loop is not None
    ]
    scripts = {each.run.title for each in diagnoses}
    one = len(scripts) == 1 and len(set(places)) == len(diagnoses)
    return tuple(map(one_line, places)) if one else ()
