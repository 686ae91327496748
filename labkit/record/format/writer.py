"""The writer of a run file: makes lines of a run that can all be read again."""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

from labkit.record.errors import LabkitError
from labkit.record.format import FORMAT_VERSION, schema
from labkit.record.format.checksum import MOST_CHECKSUM, checksum_of
from labkit.record.format.limits import (
    MOST_ENTRIES,
    MOST_EVENTS,
    MOST_LINE_BYTES,
    MOST_NUMBERS,
    MOST_READINGS,
    MOST_WORDS_BYTES,
    MOST_WORKERS,
)
from labkit.record.format.shape import Misfit, finite
from labkit.record.run import Run
from labkit.record.steps import Column, Steps


def run_to_lines(run: Run) -> Iterator[str]:
    """Yield the lines of a saved run, without line ends.

    What a loop prints or raises is made such that it can be read: of a text that is too long the
    middle is left out, half a character is written as an escape, a counter that is not finite as
    not measured.

    Raises:
        LabkitError: If the run is not one that labkit records.
    """
    try:
        yield from _lines(run)
    except Misfit as wrong:
        raise LabkitError(
            f"The run of {run.title!r:.60} cannot be saved: {wrong}; give a run as labkit "
            "records it."
        ) from wrong


def _lines(run: Run) -> Iterator[str]:
    workers = (run.steps, *run.others)
    # A worker that ended before its first step may not have said what it measures.
    names = list(dict.fromkeys(name for steps in workers for name in steps.names))
    _check_size(run, workers, len(names))
    counts = [len(steps) for steps in workers]
    checksum = 0
    longest_end = _end(counts, MOST_CHECKSUM)
    for line in chain(
        _fitting(_words(run, names), len(longest_end) + 1),
        *(_rows(worker, steps, names) for worker, steps in enumerate(workers)),
    ):
        checksum = checksum_of(line, checksum)
        yield line
    yield _end(counts, checksum)


def _end(counts: Sequence[int], checksum: int) -> str:
    return json.dumps({"end": counts, "checksum": checksum})


def _words(run: Run, names: Sequence[str]) -> Iterator[str]:
    yield json.dumps({"labkit": "run", "version": FORMAT_VERSION})
    yield _facts(run, names)
    yield from _events(run)


def _fitting(words: Iterator[str], taken: int) -> Iterator[str]:
    """Yield lines as long as a reader takes them; of its letters some are taken already."""
    for number, line in enumerate(words, start=1):
        letters = len(line) + 1  # with its end
        taken += letters
        if letters > MOST_LINE_BYTES:
            what = "its facts have" if number == 2 else "one of its events has"
            raise Misfit(f"{what} {letters:,} letters where {MOST_LINE_BYTES:,} are the most")
        if taken > MOST_WORDS_BYTES:
            raise Misfit(f"all but its steps has more than {MOST_WORDS_BYTES:,} letters, the most")
        yield line


def _check_size(run: Run, workers: Sequence[Steps], width: int) -> None:
    numbers = width * sum(map(len, workers))
    for count, most, what in (
        (numbers, MOST_NUMBERS, "numbers in its steps"),
        (len(run.events), MOST_EVENTS, "events"),
        (len(workers), MOST_WORKERS, "workers"),
    ):
        if count > most:
            raise Misfit(f"it has {count:,} {what} where {most:,} are the most")


def _facts(run: Run, names: Sequence[str]) -> str:
    values: dict[str, Any] = {
        "cause": run.cause, "title": run.title, "state": asdict(run.state),
        "toggles": dict(run.toggles), "settings": dict(run.settings),
        "environment": dict(run.environment), "evidence": _evidence(run),
        "columns": _columns(run, names), "names": names, "log": run.log,
    }  # fmt: skip
    facts = schema.facts(values, fit=True)
    facts["state"] = asdict(facts["state"])
    facts["columns"] = [asdict(column) for column in facts["columns"]]
    return json.dumps(facts)


def _columns(run: Run, names: Sequence[str]) -> list[dict[str, str]]:
    """Return what is described of what was recorded, each once: a loop may count what labkit does.

    Of a run that has just begun the columns may be known before there are any.
    """
    columns: dict[str, Column] = {}
    for column in run.columns:
        if column.name in names:
            columns.setdefault(column.name, column)
    return [asdict(column) for column in columns.values()]


def _evidence(run: Run) -> dict[str, list[tuple[int, float]]]:
    """Return what was read within the run, in order; where it is too much, every so many.

    Of more names than a file may have those that were read most often are kept: a long program has
    a thousand lines that were met in one look.
    """
    count = len(run.steps)
    often = sorted(run.evidence, key=lambda name: -len(run.evidence[name]))[:MOST_ENTRIES]
    chosen = set(often)
    every = -(-sum(map(len, run.evidence.values())) // MOST_READINGS) or 1
    evidence = {}
    for name, pairs in run.evidence.items():
        if name not in chosen:
            continue
        kept = [(step, value) for step, value in pairs if 0 <= step <= count and finite(value)]
        kept.sort(key=lambda reading: reading[0])
        # From the last backwards: the last is what a diagnosis asks for.
        evidence[name] = kept[::-every][::-1]
    return evidence


def _events(run: Run) -> Iterator[str]:
    before, count = 0, len(run.steps)
    # Two threads may tell of what they saw one after the other, and not in order.
    for recorded in sorted(run.events, key=lambda event: event.step):
        event = schema.event(asdict(recorded), fit=True)
        before = schema.check_step(event.step, before, count, "event")
        yield json.dumps({"event": asdict(event)})


def _rows(worker: int, steps: Steps, names: Sequence[str]) -> Iterator[str]:
    nothing = array("d", [math.nan]) * len(steps)
    columns = [steps.column(name) if name in steps.names else nothing for name in names]
    start, seconds = (names.index(name) for name in schema.CLOCK)
    before = -math.inf
    isfinite, dumps = math.isfinite, json.dumps  # a million times
    for row in zip(*columns, strict=True):
        schema.check_clock(before, row[start], row[seconds])
        before = row[start]
        yield dumps([worker, *(value if isfinite(value) else None for value in row)])
