"""The reader of a run file: takes one line after the other and keeps what they say."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from labkit.record.errors import RunFileError
from labkit.record.format import FORMAT_VERSION, schema
from labkit.record.format.checksum import checksum_of
from labkit.record.format.limits import MOST_EVENTS, MOST_WORDS_BYTES
from labkit.record.format.rows import Rows
from labkit.record.format.shape import Misfit, shown
from labkit.record.run import Event, Run


def run_from_lines(lines: Iterable[str], name: str = "the run") -> Run:
    """Build a run from the lines of a saved one.

    Args:
        lines: The lines; ends of lines may be left on them.
        name: The file's name, for errors.

    Raises:
        RunFileError: If a line is wrong; the sentence says which, and what belongs there.
    """
    reader = _Reader(name)
    for line in lines:
        reader.take(line)
    return reader.run()


def _decoded(line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise Misfit(f"it is not JSON from letter {error.pos + 1:,} on") from error
    except RecursionError as error:
        raise Misfit("its brackets are nested too deep") from error
    except ValueError as error:  # Python reads no number of more than 4,300 digits
        raise Misfit("it has a number of too many digits") from error


class _Reader:
    def __init__(self, name: str) -> None:
        self._name = name
        self._line = 0
        self._words_bytes = 0
        self._facts: dict[str, Any] = {}
        self._events: list[Event] = []
        self._event_lines: list[int] = []
        self._rows: Rows | None = None
        self._workers = 0  # said by the end line
        self._checksum = 0  # of the lines so far
        self._changed = False  # whether the end line's checksum is another

    def take(self, line: str) -> None:
        self._line += 1
        try:
            self._take(line)
        except Misfit as wrong:
            raise self._damaged(wrong) from wrong

    def _take(self, line: str) -> None:
        if self._workers:
            if not line.strip():  # an editor's
                return
            raise Misfit("it comes after the end line")
        value = _decoded(line)
        before, self._checksum = self._checksum, checksum_of(line, self._checksum)
        if isinstance(value, list) and self._rows is not None:
            self._rows.take(value)
            return
        self._words_bytes += len(line)
        if self._words_bytes > MOST_WORDS_BYTES:
            raise Misfit(f"all but its steps has more than {MOST_WORDS_BYTES:,} letters, the most")
        self._take_words(value, before)

    def _take_words(self, value: Any, checksum: int) -> None:
        if self._line == 1:
            self._check_format(value)
        elif self._rows is None:
            self._facts = schema.facts(value)
            times = {column.name for column in self._facts["columns"] if column.unit == "s"}
            self._rows = Rows(self._facts.pop("names"), times - {*schema.CLOCK})
        elif isinstance(value, dict) and "event" in value:
            if len(self._events) == MOST_EVENTS:
                raise Misfit(f"a run has {MOST_EVENTS:,} events at most")
            self._events.append(schema.event(value["event"]))
            self._event_lines.append(self._line)
        elif isinstance(value, dict) and "end" in value:
            self._take_end(schema.COUNTS(value["end"], "end", False), self._rows.counts())
            # A file that was saved before there was one has none.
            self._changed = value.get("checksum") not in (None, checksum)
        else:
            raise Misfit("it is not a step, event or end line")

    def _check_format(self, value: Any) -> None:
        if not isinstance(value, dict) or value.get("labkit") != "run":
            raise RunFileError(
                f"{self._name}, line 1, does not say that this is a labkit run; "
                "give a file that labkit saved."
            )
        version = value.get("version")
        if type(version) is not int or version < 1:
            raise Misfit(f"its version is {shown(version)} where a whole number from 1 belongs")
        if version > FORMAT_VERSION:
            raise RunFileError(
                f"{self._name}, line 1: its format is version {shown(version)}, this labkit reads "
                f"up to {FORMAT_VERSION}; install a newer labkit to read it."
            )

    def _take_end(self, saved: list[int], here: dict[int, int]) -> None:
        if not saved:
            raise Misfit("its end names no worker")
        # A worker that made no step has no lines of its own: only this one tells of it.
        if here != {worker: count for worker, count in enumerate(saved) if count}:
            raise Misfit(f"{_counted(saved)} steps were saved, {_counted(here.values())} are here")
        self._workers = len(saved)

    def run(self) -> Run:
        """Return the run, now that nothing more comes.

        Raises:
            RunFileError: If the end is missing, or something happened at a step there is not.
        """
        if self._rows is None or not self._workers:
            raise RunFileError(
                f"{self._name} ends at line {self._line}, before its end line; "
                "it was cut off, use another copy of the file."
            )
        workers = [self._rows.steps(worker) for worker in range(self._workers)]
        # Events come first in the file, so only now it is known how many steps there are.
        count, before = len(workers[0]), 0
        try:
            self._line = 2
            schema.check_readings(self._facts["evidence"], count)
            for line, event in zip(self._event_lines, self._events, strict=True):
                self._line = line
                before = schema.check_step(event.step, before, count, "event")
        except Misfit as wrong:
            raise self._damaged(wrong) from wrong
        if self._changed:  # last, for all else names the line
            raise RunFileError(
                f"{self._name} is damaged: its checksum says that a line was changed after labkit "
                "had saved it; use another copy of the file."
            )
        return Run(
            **self._facts, steps=workers[0], others=tuple(workers[1:]),
            events=tuple(self._events), loaded=True,
        )  # fmt: skip

    def _damaged(self, wrong: Misfit) -> RunFileError:
        return RunFileError(
            f"{self._name}, line {self._line}, is damaged: {wrong}; use another copy of the file."
        )


def _counted(counts: Iterable[int]) -> str:
    """Return ``3 + 1``; of very many workers the first few."""
    texts = [f"{count:,}" for count in counts]
    return " + ".join(texts[:4] + (["..."] if len(texts) > 4 else [])) or "0"
