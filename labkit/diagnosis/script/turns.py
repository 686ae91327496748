"""The turns of one loop of a script, and the run that has each of them as a step."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from labkit.record import Run, Steps
from labkit.record.loop import BEGINS, LOOP, LOOP_EVENT, OF_SCRIPT, OUTER, OUTSIDE, TRAININGS

Rows = NDArray[np.intp]
# A loop trains where it does so in half of its turns, of which these are enough: a validation in
# which something is trained once or twice is no training.
TRAINING_SHARE, ENOUGH_TRAININGS = 0.5, 8
# How far apart two trainings usually are: as far as so many of them at most. Turns without training
# are more often than that the exception, such as a batch that is skipped.
USUALLY = 0.8
# Without training for so many times as long as usual, it waits for something: it fills a buffer, or
# the pass is a validation.
PAUSE = 2
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
# What a look that is over did to the caches is much to a step, and nothing to a validation.
TOUCHED, LOOKED_AT = 0.01, 1.0
# A row that is looked at takes up to twice as long. In a turn that is a whole fit some always are,
# and where they are this part of its time they add less to it than a growth that is told.
MOST_LOOKED_AT = 0.04


@dataclass(frozen=True)
class Turns:
    """All turns of one loop: from which row to which, and how often it was entered.

    Args:
        begins: The first row of each.
        ends: The row after its last.
        training: Whether something is trained in it.
        entries: How often the loop was entered.
        least_mark: From which mark on a turn counts as looked at closely.
    """

    begins: Rows
    ends: Rows
    training: NDArray[np.bool_]
    entries: int
    least_mark: float = TOUCHED

    def __len__(self) -> int:
        return len(self.begins)

    @property
    def each_time(self) -> float:
        """How many turns it has each time it is entered; of one that trains, with a training."""
        counted = int(self.training.sum()) if self.trains else len(self)
        return counted / max(1, self.entries)

    @property
    def trains(self) -> bool:
        """Whether something is trained in it again and again."""
        enough = max(1.0, min(ENOUGH_TRAININGS, TRAINING_SHARE * len(self)))
        return int(self.training.sum()) >= enough

    @property
    def seldom(self) -> bool:
        """Whether it trains, though in fewer than half of them; as an agent in its world may."""
        return self.trains and bool(self.training.mean() < TRAINING_SHARE)

    @property
    def steps(self) -> NDArray[np.bool_]:
        """Which of them are steps: all from one training to the next, unless there is a pause.

        Before the first training and after the last it may pause as well. Where it trains in nearly
        all turns, one without is a pause: that which finds no more data, or validates.
        """
        if not self.trains:
            return np.ones(len(self), np.bool_)
        trained = np.flatnonzero(self.training)
        apart = np.diff(np.append(trained, len(self)))
        # How far the last one is from a next is not known.
        usual = int(np.quantile(apart[:-1] if len(trained) > 1 else 1, USUALLY, method="lower"))
        kept = np.repeat(apart < PAUSE * usual, apart) | self.training[trained[0] :]
        return np.append(np.full(trained[0], trained[0] < usual), kept)


def outer_loops(run: Run) -> dict[int, int]:
    """Return for each loop that has rows the one around it; a function may be called from two."""
    loops = np.asarray(run.steps.column(LOOP.name), int)
    around = np.asarray(run.steps.column(OUTER.name), int)
    seen: dict[int, Counter[int]] = {}
    for number, outer in zip(loops, around, strict=True):
        if number != OUTSIDE:
            seen.setdefault(int(number), Counter())[int(outer)] += 1
    return {
        number: max((each for each in outers if each), key=outers.__getitem__, default=OUTSIDE)
        for number, outers in seen.items()
    }


def within(number: int, outer: Mapping[int, int]) -> set[int]:
    """Return a loop and all that lie within it."""
    found = {number}
    while more := {each for each, around in outer.items() if around in found} - found:
        found |= more
    return found


def turns_of(run: Run, number: int, outer: Mapping[int, int]) -> Turns:
    """Return the turns of a loop.

    Args:
        run: Of a script.
        number: The loop's.
        outer: For each loop the number of the one around it.
    """
    loops = np.asarray(run.steps.column(LOOP.name), int)
    first = (loops == number) & (np.asarray(run.steps.column(BEGINS.name)) > 0)
    begins = np.flatnonzero(first)
    inside = np.isin(loops, list(within(number, outer)))
    # A turn ends where the next begins, or where a row is of a loop around it.
    cuts = np.flatnonzero(first | ~inside)
    after = np.append(cuts, len(loops))
    ends = after[np.searchsorted(after, begins, side="right")]
    trainings = np.append(0.0, np.cumsum(np.nan_to_num(run.steps.column(TRAININGS.name))))
    entries = 1 + int(np.sum(begins[1:] != ends[:-1])) if len(begins) else 0
    return Turns(begins, ends, trainings[ends] > trainings[begins], entries)


def between(turns: Turns) -> Turns:
    """Return what lies between the turns of one entry and those of the next."""
    begins, ends = turns.ends[:-1], turns.begins[1:]
    apart = ends > begins
    nothing_trains = np.zeros(int(apart.sum()), np.bool_)
    return Turns(begins[apart], ends[apart], nothing_trains, 1, least_mark=LOOKED_AT)


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
        last: The row after its last turn. A turn that found nothing left may lie between.
    """
    rows = (row for row, _ in run.evidence.get(CLOSING, ()))
    return next((row for row in rows if last <= row <= last + 1), None)


def _of_loop(
    name: str, pairs: Iterable[tuple[int, float]], first: int, last: int, closing: int | None
) -> Iterator[tuple[int, float]]:
    """Yield what was seen within a loop, and when it was over.

    What was seen before the row that follows it may be of what a next loop has built; the heap is
    not looked at when a loop is over.
    """
    for row, value in pairs:
        if first <= row < last:
            yield row, value
        elif row == closing and name not in NOT_OF_A_LOOP:
            yield last, value
            return


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
