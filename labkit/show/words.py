"""What a run says, in plain English sentences.

Knows only plain values. What a run is called, or says of itself, is shortened here to one line;
where the words are shown, and how they are escaped there, is the viewer's business.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from labkit.record import (
    UNEXPLAINED,
    Column,
    Diagnosis,
    Event,
    Ledger,
    Run,
    State,
    ToggleValue,
)
from labkit.record.plain_text import one_line, plain_text
from labkit.record.quantity import quantity, steps
from labkit.show.titles import titled
from labkit.show.verdict.machine import machine
from labkit.show.verdict.verdict_words import loop_words

# Below that a place is not worth its name in a sentence; the table of the ledger has them all.
SMALL_SHARE = 0.015
MOST_QUICKER_SHARE = 0.2
MOST_TITLE = 100  # letters of a title, a loop's or a counter's, within a sentence
MOST_REASON, MOST_TRACEBACK = 1_000, 8_000
STATE_WORDS: Mapping[str, str] = {
    "starting": "starting",
    "running": "running",
    "done": "done",
    "stopped": "stopped",
    "failed": "failed",
    "memory_limit": "ended at the memory limit",
    "time_limit": "ended at the time limit",
    "killed": "the process was ended",
    "silent": "the process went silent",
}


def state(value: State, count: int | None = None) -> str:
    """Return how far a run has come, with the reason where there is one."""
    name, reason = STATE_WORDS[value.name], one_line(value.reason, MOST_REASON)
    if name == reason[: len(name)].lower():
        return _small_first(reason)
    words = name
    if count is not None and value.name != "starting":
        words += f", {steps(count)}" if value.name == "running" else f" after {steps(count)}"
    return f"{words}: {_small_first(reason)}" if reason else words


def traceback(raised: str) -> str:
    """Return Python's traceback to be shown: its last 8,000 characters."""
    return plain_text(raised[-MOST_TRACEBACK:]).rstrip()


def _small_first(sentence: str) -> str:
    """Join on a sentence; a name such as GPU or TensorFlow keeps its capitals."""
    name = sentence.partition(" ")[0][1:]
    return sentence if name != name.lower() else sentence[:1].lower() + sentence[1:]


def title(name: str, values: Mapping[str, ToggleValue]) -> str:
    """Return ``Graph growth, grow on``; the name alone for a loop without toggles.

    Args:
        name: The run's title.
        values: The toggles' values.
    """
    return ", ".join(filter(None, [one_line(name, MOST_TITLE), toggle_values(values)]))


def toggle_values(values: Mapping[str, ToggleValue], only: Iterable[str] = ()) -> str:
    """Return ``grow on, chain off``.

    Args:
        values: The toggles' values.
        only: Name these alone; empty for all.
    """
    wanted = set(only) or set(values)
    return one_line(", ".join(
        f"{name.replace('_', ' ')} {_on_off(value)}"
        for name, value in values.items() if name in wanted
    ))  # fmt: skip


def _on_off(value: ToggleValue) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else value


def judgement(value: Diagnosis) -> tuple[str, ...]:
    """Return one line a stretch, or just the verdict where there is one stretch."""
    so_far = "so far: " if value.provisional else ""
    pairs = list(zip(value.stretches, value.verdicts, strict=False))
    if len(pairs) <= 1:
        return tuple(so_far + loop_words(said) for said in value.verdicts)
    settings = [stretch.toggles for stretch, _ in pairs]
    flipped = [
        name
        for name in settings[0]
        if any(other.get(name) != settings[0][name] for other in settings)
    ]
    lines = []
    for place, (stretch, said) in enumerate(pairs):
        values = toggle_values(stretch.toggles, only=flipped) if flipped else ""
        where = f"steps {stretch.start:,}-{max(stretch.start, stretch.end - 1):,}"
        newest = so_far if place == len(pairs) - 1 else ""
        lines.append(f"{where}{values and ', '}{values}: {newest}{loop_words(said)}")
    return tuple(lines)


def ledger(value: Ledger, columns: Iterable[Column] = ()) -> str:
    """Return ``where it went: session run 96 %, unexplained 4 %``; empty where nothing grew.

    Places that hold next to nothing are told together, as ``other operations``.
    """
    if not value.rows:
        return ""
    parts: dict[str, tuple[float, float]] = {}
    for row in titled(value, columns).rows:
        title = one_line(row.place, MOST_TITLE)
        if title.isidentifier():  # a column's name; a line of code keeps its own
            title = title.removesuffix("_seconds").replace("_", " ")
        if abs(row.share) < SMALL_SHARE and row.place != UNEXPLAINED:
            title = "other operations"
        share, seconds = parts.get(title, (0.0, 0.0))
        parts[title] = share + row.share, seconds + row.seconds
    told = sorted(parts.items(), key=lambda pair: pair[0] == UNEXPLAINED)
    # "a 312 %, b -212 %" is read as a fault: where some places became quicker, times are told.
    if any(share < -MOST_QUICKER_SHARE for share, _ in parts.values()):
        rows = [
            f"{title} {'-' if seconds < 0 else '+'}{quantity(abs(seconds), 's')}"
            for title, (share, seconds) in told
            if abs(share) > MOST_QUICKER_SHARE
        ]
        return f"where it went, per step: {', '.join(rows)}"
    rows = [
        f"{title} {round(share * 100)} %"
        for title, (share, _) in told
        if round(share * 100) or title == UNEXPLAINED
    ]
    return f"where it went: {', '.join(rows)}"


def judged_ledger(value: Diagnosis, columns: Iterable[Column] = ()) -> str:
    """Return the ledger's line; where there are several stretches it says which one it is of."""
    line, grown = ledger(value.ledger, columns), booked_steps(value)
    if not line or grown is None:
        return line
    return line.replace("where it went", f"where it went, steps {grown[0]:,}-{grown[1]:,}")


def booked_steps(value: Diagnosis) -> tuple[int, int] | None:
    """Return the first and the last step of that stretch of several which the ledger is of."""
    if len(value.stretches) <= 1:
        return None
    pairs = zip(value.stretches, value.verdicts, strict=False)
    grown = next((stretch for stretch, verdict in pairs if verdict.slower), None)
    # A ledger that was handed on without its verdicts is of no stretch that is known.
    return (grown.start, grown.end - 1) if grown else None


def evidence(column: Column, first: float, last: float) -> str:
    """Return ``ops in the graph: 18 to 1,518``."""
    title, unit = column.shown.title, column.shown.unit
    if not (math.isfinite(first) or math.isfinite(last)):
        return f"{title}: not measured"
    if first == last:
        return f"{title}: {quantity(first, unit)} throughout"
    start, end = quantity(first, unit), quantity(last, unit)
    if unit not in ("s", "bytes"):
        start = quantity(first, "")
    elif start.rpartition(" ")[2] == end.rpartition(" ")[2]:
        start = start.rpartition(" ")[0]
    return f"{title}: {start} to {end}"


def mark(event: Event) -> str:
    """Return ``step 310: grow off``."""
    return f"step {event.step:,}: {one_line(event.text or event.kind.replace('_', ' '))}"


def happened(events: Iterable[Event]) -> str:
    """Return ``what happened: gc 12 times, checkpoint once``; flips of toggles are not counted."""
    counts: dict[str, int] = {}
    for event in events:
        if event.kind != "toggle":
            counts[event.kind] = counts.get(event.kind, 0) + 1
    said = (f"{kind.replace('_', ' ')} {_times(count)}" for kind, count in counts.items())
    return one_line(f"what happened: {', '.join(said)}") if counts else ""


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def alt_text(
    title: str,
    count: int,
    verdict_lines: Iterable[str] = (),
    *,
    ledger_line: str = "",
    evidence_lines: Iterable[str] = (),
    events: Iterable[Event] = (),
) -> str:
    """Return a picture of a run in words, for a reader who does not see it.

    Args:
        title: What ran.
        count: How many steps.
        verdict_lines: As `judgement` gives them.
        ledger_line: As `ledger` gives it.
        evidence_lines: As `evidence` gives them.
        events: What happened; the flips of toggles are named, at most ten.
    """
    flips = [mark(event) for event in events if event.kind == "toggle"][:10]
    parts = [*verdict_lines, ledger_line, *evidence_lines, "; ".join(flips)]
    said = [part.rstrip(".") for part in parts if part]
    head = f"Iteration-time curve of {one_line(title, MOST_TITLE)}, {steps(count)}"
    return f"{head}: {'. '.join(said)}." if said else f"{head}."


def run_alt_text(run: Run, said: Diagnosis | None = None, lanes: Iterable[str] = ()) -> str:
    """Return the alt text of a whole run, with its verdict where one was given."""
    columns = {column.name: column for column in run.columns}
    lines = []
    for name in lanes:
        if name in columns and name in run.steps.names and len(run.steps):
            column, values = columns[name].shown, run.steps.column(name)
            if column.kind == "counter":
                lines.append(evidence(column, values[0], values[-1]))
            else:
                total = sum(value for value in values if math.isfinite(value))
                lines.append(f"{column.title}: {quantity(total, column.unit)} in all")
    return alt_text(
        run.title,
        len(run.steps),
        (*judgement(said), machine([said])) if said else (),
        ledger_line=judged_ledger(said, run.columns) if said else "",
        evidence_lines=lines,
        events=run.events,
    )
