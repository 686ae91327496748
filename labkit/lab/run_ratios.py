"""How runs compare, as figures: of each later one its ratio to the first.

What the machine may have made is taken out here: other programs, a clock that went down, a canary
that drifted between the runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from labkit.diagnosis import recorded_machine
from labkit.record import Diagnosis
from labkit.record.verdict import Throttling
from labkit.stats import clocks_apart, doubt_between, undisturbed
from labkit.stats.ratio import Ratio, ratio


def run_ratios(judgements: Sequence[Diagnosis]) -> tuple[Ratio | None, ...]:
    """Return how long a step of each later run takes, over a step of the first run.

    Args:
        judgements: What can be said of each run.

    Returns:
        One for each run but the first; None where one of the two has no step at all.
    """
    return tuple(_ratio(judgements[0], other) for other in judgements[1:])


def _ratio(first: Diagnosis, other: Diagnosis) -> Ratio | None:
    seconds = seconds_to_compare(first), seconds_to_compare(other)
    if not all(map(len, seconds)):
        return None
    doubt = _doubt(first, other)
    value = ratio(*seconds, doubt=doubt)
    # At a lower clock a run may take longer, and none takes less time.
    clocks = clocks_between(first, other)
    lower = 0.0 if clocks is None else math.log(clocks.first_mhz / clocks.last_mhz)
    longer = {"longer": 1, "shorter": -1}.get(value.way, 0)
    if lower * longer > 0:
        value = ratio(*seconds, doubt=doubt + abs(lower))
    if value.at_step is None:
        return value
    # The step of the runs: of each some steps were disturbed and left out.
    lengths = [said.stretch.end - said.stretch.start for said in (first, other)]
    return replace(value, at_step=None if lengths[0] == lengths[1] else min(lengths))


def _doubt(first: Diagnosis, other: Diagnosis) -> float:
    """Return the difference to the first run that the machine may have made."""
    told = []
    for said in (first, other):
        run, stretch = said.judged, said.stretch
        machine = recorded_machine(run)
        if machine is None:
            return 0.0
        seconds = np.asarray(run.steps.seconds[stretch.start : stretch.end])
        told.append((seconds, machine.between(stretch.start, stretch.end)))
    return doubt_between((told[0], told[1]), float(np.median(told[0][0])))


def clocks_between(first: Diagnosis, other: Diagnosis) -> Throttling | None:
    """Return how the graphics card's clock differs from the first run's."""
    cards = []
    for said in (first, other):
        machine, stretch = recorded_machine(said.judged), said.stretch
        if machine is None or machine.card is None:
            return None
        cards.append(machine.card.between(stretch.start, stretch.end))
    return clocks_apart(*cards)


def seconds_to_compare(said: Diagnosis) -> Sequence[float]:
    """Return the step times that stand for a run when it is compared; empty where it has none.

    Without the steps that were looked at closely. Corrected for what other programs took of the
    processors, and for the machine's drift, where that was recorded.
    """
    run, stretch = said.judged, said.stretch
    seconds = run.steps.seconds[stretch.start : stretch.end]
    machine = recorded_machine(run)
    if machine is None or not seconds:
        return seconds
    return list(map(float, undisturbed(seconds, machine.between(stretch.start, stretch.end))))
