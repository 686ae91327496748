"""The turns of one loop of a script: which rows each is of, and which of them are steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labkit.record import Run
from labkit.record.loop import BEGINS, LOOP, OUTER, OUTSIDE, TRAININGS

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
# What a look that is over did to the caches is much to a step, and nothing to a validation.
TOUCHED, LOOKED_AT = 0.01, 1.0


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
