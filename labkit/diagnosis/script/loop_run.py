"""The run of one loop of a script: each of its turns as a step, and what was seen in it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from labkit.diagnosis.script.turns import Rows, Turns
from labkit.record import Run, Steps
from labkit.record.loop import BEGINS, LOOP_EVENT, OF_SCRIPT, TRAININGS

# Counters that begin anew with each row; a turn of several rows has their sum. So it has of all
# seconds but those that are counted from the start of the run.
COUNTED_ANEW = frozenset({
    "session_runs", "comparisons", "gradient_ops", "bytes_out", "bytes_in", "drawings", "ops_run",
    "elements", "elements_picked",
    TRAININGS.name,
})  # fmt: skip
SUMMED_OF_MACHINE = frozenset({"cpu_seconds", "run_queue_seconds", "thread_seconds"})
SAMPLED, HEAP = "sampled", "heap_bytes"
NOT_OF_A_LOOP = (HEAP, *OF_SCRIPT)
# Counted when a loop is over, and at no other time.
CLOSING = "collectable_objects"
# A row that is looked at takes up to twice as long. In a turn that is a whole fit some always are,
# and where they are this part of its time they add less to it than a growth that is told.
MOST_LOOKED_AT = 0.04


def as_steps(run: Run, turns: Turns) -> Run:
    """Return a run whose steps are the turns of a loop."""
    steps = turns.steps
    begins, ends = turns.begins[steps], turns.ends[steps]
    kinds = {column.name: column for column in run.columns}
    columns: dict[str, NDArray[np.float64]] = {}
    seconds = np.asarray(run.steps.column("seconds"), float)
    for name in run.steps.names:
        values = np.asarray(run.steps.column(name), float)
        if name == "start_seconds":
            columns[name] = values[begins]
        elif name == SAMPLED:
            looked_at = np.where(values >= turns.least_mark, seconds, 0.0)
            share = _sums(looked_at, begins, ends) / _sums(seconds, begins, ends)
            columns[name] = (share > MOST_LOOKED_AT).astype(float)
        elif _is_summed(name, kinds[name].kind if name in kinds else ""):
            columns[name] = _sums(values, begins, ends)
        else:
            columns[name] = _last(values, begins, ends)
    places = begins.tolist()

    def step_of(row: int) -> int | None:
        at = bisect_left(places, row + 1) - 1
        return at if at >= 0 and row < ends[at] else None

    events = [
        replace(event, step=step)
        for event in run.events
        if event.kind != LOOP_EVENT and (step := step_of(event.step)) is not None
    ]
    first, last = (int(begins[0]), int(ends[-1])) if places else (0, 0)
    closing = _closing_row(run, last)
    evidence = {
        name: pairs
        for name, all_pairs in run.evidence.items()
        if (pairs := tuple(
            (int(np.searchsorted(begins, row, side="left")), value)
            for row, value in _of_loop(name, all_pairs, first, last, closing)
        ))
    }  # fmt: skip
    return replace(run, steps=Steps(columns), events=tuple(events), evidence=evidence)


def _closing_row(run: Run, last: int) -> int | None:
    """Return the row with which a loop was looked at when it was over; None where it was not.

    Args:
        run: Of a script.
        last: The row after its last turn. Those of the loops around it may lie between, and no
            other turn.
    """
    row = next((row for row, _ in run.evidence.get(CLOSING, ()) if row >= last), None)
    if row is None or np.asarray(run.steps.column(BEGINS.name)[last:row]).any():
        return None
    return row


def _of_loop(
    name: str, pairs: Iterable[tuple[int, float]], first: int, last: int, closing: int | None
) -> list[tuple[int, float]]:
    """Return what was seen within a loop, and when it was over.

    What was seen before the row that follows it may be of what a next loop has built; the heap is
    not looked at when a loop is over. What came after the loop may have made more of something,
    but nothing less of what the loop keeps: where less is left, a collection took it, which had not
    come before.
    """
    seen: list[tuple[int, float]] = []
    for row, value in pairs:
        if first <= row < last:
            seen.append((row, value))
        elif row == closing and name not in NOT_OF_A_LOOP:
            # A turn that found nothing left may lie between.
            if row <= last + 1 or (len(seen) > 1 and value <= seen[-1][1]):
                seen.append((last, value))
            break
    return seen


def _is_summed(name: str, kind: str) -> bool:
    return (
        name == "seconds"
        or kind == "place"
        or name in COUNTED_ANEW
        or name in SUMMED_OF_MACHINE
    )  # fmt: skip


def _sums(values: NDArray[np.float64], begins: Rows, ends: Rows) -> NDArray[np.float64]:
    """Return the sum of each turn's rows; none that was measured is NaN."""
    if np.all(ends - begins == 1):
        return values[begins]
    sums = np.append(0.0, np.cumsum(np.nan_to_num(values)))
    known = np.append(0, np.cumsum(~np.isnan(values)))
    return np.where(known[ends] > known[begins], sums[ends] - sums[begins], np.nan)


def _last(values: NDArray[np.float64], begins: Rows, ends: Rows) -> NDArray[np.float64]:
    """Return the last number in each turn that was measured."""
    if np.all(ends - begins == 1):
        return values[begins]
    measured = np.maximum.accumulate(np.where(np.isnan(values), -1, np.arange(len(values))))
    at = measured[ends - 1]
    return np.where(at >= begins, values[at], np.nan)
