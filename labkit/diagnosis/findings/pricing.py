"""Growth by price: a counter that rises, and steps that take so much longer for each unit of it.

For where no place tells, e.g. because this TensorFlow lacks the name that a timer hangs on. A price
is proof only if it is stable: the same early and late. Two causes whose counters both rise at the
same pace cannot be told apart in this way, and none is named then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from labkit.diagnosis.evidence import Evidence
from labkit.diagnosis.rules import NAMED_ALONE, RULES, Rule
from labkit.record import Finding, Ledger, Run, Verdict
from labkit.record.proof import StablePrice

BLOCKS = 48
FEWEST_STEPS_A_BLOCK = 3
# Of the price over the whole run, the price early and late must be within this factor.
STABLE = 1.6


@dataclass(frozen=True)
class Price:
    """What one unit of a counter costs a step.

    Args:
        seconds: Over the whole run.
        early: Over the first half.
        late: Over the second half.
        least: The lower end of the 95 % interval over the whole run.
    """

    seconds: float
    early: float
    late: float
    least: float

    @property
    def stable(self) -> bool:
        """Whether it is above zero, and the same early and late."""
        least, most = self.seconds / STABLE, self.seconds * STABLE
        return self.least > 0 and all(least <= end <= most for end in (self.early, self.late))


def priced_finding(
    run: Run, verdict: Verdict, ledger: Ledger, shares: Mapping[str, float], evidence: Evidence
) -> Finding | None:
    """Return the one cause whose counter has a stable price that makes up the growth.

    Args:
        run: Without its sampled steps.
        verdict: What was said of its steps: slower.
        ledger: Where their growth went.
        shares: Of the growth, by the name of the place's column.
        evidence: What its counters say.
    """
    found = []
    for each in RULES:
        # What the places of others hold is theirs; the loop's own work is nobody's.
        others = {name for other in RULES for name in other.places} - {*each.places}
        free = 1 - sum(max(0.0, shares.get(name, 0.0)) for name in others)
        if free >= NAMED_ALONE and (finding := _priced(each, run, verdict, ledger, free, evidence)):
            found.append(finding)
    return found[0] if len(found) == 1 else None


def _priced(
    each: Rule, run: Run, verdict: Verdict, ledger: Ledger, free: float, evidence: Evidence
) -> Finding | None:
    for name in each.counters:
        if name not in evidence.climbs:
            continue
        counter = _at_each_step(run, name)
        one = price(np.asarray(run.steps.seconds), counter, verdict.warmup_steps)
        if one is None or not one.stable:
            continue
        units = counter[-1] - counter[verdict.warmup_steps]
        share = min(free, float(one.seconds * units / ledger.growth_seconds))
        if share >= NAMED_ALONE:
            proof = StablePrice(name, one.seconds, one.early, one.late, float(units), share)
            return Finding(each.cause, "growth", share, proof, each.fix)
    return None


def price(
    seconds: NDArray[np.float64], counter: NDArray[np.float64], settled: int = 0
) -> Price | None:
    """Return what a unit of a counter costs, None where the steps are too few to ask.

    Args:
        seconds: The time of each step, shape (steps,).
        counter: Its value at each step, same shape.
        settled: How many steps are warm-up.

    Medians of blocks of steps are compared by the slope of Theil (1950) and Sen (1968).
    """
    count = min(BLOCKS, (len(seconds) - settled) // FEWEST_STEPS_A_BLOCK)
    if count < 8:
        return None
    blocks = np.array_split(np.arange(settled, len(seconds)), count)
    paid = np.array([np.median(seconds[block]) for block in blocks])
    units = np.array([np.mean(counter[block]) for block in blocks])
    half = count // 2
    if min(np.ptp(units[:half]), np.ptp(units[half:])) <= 0:
        return None
    whole = scipy.stats.theilslopes(paid, units, 0.95)
    early, late = (
        scipy.stats.theilslopes(paid[part], units[part])
        for part in (slice(half), slice(half, None))
    )
    return Price(float(whole[0]), float(early[0]), float(late[0]), float(whole[2]))


def _at_each_step(run: Run, name: str) -> NDArray[np.float64]:
    if name in run.steps.names:
        return np.asarray(run.steps.column(name))
    steps, values = zip(*run.evidence[name], strict=True)
    return np.asarray(np.interp(np.arange(len(run.steps)), steps, values))
