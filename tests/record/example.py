"""A run that uses everything a run can have, and a strategy that makes up others."""

from __future__ import annotations

import math

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


@strategies.composite
def runs(draw: strategies.DrawFn) -> Run:
    """Return a strategy for runs with any text, any finite numbers and gaps."""
    # What stands at a mark or in a heading is one line.
    line = strategies.text().map(one_line)
    plain = (
        strategies.booleans()
        | strategies.integers()
        | strategies.floats(allow_nan=False, allow_infinity=False)
        | strategies.text()
        | strategies.none()
    )
    plains = strategies.dictionaries(line, plain, max_size=3)
    made = draw(_some_steps())
    # An event may have touched the step that would have come next.
    step = strategies.integers(0, len(made))
    event = strategies.builds(Event, step, line, line, plains)
    flip = strategies.builds(toggled, step, line, strategies.booleans() | line)
    events = strategies.lists(event | flip, max_size=3)
    reading = strategies.tuples(step, strategies.floats(allow_nan=False, allow_infinity=False))
    readings = strategies.lists(reading, max_size=3).map(
        lambda found: tuple(sorted(found, key=lambda pair: pair[0]))
    )
    return draw(strategies.builds(
        Run,
        cause=line,
        title=line,
        state=strategies.builds(State, strategies.just("done"), strategies.text()),
        columns=strategies.just(COLUMNS),
        steps=strategies.just(made),
        toggles=strategies.dictionaries(line, strategies.booleans() | line, max_size=3),
        settings=plains,
        events=events.map(lambda found: tuple(sorted(found, key=lambda event: event.step))),
        evidence=strategies.dictionaries(line, readings, max_size=2),
        environment=plains,
        log=strategies.text(),
        others=strategies.lists(_some_steps(), max_size=2).map(tuple),
    ))  # fmt: skip


@strategies.composite
def rough_runs(draw: strategies.DrawFn) -> Run:
    """Return a strategy for runs as loops may leave them: any text of any length, any numbers."""
    words = strategies.text(strategies.characters(), max_size=20) | strategies.builds(
        str.__mul__,
        strategies.sampled_from(("x", "\n", "\ud800", "\x1b", "\r\n")),
        strategies.sampled_from((500, 1_000, 1_001)),
    )
    number = strategies.floats() | strategies.integers() | strategies.just(10**400)
    plain = words | number | strategies.booleans() | strategies.none()
    plains = strategies.dictionaries(words, plain, max_size=3)
    made = draw(_some_steps())
    step = strategies.integers(0, len(made))
    event = strategies.builds(Event, step, words, words, plains)
    flip = strategies.builds(toggled, step, words, strategies.booleans() | words)
    readings = strategies.lists(strategies.tuples(strategies.integers(), number), max_size=3)
    return draw(strategies.builds(
        Run,
        cause=words,
        title=words,
        state=strategies.builds(State, strategies.just("failed"), words, words),
        columns=strategies.just(COLUMNS),
        steps=strategies.just(made),
        toggles=strategies.dictionaries(words, strategies.booleans() | words, max_size=2),
        settings=plains,
        events=strategies.lists(event | flip, max_size=3).map(tuple),
        evidence=strategies.dictionaries(words, readings.map(tuple), max_size=2),
        environment=plains,
        log=words,
    ))  # fmt: skip
