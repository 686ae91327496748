"""Blocks: gives each of the steps that were read as one its part of what they counted together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.measure.pace import STANDS_OUT
from labkit.record import Column

Numbers = NDArray[np.float64]
TINY = 1e-300


def shared_out(
    columns: Sequence[Column],
    values: Mapping[str, Sequence[float]],
    *,
    read: NDArray[np.bool_],
    breaks: Sequence[int],
    anew: Collection[str],
    seldom: Collection[str],
) -> dict[str, Numbers]:
    """Return the columns of a run with a number for each step where one was read for several.

    Seconds at a place are shared out by how long each step took, so that no step has more of them
    than it lasted, and what else is counted in a step evenly. A counter that only goes on is taken
    to go on evenly. Where the last step of a block stands out, the others are taken to be like a
    step of the block before, and the last one gets the rest: it was read because of it. Steps whose
    reading was lost are taken to be like their neighbours.

    Args:
        columns: What each column means.
        values: Numbers by column name, each of shape (steps,).
        read: Whether a step was read, for itself or for its block, shape (steps,).
        breaks: How many steps there were when a block was given up unread, rising.
        anew: The counters that begin anew with each step.
        seldom: The columns that are asked now and then and hold for a single step.
    """
    named = {name: np.array(found, dtype=np.float64) for name, found in values.items()}
    if read.all() or not read.any():
        return named
    places = [named[column.name] for column in columns if column.kind == "place"]
    blocks = _Blocks(named["seconds"], np.flatnonzero(read), np.asarray(breaks, dtype=np.int64))
    blocks.settle([each for each in places if np.isfinite(each[read]).all()])
    for column in columns:
        name = column.name
        if name in ("start_seconds", "seconds") or name in seldom:
            continue
        if column.kind == "place":
            named[name] = blocks.parts(named[name], named["seconds"])
        elif column.kind == "machine" or name in anew:
            named[name] = blocks.parts(named[name], np.ones(len(read)))
        else:
            named[name] = blocks.going_on(named[name])
    return named


class _Blocks:
    """Which steps were read together.

    Args:
        seconds: The step times, shape (steps,).
        ends: The steps that were read.
        breaks: As of `shared_out`.
    """

    def __init__(
        self, seconds: Numbers, ends: NDArray[np.int64], breaks: NDArray[np.int64]
    ) -> None:
        self._seconds, self._ends = seconds, ends
        self._steps = steps = np.arange(len(seconds))
        edges = np.unique(np.concatenate(([0], ends + 1, breaks)))
        self._starts = edges[np.searchsorted(edges, ends, side="right") - 1]
        self._block = np.minimum(np.searchsorted(ends, steps), len(ends) - 1)
        self._within = (steps >= self._starts[self._block]) & (steps <= ends[self._block])
        others = ends - self._starts
        before = (self._sums(seconds) - seconds[ends]) / np.maximum(others, 1)
        apart = (others > 0) & (seconds[ends] > STANDS_OUT * before)
        self._apart = np.flatnonzero(apart[1:]) + 1  # the first block has none before it

    def settle(self, places: Sequence[Numbers]) -> None:
        """Let no step have more seconds at its places than it lasted.

        Where the last step of a block would, the others were not like those before.

        Args:
            places: Seconds by step, each; what was booked in a block stands at its end.
        """
        while self._apart.size:
            last = self._ends[self._apart]
            booked = sum((self.parts(each, self._seconds)[last] for each in places), 0.0 * last)
            fits = booked <= self._seconds[last] * (1 + 1e-9)
            self._apart = self._apart[fits]
            if fits.all():
                return

    def parts(self, counted: Numbers, weights: Numbers) -> Numbers:
        """Return what each step has of what was counted in its block.

        Args:
            counted: By step; what of a block was counted stands at its end.
            weights: In proportion to what it is shared out, by step.
        """
        per_weight = (counted[self._ends] / self._sums(weights))[self._block]
        found = np.where(self._within, per_weight * weights, np.nan)
        for at in self._apart:
            start, end, like = self._starts[at], self._ends[at], self._starts[at - 1]
            others = found[like] / weights[like] * weights[start:end]
            found[start:end] = others * min(1.0, counted[end] / max(others.sum(), TINY))
            found[end] = max(0.0, counted[end] - found[start:end].sum())
        lost = ~self._within
        rate = found[~lost] / weights[~lost]
        found[lost] = weights[lost] * np.interp(self._steps[lost], self._steps[~lost], rate)
        return found

    def _sums(self, values: Numbers) -> Numbers:
        """Return the sum over each block."""
        return np.asarray(np.add.reduceat(np.where(self._within, values, 0.0), self._starts))

    def going_on(self, so_far: Numbers) -> Numbers:
        """Return a running count at each step, from what it was at the ends of the blocks."""
        so_far = so_far[self._ends]
        risen = np.diff(so_far, prepend=so_far[0])
        length = np.diff(self._ends, prepend=-1)
        per_step = risen / length
        knots, known = [*self._ends], [*so_far]
        for at in self._apart:
            per_step[at] = per_step[at - 1]
            others = (length[at] - 1) * per_step[at]
            knots.append(self._ends[at] - 1)
            known.append(so_far[at - 1] + np.clip(others, min(0.0, risen[at]), max(0.0, risen[at])))
        order = np.argsort(knots)
        return np.asarray(np.interp(self._steps, np.array(knots)[order], np.array(known)[order]))
