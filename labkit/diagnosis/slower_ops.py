"""Ops that take longer than their work explains: finding a free block of memory for them does."""

from __future__ import annotations

import numpy as np

from labkit.diagnosis.evidence import ECHOES
from labkit.diagnosis.operator import Numbers
from labkit.record import Run
from labkit.stats.drift import level

ARGUMENTS, SIZES, RUNNING_OPS = "argument_elements", "argument_sizes", "running_ops_seconds"
LEAST_SHARE = 0.6
# To go through what is kept, even once, takes as many elements of work.
UNTOUCHED = 0.1
# A product of square matrices takes n ** 3 for n ** 2 elements; hardly an op is steeper.
STEEPEST = 1.5
FAR_MORE = 1.1
AS_MANY = 1.02
SHORTEST_SECONDS = 1e-7


def slower_ops(run: Run, share: float, work: frozenset[str], kept_elements: float) -> str:
    """Tell of ops that hold the growth although their work does not explain it, else nothing.

    There are no more of them, and none is larger; or they take longer than their elements can make
    them, and go through none of the tensors that are kept.

    Args:
        run: Without its sampled steps.
        share: What running ops holds of the growth.
        work: The names of what counts the loop's work, and grows.
        kept_elements: How many elements of tensors more are kept a step.

    Returns:
        What is told of them, to stand after "the same ops".
    """
    if ARGUMENTS not in run.evidence or "ops_run" not in run.steps.names or share < LEAST_SHARE:
        return ""
    read = {
        name: np.asarray([value for _, value in run.evidence.get(name, ())])
        for name in (ARGUMENTS, SIZES)
    }
    # Without their sizes the number of arguments itself changed: of a step that stacks a list more
    # and more is handled, though beside large weights it hardly shows.
    if len(read[SIZES]) < len(read[ARGUMENTS]) / 2:
        return ""
    # One large table hides in the sum of all elements what grows beside it, and not in the sizes.
    elements = max(_ratio(each, 1.0) for each in read.values())
    if not work and elements <= AS_MANY:
        return "on as many elements as at the start"
    if work - {ARGUMENTS, SIZES, *ECHOES} or not kept_elements:
        return ""
    pace = (level(read[ARGUMENTS], -1) - level(read[ARGUMENTS], 0)) / len(run.steps)
    longer = _ratio(np.asarray(run.steps.column(RUNNING_OPS)), SHORTEST_SECONDS)
    if pace > UNTOUCHED * kept_elements or longer < FAR_MORE * elements**STEEPEST:
        return ""
    more = f"{100 * (elements - 1):.0f} % more elements"
    return f"which are given {more} and take {longer:.1f} times as long"


def _ratio(values: Numbers, least: float) -> float:
    """Return how many times as large values are at the end as at the start; 1 if there are none."""
    return level(values, -1) / max(level(values, 0), least) if values.size else 1.0
