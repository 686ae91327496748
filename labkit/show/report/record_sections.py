"""What was recorded, as pieces of a page: how it was run, what happened, the step times."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

import numpy as np

from labkit.record import Column, Diagnosis, Plain, Run, quantity
from labkit.record.plain_text import one_line
from labkit.show import words
from labkit.show.markup import Markup, definitions, element, folded, joined, table
from labkit.show.table import table_rows

MOST_OUTPUT = 4_000
FEW_EVENTS, MOST_EVENTS = 4, 40
MOST_TIMES = 8_192
MOST_COUNTERS = 3
NOT_MEASURED = "not_measured"
FACTS: Mapping[str, str] = {
    "labkit": "labkit",
    "tensorflow": "TensorFlow",
    "tensorflow_build": "built for",
    "keras": "Keras",
    "python": "Python",
    "system": "system",
    "processor": "processor",
    "cores": "cores",
    "device": "device",
    "gpu": "graphics card",
    "no_gpu": "about the graphics card",
    "driver": "driver",
    "started": "started",
    "start": "started by",
}
SETTINGS: Mapping[str, str] = {"steps": "steps at most"}


def traceback(run: Run) -> Markup:
    """Return where the loop raised; empty where it did not."""
    raised = words.traceback(run.state.traceback).strip()
    return element("pre", raised, class_="lk-traceback") if raised else Markup()


def recorded(diagnosis: Diagnosis, level: int) -> Markup:
    """Return how the loop was run, with what, and on which machine."""
    run = diagnosis.judged
    pairs = [("steps", _steps(diagnosis)), ("ended", words.STATE_WORDS[run.state.name])]
    pairs += [(SETTINGS.get(name, name.replace("_", " ")), _plain(value))
              for name, value in run.settings.items() if value is not None]  # fmt: skip
    known = {**dict.fromkeys(FACTS), **run.environment}
    for name, value in known.items():
        if value is not None and name != NOT_MEASURED:
            pairs.append((FACTS.get(name, name.replace("_", " ")), _plain(value)))
    told = ((one_line(name), one_line(value)) for name, value in pairs)
    parts = [
        element(f"h{level}", "What was recorded"),
        definitions(told, class_="lk-facts"),
    ]
    if missing := run.environment.get(NOT_MEASURED):
        said = element("strong", "Not measured here: ")
        parts.append(element("p", said, one_line(str(missing)), class_="lk-missing"))
    if places := [one_line(column.title) for column in run.column_of_kind("place")]:
        summary = f"The {len(places)} operations that were timed"
        parts.append(folded(summary, element("p", ", ".join(places))))
    if run.log.strip() and not run.state.completed:
        said_last = run.log[-MOST_OUTPUT:].strip()
        parts.append(folded("The last lines that the loop printed", element("pre", said_last)))
    return element("section", *parts)


def _steps(diagnosis: Diagnosis) -> str:
    said = f"{len(diagnosis.judged.steps):,}"
    if diagnosis.looked_at:
        said += f", and {diagnosis.looked_at:,} more that were looked at closely and left out"
    return said


def _plain(value: Plain) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def happened(run: Run, level: int) -> Markup:
    """Return what happened during the run, counted by kind where that is much; else empty."""
    if not run.events:
        return Markup()
    first = (element("li", words.mark(event)) for event in run.events[:MOST_EVENTS])
    events = element("ul", *first)
    if len(run.events) > FEW_EVENTS:
        more = len(run.events) > MOST_EVENTS
        summary = f"the first {MOST_EVENTS} of them" if more else f"all {len(run.events)} of them"
        events = joined([_kinds(run), folded(summary, events)])
    return element("section", element(f"h{level}", "What happened"), events)


def _kinds(run: Run) -> Markup:
    kinds: dict[str, list[int]] = {}
    longest: dict[str, float] = {}
    for event in run.events:
        kinds.setdefault(event.kind, []).append(event.step)
        seconds = event.detail.get("seconds")
        if isinstance(seconds, int | float):
            longest[event.kind] = max(longest.get(event.kind, 0.0), seconds)
    rows = [
        (one_line(kind.replace("_", " ")), f"{len(steps):,}", f"{steps[0]:,}", f"{steps[-1]:,}",
         quantity.duration(longest[kind]) if kind in longest else "")
        for kind, steps in kinds.items()
    ]  # fmt: skip
    heading = ("kind", "times", "first step", "last step", "longest")
    return table(f"{len(run.events):,} events:", heading, rows)


def step_times(diagnosis: Diagnosis, level: int) -> Markup:
    """Return the step times: as a table of some twenty ranges, and as a file to take away."""
    run = diagnosis.judged
    if not len(run.steps):
        return Markup()
    heading, *rows = table_rows(run, _rising(diagnosis))
    caption = "Step times by ranges of steps:"
    return element(
        "section",
        element(f"h{level}", "Step times"),
        folded(f"{quantity.steps(len(run.steps))} as a table", table(caption, heading, rows)),
        element("p", _file(run)),
    )


def _rising(diagnosis: Diagnosis) -> tuple[Column, ...]:
    rising = set(diagnosis.memory.grows)
    found = (
        column for column in diagnosis.judged.column_of_kind("counter") if column.name in rising
    )
    return tuple(found)[:MOST_COUNTERS]


def _file(run: Run) -> Markup:
    """Return a link to the step times as a file that ``labkit verdict`` reads."""
    seconds = np.asarray(run.steps.seconds)
    width = -(-len(seconds) // MOST_TIMES)
    starts = np.arange(0, len(seconds), width)
    means = np.add.reduceat(seconds, starts) / np.diff(np.append(starts, len(seconds)))
    name = "seconds" if width == 1 else f"seconds (mean of {width} steps)"
    text = "\n".join([name, *(f"{value:.4g}" for value in means)])
    said = "step_times.csv" if width == 1 else f"step_times.csv, the means of {width} steps each"
    return element(
        "a", said, download="step_times.csv", href=f"data:text/csv;charset=utf-8,{quote(text)}"
    )
