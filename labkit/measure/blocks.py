"""Blocks: gives each of the steps that were read as one its part of what they counted together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.measure.pace import STANDS_OUT
from labkit.measure.sampling import SAMPLED
from labkit.record import Column

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]
# An ordinary block is one whose steps take no longer than usual in it and in those before it.
NEIGHBOURS = 4


def shared_out(
    columns: Sequence[Column],
    values: Mapping[str, Sequence[float]],
    *,
    breaks: Sequence[int],
    anew: Collection[str],
    seldom: Collection[str],
) -> dict[str, Numbers]:
    """Return the columns of a run with a number for each step where one was read for several.

    Seconds at a place are shared out by how long each step took, so that no step has more of them
    than it lasted, and what else is counted in a step evenly. A counter that only goes on is taken
    to go on evenly. Where the last step of a block stands out, the others are taken to be like
    those of an ordinary block before, and the last one gets the rest: it was read because of it. So
    are steps whose reading was lost.

    Args:
        columns: What each column means; among them the mark of closely looked at steps, which is
            NaN where a step was not read.
        values: Numbers by column name, each of shape (steps,).
        breaks: How many steps there were when a block was given up unread, rising.
        anew: The counters that begin anew with each step.
        seldom: The columns that are asked now and then and hold for a single step.
    """
    named = {name: np.array(found, dtype=np.float64) for name, found in values.items()}
    read = np.isfinite(named[SAMPLED])
    if read.all() or not read.any():
        return named
    # A step that is looked at closely is read by itself.
    named[SAMPLED] = np.nan_to_num(named[SAMPLED])
    seconds, steps = named["seconds"], np.ones(len(read))
    blocks = _Blocks(seconds, named[SAMPLED] > 0, np.flatnonzero(read), np.array(breaks, np.int64))
    blocks.settle([named[column.name] for column in columns if column.kind == "place"])
    for column in columns:
        name = column.name
        if name in ("start_seconds", "seconds", SAMPLED) or name in seldom:
            continue
        if column.kind == "place":
            named[name] = blocks.parts(named[name], seconds)
        elif column.kind == "machine" or name in anew:
            named[name] = blocks.parts(named[name], steps)
        else:
            named[name] = blocks.going_on(named[name])
    return named


class _Blocks:
    """Which steps were read together.

    Args:
        seconds: The step times, shape (steps,).
        marked: The steps that were looked at closely, same shape.
        ends: The steps that were read.
        breaks: As of `shared_out`.
    """

    def __init__(
        self, seconds: Numbers, marked: NDArray[np.bool_], ends: Places, breaks: Places
    ) -> None:
        self._seconds, self._ends = seconds, ends
        self._steps = steps = np.arange(len(seconds))
        edges = np.unique(np.concatenate(([0], ends + 1, breaks)))
        self._starts = starts = edges[np.searchsorted(edges, ends, side="right") - 1]
        self._block = np.minimum(np.searchsorted(ends, steps), len(ends) - 1)
        self._within = (steps >= starts[self._block]) & (steps <= ends[self._block])
        others = ends - starts
        total = self._sums(seconds)
        mean = (total - seconds[ends]) / np.maximum(others, 1)
        self._apart = (others > 0) & (seconds[ends] > STANDS_OUT * mean)
        quickest = np.minimum.reduceat(np.where(self._within, seconds, np.inf), starts)
        usual = quickest.copy()
        for back in range(1, NEIGHBOURS):
            usual[back:] = np.minimum(usual[back:], quickest[:-back])
        ordinary = ~self._apart & ~marked[ends] & (total <= STANDS_OUT * usual * (others + 1))
        numbers = np.where(ordinary, np.arange(len(ends)), -1)
        #: For each block the last ordinary one up to it, -1 if there is none.
        self._like = np.maximum.accumulate(numbers)
        self._apart &= self._like >= 0

    def settle(self, places: Sequence[Numbers]) -> None:
        """Let no step have more seconds at its places than it lasted.

        Where the last step of a block would, the others were not like those before.

        Args:
            places: Seconds by step, each; what was booked in a block stands at its end.
        """
        last = self._ends[self._apart]
        booked = [self.parts(each, self._seconds)[last] for each in places]
        fits = np.nansum([0.0 * last, *booked], axis=0) <= self._seconds[last] * (1 + 1e-9)
        self._apart[self._apart] = fits

    def parts(self, counted: Numbers, weights: Numbers) -> Numbers:
        """Return what each step has of what was counted in its block.

        Args:
            counted: By step; what of a block was counted stands at its end.
            weights: In proportion to what it is shared out, by step.
        """
        counted, weight = counted[self._ends], self._sums(weights)
        rate = counted / weight
        apart = self._apart
        others = weight[apart] - weights[self._ends[apart]]
        theirs = np.minimum(rate[self._like[apart]] * others, counted[apart])
        shared = rate.copy()
        shared[apart] = theirs / others
        found = shared[self._block] * weights
        found[self._ends[apart]] = counted[apart] - theirs
        lost = ~self._within
        found[lost] = rate[self._like_before(self._steps[lost])] * weights[lost]
        return found

    def going_on(self, so_far: Numbers) -> Numbers:
        """Return a running count at each step, from what it was at the ends of the blocks."""
        so_far = so_far[self._ends]
        before = np.concatenate((so_far[:1], so_far[:-1]))
        last = np.concatenate(([-1], self._ends[:-1]))
        rate = (so_far - before) / (self._ends - last)
        per_step = np.where(self._like < 0, 0.0, rate[self._like])
        # What was counted between two steps, after a break, is not of the steps before it.
        per_step = np.concatenate((per_step[:1], per_step[:-1]))
        lost = self._starts - 1 - last
        begun = self._towards(before, per_step * lost, so_far)
        ending = self._towards(begun, per_step * (self._ends - self._starts), so_far)
        broken, apart = lost > 0, self._apart
        knots = np.concatenate((self._ends, self._starts[broken] - 1, self._ends[apart] - 1))
        known = np.concatenate((so_far, begun[broken], ending[apart]))
        order = np.argsort(knots, kind="stable")
        return np.asarray(np.interp(self._steps, knots[order], known[order]))

    def _sums(self, values: Numbers) -> Numbers:
        """Return the sum over each block."""
        return np.asarray(np.add.reduceat(np.where(self._within, values, 0.0), self._starts))

    def _like_before(self, steps: Places) -> Places:
        """Return the last ordinary block before each of some steps, else the first there is."""
        block = self._like[np.maximum(np.searchsorted(self._ends, steps) - 1, 0)]
        return np.where(block < 0, max(0, int(self._like.max(initial=0))), block)

    @staticmethod
    def _towards(start: Numbers, rise: Numbers, end: Numbers) -> Numbers:
        """Return where something is that began and rose, and is on its way to an end."""
        return np.asarray(np.clip(start + rise, np.minimum(start, end), np.maximum(start, end)))
