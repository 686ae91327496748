"""The schema of a run file: what each of its lines must be, and what must agree within it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from labkit.record.errors import RunFileError
from labkit.record.format.limits import (
    LEAST_SECONDS,
    MOST_LINE,
    MOST_NUMBERS,
    MOST_READINGS,
    MOST_SECONDS,
    MOST_TEXT,
    MOST_WORKERS,
)
from labkit.record.format.shape import (
    Misfit,
    choice,
    fields,
    line,
    listed,
    mapping,
    misfit,
    number,
    pair,
    plain,
    shown,
    switched,
    text,
    whole,
)
from labkit.record.memory_map import KIND, MemoryMap
from labkit.record.quantity import steps
from labkit.record.run import STATES, Event, State
from labkit.record.steps import Column, Kind

LINE = line(MOST_LINE)
TEXT = text(MOST_TEXT)
STEP = whole()
FACTS = mapping(LINE, plain(TEXT))

STATE = fields(name=choice(*STATES), reason=TEXT, traceback=TEXT, error=LINE)


def _state(value: Any, field: str, fit: bool) -> dict[str, Any]:
    # The first run files had no class of an error.
    known: dict[str, Any] = STATE(
        {"error": "", **value} if isinstance(value, dict) else value, field, fit
    )
    return known


COLUMN = fields(name=LINE, title=LINE, unit=LINE, kind=choice(*get_args(Kind)))
SECOND_LINE = {
    "cause": LINE,
    "title": LINE,
    "state": _state,
    "toggles": mapping(LINE, switched(LINE)),
    "settings": FACTS,
    "environment": FACTS,
    "evidence": mapping(LINE, listed(pair(STEP, number), MOST_READINGS)),
    "columns": listed(COLUMN),
    "names": listed(LINE),
    "log": TEXT,
}
EVENT = fields(step=STEP, kind=LINE, text=LINE, detail=FACTS)
FLIP = fields(name=LINE, value=switched(LINE))
COUNTS = listed(whole(MOST_NUMBERS), MOST_WORKERS)
# What every run has measured, and what no other column can stand for.
CLOCK = ("start_seconds", "seconds")


def facts(value: Any, *, fit: bool = False) -> dict[str, Any]:
    """Return the facts of a run as `Run` takes them, ``names`` besides.

    Args:
        value: The second line; what labkit does not know in it is passed over.
        fit: Whether text is cut rather than refused.

    Raises:
        Misfit: If one is not what it must be, or they do not agree.
    """
    if isinstance(value, dict):
        value = {name: given for name, given in value.items() if name in SECOND_LINE}
    known: dict[str, Any] = fields(**SECOND_LINE)(value, "", fit)
    names, described = known["names"], [column["name"] for column in known["columns"]]
    for field, listing in (("names", names), ("columns", described)):
        if twice := {name for name in listing if listing.count(name) > 1}:
            raise Misfit(f"its {field} has {shown(min(twice))} twice")
    for needed in CLOCK:
        if needed not in names:
            raise Misfit(f"the column {needed!r} is missing")
    for name in described:
        if name not in names:
            raise Misfit(f"its columns describe {shown(name)}, which its names do not have")
    known["state"] = State(**known["state"])
    known["columns"] = tuple(Column(**column) for column in known["columns"])
    known["evidence"] = {name: tuple(pairs) for name, pairs in known["evidence"].items()}
    return known


def event(value: Any, *, fit: bool = False) -> Event:
    """Return an event.

    Raises:
        Misfit: If it is none, or lacks what one of its kind has.
    """
    made = Event(**EVENT(value, "event", fit))
    if made.kind == "toggle":
        known = {name: given for name, given in made.detail.items() if name in ("name", "value")}
        flip = FLIP(known, "event.detail", fit)
        # The same words as in the run's toggles, and no longer: what is saved must be read again.
        made = replace(made, detail={**made.detail, **flip})
    if made.kind == KIND:
        try:
            MemoryMap.of_event(made)
        except RunFileError as error:
            raise Misfit("its event holds no map of memory that can be read") from error
    return made


def check_step(step: int, before: int, count: int, what: str) -> int:
    """Check that something happened within the run and is told in order; return when.

    Args:
        step: When it happened.
        before: When that happened which is told before it.
        count: How many steps the run has.
        what: What happened, for the sentence, e.g. ``"event"``.

    Raises:
        Misfit: If it is not.
    """
    if not 0 <= step <= count:
        raise Misfit(
            f"its {what} is at step {shown(step)}, but the run has {steps(count)}, counted from 0"
        )
    if step < before:
        raise Misfit(f"its {what} at step {step} comes after one at step {before}")
    return step


def check_readings(evidence: Mapping[str, Sequence[tuple[int, float]]], count: int) -> None:
    """Check that all evidence was read within the run and is told in order.

    Raises:
        Misfit: If some is not.
    """
    for name, pairs in evidence.items():
        before = 0
        for step, _ in pairs:
            before = check_step(step, before, count, f"reading of {shown(name)}")


def check_clock(before: float, start: float, seconds: float) -> None:
    """Check what the clock says of a step.

    Args:
        before: When the step before it began; minus infinity for the first.
        start: When it began.
        seconds: How long it took.

    Raises:
        Misfit: If no clock says so.
    """
    # Not a number is neither less nor more than any.
    if not before <= start < math.inf:
        rule = "a time" if math.isinf(before) else f"a time from {before!r} on"
        raise misfit("start_seconds", start, rule)
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        rule = f"a time from {LEAST_SECONDS:g} to {MOST_SECONDS:,.0f} seconds"
        raise misfit("seconds", seconds, rule)
