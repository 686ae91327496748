"""Lines of code that take longer: what the stacks saw late in a run and did not see early."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from labkit.record import Run

STACK, SAMPLED = "stack/", "sampled"
# A third of the looks at either end stands for early and late.
LOOKS_SHARE = 0.34


@dataclass(frozen=True)
class Lines:
    """What the looks at the stacks say.

    Args:
        growth: Seconds a step more at the end than at the start, by line and function.
        unbooked_seconds: By how much a step grew from look to look beside what the places held in
            the very steps looked at. A look makes Python slower, on a place as beside it.
    """

    growth: Mapping[str, float] = field(default_factory=dict)
    unbooked_seconds: float = 0.0

    def slower(self) -> tuple[tuple[str, float], ...]:
        """Return those that take longer, most first."""
        found = [pair for pair in self.growth.items() if pair[1] > 0]
        return tuple(sorted(found, key=lambda pair: -pair[1]))


def lines(run: Run) -> Lines:
    """Return what the stacks say; nothing of a run that was not looked at twice.

    Args:
        run: With its sampled steps.
    """
    read = {name: dict(pairs) for name, pairs in run.evidence.items() if name.startswith(STACK)}
    looks = sorted({step for found in read.values() for step in found})
    if len(looks) < 2:
        return Lines()
    share = max(1, round(LOOKS_SHARE * len(looks)))
    early, late = looks[:share], looks[-share:]

    def rise(found: Mapping[int, float]) -> float:
        before, after = (sum(found.get(step, 0.0) for step in part) for part in (early, late))
        return (after - before) / share

    growth = {name.removeprefix(STACK): rise(found) for name, found in read.items()}
    return Lines(growth, sum(growth.values()) - rise(_at_places(run, {*early, *late})))


def _at_places(run: Run, looks: set[int]) -> dict[int, float]:
    """Return the seconds at all places together, a step, in the steps of each look.

    Args:
        looks: The step after the last that was looked at.
    """
    columns = [each.name for each in run.column_of_kind("place") if each.name in run.steps.names]
    if not columns or not len(run.steps):
        return {}
    booked = np.nansum([np.asarray(run.steps.column(name)) for name in columns], axis=0)
    within = np.zeros(len(booked), dtype=np.bool_)
    if SAMPLED in run.steps.names:
        within = np.asarray(run.steps.column(SAMPLED)) > 0
    found = {}
    for end in looks:
        last = min(max(end, 1), len(booked))
        first = last - 1
        while first > 0 and within[first - 1]:
            first -= 1
        found[end] = float(np.mean(booked[first:last]))
    return found
