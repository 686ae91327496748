"""The loops of a script: whose turns are steps, and the run of each such loop, cut from the rows.

A turn of a loop is all rows from where it begins to where the next does, those of loops within it
included. Steps are the turns of the innermost loop that trains; of a loop that has few turns each
time and lies within another, such as one over the two networks of a GAN, it is that other. Where
nothing is known to train, any loop in which TensorFlow works will do.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from labkit.record import Run, Steps
from labkit.record.loop import BEGINS, LOOP, LOOP_EVENT, OUTER, OUTSIDE, TRAININGS, SourceLoop

Rows = NDArray[np.intp]
# Of a loop's turns: from there on it is one that trains.
TRAINING_SHARE = 0.5
# Turns of a loop each time it is entered; with fewer it is a part of a step.
FEW_TURNS = 8.0
# Fits in a loop of the script's; with so many of them each is a step as well.
FITS_TO_TELL = 20
OF_FIT = ("epoch", "fit")
# Counters that begin anew with each row; a turn of several rows has their sum. So it has of all
# seconds but those that are counted from the start of the run.
COUNTED_ANEW = frozenset({
    "session_runs", "comparisons", "gradient_ops", "bytes_out", "bytes_in", "drawings", "ops_run",
    TRAININGS.name,
})  # fmt: skip
SUMMED_OF_MACHINE = frozenset({"cpu_seconds", "run_queue_seconds", "thread_seconds"})
SAMPLED = "sampled"


@dataclass(frozen=True)
class StepLoop:
    """A loop whose turns are steps.

    Args:
        source: Where it stands.
        run: Its turns as steps, with what happened in them.
        entries: How often it was entered, in epochs or calls.
    """

    source: SourceLoop
    run: Run
    entries: int

    @property
    def seconds(self) -> float:
        """What all its turns took together."""
        return float(np.sum(self.run.steps.seconds))


@dataclass(frozen=True)
class _Turns:
    """All turns of one loop: from which row to which, and how often it was entered."""

    begins: Rows
    ends: Rows
    training: NDArray[np.bool_]
    entries: int

    def __len__(self) -> int:
        return len(self.begins)

    @property
    def each_time(self) -> float:
        """How many turns it has each time it is entered."""
        return len(self) / max(1, self.entries)

    @property
    def trains(self) -> bool:
        return bool(self.training.mean() >= TRAINING_SHARE)


def is_of_script(run: Run) -> bool:
    """Tell whether a run is that of a script, of which nobody has said yet what a step is."""
    return LOOP.name in run.steps.names


def step_loops(run: Run, place: tuple[str, int] | None = None) -> tuple[StepLoop, ...]:
    """Return the loops of a script whose turns are steps, the one first that took most time.

    Args:
        run: Of a script, still going or ended.
        place: The file and a line of the loop that was named; None to find it.
    """
    if not len(run.steps):
        return ()
    sources = {
        int(event.detail["number"] or 0): SourceLoop.from_detail(event.detail)
        for event in run.events
        if event.kind == LOOP_EVENT
    }
    outer = _outer_loops(run)
    turns = {number: _turns(run, number, outer) for number in outer}
    turns = {number: each for number, each in turns.items() if len(each)}
    training = {number: each for number, each in turns.items() if each.trains}
    if place is None:
        chosen = _chosen(training or turns, outer, sources)
    else:
        chosen = _named(turns, sources, place)
    found = [
        StepLoop(sources[number], _as_steps(run, turns[number]), turns[number].entries)
        for number in chosen
    ]
    return tuple(sorted(found, key=lambda each: -each.seconds))


def _outer_loops(run: Run) -> dict[int, int]:
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


def _within(number: int, outer: Mapping[int, int]) -> set[int]:
    """Return a loop and all that lie within it."""
    found = {number}
    while more := {each for each, around in outer.items() if around in found} - found:
        found |= more
    return found


def _turns(run: Run, number: int, outer: Mapping[int, int]) -> _Turns:
    loops = np.asarray(run.steps.column(LOOP.name), int)
    first = (loops == number) & (np.asarray(run.steps.column(BEGINS.name)) > 0)
    begins = np.flatnonzero(first)
    inside = np.isin(loops, list(_within(number, outer)))
    # A turn ends where the next begins, or where a row is of a loop around it.
    cuts = np.flatnonzero(first | ~inside)
    after = np.append(cuts, len(loops))
    ends = after[np.searchsorted(after, begins, side="right")]
    trainings = np.append(0.0, np.cumsum(np.nan_to_num(run.steps.column(TRAININGS.name))))
    entries = 1 + int(np.sum(begins[1:] != ends[:-1])) if len(begins) else 0
    return _Turns(begins, ends, trainings[ends] > trainings[begins], entries)


def _chosen(
    turns: Mapping[int, _Turns], outer: Mapping[int, int], sources: Mapping[int, SourceLoop]
) -> Iterator[int]:
    """Yield the numbers of the loops whose turns are steps."""
    for number, each in turns.items():
        inner = [other for other in turns if outer.get(other) == number]
        if all(_is_part_of_step(other, turns, outer) for other in inner):
            # What is around it is asked in its turn, and may take the step over.
            if not _is_part_of_step(number, turns, outer):
                yield number
        elif (
            len(each) >= FITS_TO_TELL
            and sources[number].kind not in OF_FIT
            and any(sources[other].kind in OF_FIT for other in inner)
        ):
            yield number


def _named(
    turns: Iterable[int], sources: Mapping[int, SourceLoop], place: tuple[str, int]
) -> Iterator[int]:
    """Yield the number of the innermost loop that contains a line."""
    around = [number for number in turns if sources[number].contains(*place)]
    # Of a fit and its epochs, which stand on one line, the batches.
    yield from sorted(around, key=lambda number: (sources[number].line, number))[-1:]


def _is_part_of_step(number: int, turns: Mapping[int, _Turns], outer: Mapping[int, int]) -> bool:
    """Tell whether a loop has few turns each time, and the one around it has more."""
    around = turns.get(outer.get(number, OUTSIDE))
    each = turns[number]
    return around is not None and each.each_time < min(FEW_TURNS, around.each_time)


def _as_steps(run: Run, turns: _Turns) -> Run:
    """Return a run whose steps are the turns of a loop."""
    kept = turns.training if turns.trains else np.ones(len(turns), np.bool_)
    begins, ends = turns.begins[kept], turns.ends[kept]
    kinds = {column.name: column for column in run.columns}
    columns: dict[str, NDArray[np.float64]] = {}
    for name in run.steps.names:
        values = np.asarray(run.steps.column(name), float)
        if name == "start_seconds":
            columns[name] = values[begins]
        elif name == SAMPLED:
            columns[name] = (_sums(values, begins, ends) > 0).astype(float)
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
    evidence = {
        name: pairs
        for name, all_pairs in run.evidence.items()
        if (pairs := tuple(
            (int(np.searchsorted(begins, row, side="left")), value)
            for row, value in all_pairs if first <= row <= last
        ))
    }  # fmt: skip
    return replace(run, steps=Steps(columns), events=tuple(events), evidence=evidence)


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
