"""Runs of scripts, made of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labkit.record import Column, Event, Run, State, Steps
from labkit.record.loop import LOOP_COLUMNS, LOOP_EVENT, LoopKind, SourceLoop

Row = tuple[int, int, bool, float, float]  # loop, outer, begins, trainings, seconds
COUNTERS = (
    Column("ops_run", "ops run in the step", "ops", "counter"),
    Column("graph_ops", "ops in the graph", "ops", "counter"),
    Column("tracing_seconds", "tracing", "s", "place"),
)


def script(rows: list[Row], **kinds: LoopKind) -> Run:
    """A run of rows; its loops are numbered from 1 and stand on the lines 10, 20, 30."""
    starts = [0.0]
    for row in rows:
        starts.append(starts[-1] + row[4])
    tags = zip(*[row[:4] for row in rows], strict=True)
    named = dict(zip((column.name for column in LOOP_COLUMNS), tags, strict=True))
    columns = {
        "start_seconds": starts[:-1],
        "seconds": [row[4] for row in rows],
        **{name: [float(value) for value in values] for name, values in named.items()},
        "ops_run": [2.0] * len(rows),
        "graph_ops": [float(at) for at in range(len(rows))],
        "tracing_seconds": [0.001] * len(rows),
    }
    loops = [
        Event(0, LOOP_EVENT, kind, source.as_detail(number))
        for number, (name, kind) in enumerate(kinds.items(), start=1)
        for source in (SourceLoop(kind, "train.py", 10 * number, name, 10 * number + 5),)
    ]
    traces = [Event(at, "trace", "traced") for at in range(0, len(rows), 5)]
    evidence = {"live_tensors": tuple((at, float(at)) for at in range(0, len(rows) + 1, 10))}
    return Run(
        "train.py", "train.py", State("done"), (*LOOP_COLUMNS, *COUNTERS), Steps(columns),
        events=(*loops, *traces), evidence=evidence,
    )  # fmt: skip


def epochs(
    count: int, batches: int, validation: int = 0, *, between: Sequence[float] = ()
) -> Iterator[Row]:
    """Yield the rows of some epochs.

    Args:
        count: How many.
        batches: How many steps each has.
        validation: How many turns the loop behind them has, in each.
        between: What comes after the steps of each, in seconds; by default 0.2 of all.
    """
    for epoch in range(count):
        yield 1, 0, True, 0, 0.001
        for _ in range(batches):
            yield 2, 1, True, 1, 0.01
        yield 1, 0, False, 0, between[epoch] if len(between) else 0.2
        for _ in range(validation):
            yield 3, 1, True, 0, 0.005
        yield 1, 0, False, 0, 0.001
