"""Ops that take longer than their work explains: finding a free block of memory for them does."""

from __future__ import annotations

import numpy as np

from labkit.diagnosis.contrast import Numbers
from labkit.diagnosis.observations.evidence import ECHOES
from labkit.diagnosis.rules import NAMED_ALONE
from labkit.record import Run
from labkit.record.proof import SlowerOps
from labkit.stats.machine.drift import level

ARGUMENTS, SIZES, RUNNING_OPS = "argument_elements", "argument_sizes", "running_ops_seconds"
# To go through what is kept, even once, takes as many elements of work.
UNTOUCHED = 0.1
# A product of square matrices takes n ** 3 for n ** 2 elements; hardly an op is steeper.
STEEPEST = 1.5
FAR_MORE = 1.1
AS_MANY = 1.02
SHORTEST_SECONDS = 1e-7


def slower_ops(
    run: Run, share: float, work: frozenset[str], kept_elements: float
) -> SlowerOps | None:
    """Return what proves that ops hold the growth and their work does not explain it, else None.

    There are no more of them, and none is larger; or they take longer than their elements can make
    them, and go through none of the tensors that are kept.

    Args:
        run: Without its sampled steps.
        share: What running ops holds of the growth.
        work: The names of what counts the loop's work, and grows.
        kept_elements: How many elements of tensors more are kept a step.

    Returns:
        The proof, with the share of the ops.
    """
    if ARGUMENTS not in run.evidence or "ops_run" not in run.steps.names or share < NAMED_ALONE:
        return None
    read = {
        name: np.asarray([value for _, value in run.evidence.get(name, ())])
        for name in (ARGUMENTS, SIZES)
    }
    # Without their sizes the number of arguments itself changed: of a step that stacks a list more
    # and more is handled, though beside large weights it hardly shows.
    if len(read[SIZES]) < len(read[ARGUMENTS]) / 2:
        return None
    # One large table hides in the sum of all elements what grows beside it, and not in the sizes.
    elements = max(_ratio(each, 1.0) for each in read.values())
    if not work and elements <= AS_MANY:
        return SlowerOps(share)
    if work - {ARGUMENTS, SIZES, *ECHOES} or not kept_elements:
        return None
    pace = (level(read[ARGUMENTS], -1) - level(read[ARGUMENTS], 0)) / len(run.steps)
    longer = _ratio(np.asarray(run.steps.column(RUNNING_OPS)), SHORTEST_SECONDS)
    if pace > UNTOUCHED * kept_elements or longer < FAR_MORE * elements**STEEPEST:
        return None
    return SlowerOps(share, elements - 1, longer)


def _ratio(values: Numbers, least: float) -> float:
    """Return how many times as large values are at the end as at the start; 1 if there are none."""
    return level(values, -1) / max(level(values, 0), least) if values.size else 1.0
