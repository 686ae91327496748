"""The file format of a saved run: readable JSON lines, compressed where the name ends in ``.gz``.

Line 1 says what the file is and its version; then one line of facts, one line an event, one line a
step (numbers in the order of the declared columns), the same for further workers, and a last line
that says how many steps there must be, so that a torn file is noticed.

Format history:
    1: first version.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from labkit.record.columns import Column
from labkit.record.errors import LabkitError, RunFileError
from labkit.record.run import STATES, Event, Run, State
from labkit.record.steps import Steps
from labkit.record.whole_file import write_whole

FORMAT_VERSION = 1
COMPRESS_FROM_STEPS = 20_000


def save_run(run: Run, path: str | os.PathLike[str]) -> Path:
    """Write a run to a file, whole or not at all.

    Args:
        run: What to save.
        path: Where. A run of 20,000 steps or more is compressed, and ``.gz`` added to its name.

    Returns:
        The file that was written.

    Raises:
        LabkitError: If the file cannot be written there; the run itself is untouched.
    """
    target = Path(path)
    if len(run.steps) >= COMPRESS_FROM_STEPS and target.suffix != ".gz":
        target = target.with_name(target.name + ".gz")
    text = "".join(line + "\n" for line in run_to_lines(run)).encode()
    if target.suffix == ".gz":
        text = gzip.compress(text)
    write_whole(target, text, "The run")
    return target


def load_run(path: str | os.PathLike[str]) -> Run:
    """Read a saved run.

    Raises:
        RunFileError: If the file cannot be read; the sentence says which line is wrong.
    """
    name = Path(path).name
    try:
        raw = Path(path).read_bytes()
        if raw[:2] == b"\x1f\x8b":
            raw = gzip.decompress(raw)
        text = raw.decode()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RunFileError(
            f"{name} cannot be read ({reason}); give a file that labkit saved."
        ) from error
    return run_from_lines(text.splitlines(), name)


def run_to_lines(run: Run) -> Iterator[str]:
    """Yield the lines of a saved run, without line ends."""
    names = run.steps.names
    yield json.dumps({"labkit": "run", "version": FORMAT_VERSION})
    yield json.dumps(
        {
            "cause": run.cause, "title": run.title, "state": asdict(run.state),
            "toggles": dict(run.toggles), "settings": dict(run.settings),
            "environment": dict(run.environment), "evidence": dict(run.evidence),
            "columns": [asdict(column) for column in run.columns], "names": names, "log": run.log,
        }
    )  # fmt: skip
    for event in run.events:
        yield json.dumps({"event": asdict(event)})
    for worker, steps in enumerate((run.steps, *run.others)):
        for row in zip(*(steps.column(name) for name in steps.names), strict=True):
            numbers = [None if math.isnan(value) else value for value in row]
            yield json.dumps([worker, *numbers])
    yield json.dumps({"end": [len(steps) for steps in (run.steps, *run.others)]})


def run_from_lines(lines: Iterable[str], name: str = "the run") -> Run:
    """Build a run from the lines of a saved one.

    Args:
        lines: The lines, without line ends.
        name: The file's name, for errors.

    Raises:
        RunFileError: If a line is wrong; the sentence says which and what was expected.
    """
    reader = _Reader(name)
    for number, line in enumerate(lines, start=1):
        try:
            reader.take(number, json.loads(line))
        except (
            ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError,
            LabkitError,
        ) as error:  # fmt: skip
            if isinstance(error, RunFileError):
                raise
            raise RunFileError(
                f"{name}, line {number}, is damaged ({type(error).__name__}: {error}); "
                "use another copy of the file."
            ) from error
    return reader.run()


class _Reader:
    """Takes the lines of a run file one after the other and keeps what they say."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._line = 0
        self._facts: dict[str, Any] = {}
        self._events: list[Event] = []
        self._event_lines: list[int] = []
        self._rows: dict[int, list[list[float]]] = {}
        self._workers = 0  # said by the end line

    def take(self, number: int, value: object) -> None:
        self._line = number
        if self._workers:
            raise ValueError("it comes after the end line")
        if number == 1:
            self._check_format(value)
        elif number == 2:
            self._facts = self._check_facts(cast("dict[str, Any]", value))
        elif isinstance(value, list):
            self._take_row(value)
        elif isinstance(value, dict) and "event" in value:
            self._events.append(self._check_event(Event(**value["event"])))
            self._event_lines.append(number)
        elif isinstance(value, dict) and "end" in value:
            self._take_end(value["end"])
        else:
            raise ValueError("it is no step, event or end line")

    def _check_format(self, value: object) -> None:
        if not isinstance(value, dict) or value.get("labkit") != "run":
            raise RunFileError(
                f"{self._name}, line 1, does not say that this is a labkit run; "
                "give a file that labkit saved."
            )
        version = value.get("version")
        if type(version) is not int or version < 1:
            raise ValueError(f"version {version!r} is no whole number from 1")
        if version > FORMAT_VERSION:
            raise RunFileError(
                f"{self._name}, line 1: its format is version {version}, this labkit reads up to "
                f"{FORMAT_VERSION}; install a newer labkit to read it."
            )

    def _check_facts(self, facts: dict[str, Any]) -> dict[str, Any]:
        facts["state"] = State(**facts["state"])
        if facts["state"].name not in STATES:
            raise ValueError(f"{facts['state'].name!r} is no state of a run")
        for needed in ("start_seconds", "seconds"):
            if needed not in facts["names"]:
                raise ValueError(f"the column {needed!r} is missing")
        facts["columns"] = tuple(Column(**column) for column in facts["columns"])
        facts["evidence"] = {
            key: tuple((int(step), float(value)) for step, value in pairs)
            for key, pairs in facts["evidence"].items()
        }
        return {key: facts[key] for key in (
            "cause", "title", "state", "toggles", "settings", "environment", "evidence", "columns",
            "names", "log",
        )}  # fmt: skip

    def _check_event(self, event: Event) -> Event:
        if type(event.step) is not int:
            raise ValueError(f"{event.step!r} is no step")
        if event.kind == "toggle" and not {"name", "value"} <= set(event.detail):
            raise ValueError("a toggle event must say its name and value")
        return event

    def _take_row(self, row: list[Any]) -> None:
        worker, *numbers = row
        if len(numbers) != len(self._facts["names"]):
            raise ValueError(f"{len(numbers)} numbers where {len(self._facts['names'])} belong")
        for number in row:
            if isinstance(number, bool) or not isinstance(number, int | float | None):
                raise ValueError(f"{number!r} is no number")
        rows = self._rows.setdefault(int(worker), [])
        rows.append([math.nan if number is None else float(number) for number in numbers])

    def _take_end(self, counts: list[int]) -> None:
        # A worker that made no step has no lines of its own: only this one tells of it.
        found = {worker: len(rows) for worker, rows in self._rows.items()}
        if found != {worker: count for worker, count in enumerate(counts) if count}:
            raise ValueError(f"{counts} steps were saved, {list(found.values())} are here")
        self._workers = len(counts)

    def run(self) -> Run:
        if not self._workers:
            raise RunFileError(
                f"{self._name} ends at line {self._line}, before its end line; "
                "it was cut off, use another copy of the file."
            )
        # Events come first in the file, so only now it is known how many steps there are.
        count = len(self._rows.get(0, []))
        for line, event in zip(self._event_lines, self._events, strict=True):
            if not 0 <= event.step <= count:
                raise RunFileError(
                    f"{self._name}, line {line}, is damaged: its event is at step {event.step}, "
                    f"but the run has {count} steps, counted from 0; use another copy of the file."
                )
        facts = dict(self._facts)
        names = facts.pop("names")
        workers = [
            Steps({name: [row[place] for row in rows] for place, name in enumerate(names)})
            for rows in (self._rows.get(worker, []) for worker in range(self._workers))
        ]
        return Run(**facts, steps=workers[0], others=tuple(workers[1:]), events=tuple(self._events))
