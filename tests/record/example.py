"""A run that uses everything a run can have, and a strategy that makes up others."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable

from hypothesis import strategies

from labkit.record import Column, Event, Run, State, Steps
from labkit.record.plain_text import one_line

COLUMNS = (
    Column("start_seconds", "start", "s", "clock"),
    Column("seconds", "step time", "s", "clock"),
    Column("graph_ops", "ops in the graph", "ops", "counter"),
)


def steps(seconds: list[float], graph_ops: list[float] | None = None) -> Steps:
    """Return steps one second apart; without `graph_ops` that counter was measured nowhere."""
    return Steps(
        {
            "start_seconds": [float(place) for place in range(len(seconds))],
            "seconds": seconds,
            "graph_ops": [math.nan] * len(seconds) if graph_ops is None else graph_ops,
        }
    )


def toggled(step: int, name: str, value: bool | str) -> Event:
    """Return the event of a flipped toggle."""
    return Event(step, "toggle", f"{name} {value}", {"name": name, "value": value})


def full_run() -> Run:
    """Return a run with two workers, gaps, events, evidence, a log and an end with a reason."""
    return Run(
        cause="graph_growth",
        title="Graph growth",
        state=State(
            "failed",
            "The loop raised ValueError.",
            "Traceback\n  line 1\nValueError: é",
            "ValueError",
        ),
        columns=COLUMNS,
        steps=steps([0.1, 0.1 + 0.2, 1e-9], [18.0, math.nan, 28.0]),
        toggles={"grow": True, "mode": "chain"},
        settings={"seed": 7, "steps": 3, "device": None},
        events=(toggled(1, "grow", False), Event(2, "gc", "garbage collection", {"ms": 1.5})),
        evidence={"rss_bytes": ((0, 1e8), (2, 1.5e8))},
        environment={"python": "3.13.0", "cores": 2},
        log="a line\nanother — with a dash\u2028and an odd line end",
        others=(steps([0.5]),),
    )


def _some_steps() -> strategies.SearchStrategy[Steps]:
    number = strategies.floats(allow_nan=False, allow_infinity=False)
    row = strategies.tuples(
        number, strategies.floats(1e-9, 1e6), number | strategies.just(math.nan)
    )
    # Times go on from step to step.
    return (
        strategies.lists(row, max_size=20)
        .map(sorted)
        .map(
            lambda rows: Steps(
                {column.name: [row[place] for row in rows] for place, column in enumerate(COLUMNS)}
            )
        )
    )


ANY_NUMBER = strategies.floats(allow_nan=False, allow_infinity=False)
# As loops may leave them: any text of any length, any numbers, and nothing in order.
ROUGH_WORDS = strategies.text(strategies.characters(), max_size=20) | strategies.builds(
    str.__mul__,
    strategies.sampled_from(("x", "\n", "\ud800", "\x1b", "\r\n")),
    strategies.sampled_from((500, 1_000, 1_001)),
)
ROUGH_NUMBER = strategies.floats() | strategies.integers() | strategies.just(10**400)


@strategies.composite
def runs(draw: strategies.DrawFn, *, rough: bool = False) -> Run:
    """Return a strategy for runs with gaps, any text and finite numbers; rough ones as loops do."""
    # What stands at a mark or in a heading is one line.
    line = ROUGH_WORDS if rough else strategies.text().map(one_line)
    words = ROUGH_WORDS if rough else strategies.text()
    number = ROUGH_NUMBER if rough else ANY_NUMBER
    plain = words | strategies.integers() | number | strategies.booleans() | strategies.none()
    plains = strategies.dictionaries(line, plain, max_size=3)
    made = draw(_some_steps())
    # An event may have touched the step that would have come next.
    step = strategies.integers(0, len(made))
    event = strategies.builds(Event, step, line, line, plains)
    flip = strategies.builds(toggled, step, line, strategies.booleans() | line)
    events = draw(strategies.lists(event | flip, max_size=3))
    reading = strategies.tuples(strategies.integers() if rough else step, number)
    readings = strategies.lists(reading, max_size=3)
    evidence = draw(strategies.dictionaries(line, readings, max_size=2))
    if not rough:
        events.sort(key=lambda event: event.step)
        for pairs in evidence.values():
            pairs.sort(key=lambda pair: pair[0])
    return draw(strategies.builds(
        Run,
        cause=line,
        title=line,
        state=strategies.builds(State, strategies.just("failed"), words, words),
        columns=strategies.just(COLUMNS),
        steps=strategies.just(made),
        toggles=strategies.dictionaries(line, strategies.booleans() | line, max_size=3),
        settings=plains,
        events=strategies.just(tuple(events)),
        evidence=strategies.just({name: tuple(pairs) for name, pairs in evidence.items()}),
        environment=plains,
        log=words,
        others=strategies.lists(_some_steps(), max_size=0 if rough else 2).map(tuple),
    ))  # fmt: skip


def without_checksum(lines: Iterable[str]) -> list[str]:
    """Return the lines of a run file as an earlier labkit saved them."""
    *most, end = lines
    return [*most, json.dumps({"end": json.loads(end)["end"]})]
