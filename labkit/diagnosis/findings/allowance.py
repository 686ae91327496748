"""Allowance: how much memory may rise for a while, since a store fills or each step is given more.

A store with a bound comes to rest, and what a step is given it gives back. What is left over of a
rise is the loop's own. Where nobody knows how much may rise, nobody knows whether the loop leaks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from labkit.diagnosis.evidence import (
    BOUNDED_ITEMS,
    BOUNDED_LEAST,
    BOUNDED_MOST,
    BOUNDED_OF,
    BOUNDED_TENSORS,
    BOUNDED_UNKNOWN,
    INSTANCES,
    NOTED_OF,
    Evidence,
)
from labkit.record.diagnosis import Climb, Unclear

# Counters of how much each step is given.
GIVEN = frozenset(
    {"trainings", "argument_elements", "argument_sizes", "function_elements", "elements"}
)
# A number of a batch has 8 bytes at most, and may be alive as an array and as a tensor.
COUNTED, BYTES_OF_ELEMENT, COPIES = "argument_elements", 8.0, 2.0
TENSORS, TENSOR_BYTES = "live_tensors", "live_tensor_bytes"
# A healthy loop leaves up to 700 bytes per step on the heap: TensorFlow makes and keeps names. Less
# than this is 200 MB in a hundred thousand steps, and nobody's trouble.
HEAP_BYTES_PER_STEP = 2_000
# Of a rise: more than this beyond the most that may rise is a leak; what rises more than this
# beyond the least may be one.
LEAST_LEFT, MOST_DOUBTED = 0.1, 0.25


@dataclass(frozen=True)
class Allowance:
    """What may rise without being kept for ever.

    Args:
        why: Why something may; empty where nothing may.
        least_bytes: By how many bytes per step the heap rises at least for that; None where nobody
            knows.
        most_bytes: And at most.
        counted: By how many per step each counter of objects may, by its name; none of them is
            known where the bytes are not.
    """

    why: Unclear
    least_bytes: float | None
    most_bytes: float | None
    counted: Mapping[str, float]

    def beyond(self, climb: Climb | None) -> Climb | None:
        """Return what is left over of a rise for the loop itself; None where that is not sure."""
        if climb is None:
            return None
        _, most = self._allowed(climb)
        if most is None or climb.per_step - most < _least_left(climb, LEAST_LEFT):
            return None
        return replace(climb, per_step=climb.per_step - most)

    def accounts_for(self, climb: Climb) -> bool:
        """Tell whether most of a rise is known to be one that may be."""
        least, _ = self._allowed(climb)
        return least is not None and climb.per_step - least <= _least_left(climb, MOST_DOUBTED)

    def _allowed(self, climb: Climb) -> tuple[float | None, float | None]:
        if self.most_bytes is not None and self._is_counted(climb):
            count = self.counted.get(climb.name, 0.0)
            return count, count
        return self.least_bytes, self.most_bytes

    def _is_counted(self, climb: Climb) -> bool:
        return climb.name == TENSORS or climb.name.startswith(INSTANCES)


def allowance(evidence: Evidence) -> Allowance:
    """Return what may rise in a run.

    Args:
        evidence: What the counters of the run say.
    """
    climbs = evidence.climbs
    filling = evidence.blank or BOUNDED_ITEMS in climbs
    # Of stores that are full, and whose least is therefore at rest: they may rise for ever.
    heavier = BOUNDED_MOST in climbs and not filling
    given = bool(GIVEN & set(evidence.work))
    least: float | None = _per_step(climbs, BOUNDED_LEAST)
    most: float | None = _per_step(climbs, BOUNDED_MOST)
    if filling and (BOUNDED_MOST not in climbs or BOUNDED_UNKNOWN in climbs or evidence.blank):
        least = most = None
    if given and least is not None:
        most = math.inf  # what a step makes of more that it is given, nobody can bound
        more = evidence.work.get(COUNTED)
        least += COPIES * BYTES_OF_ELEMENT * more.per_step if more else 0.0
        least += _per_step(climbs, TENSOR_BYTES)
    counted = Counter({TENSORS: _per_step(climbs, BOUNDED_TENSORS)})
    for name, each in climbs.items():
        for prefix in (BOUNDED_OF, NOTED_OF):
            if name.startswith(prefix):
                counted[INSTANCES + name.removeprefix(prefix)] += each.per_step  # type: ignore[assignment]
    why: Unclear = "filling" if filling else "heavier" if heavier else "given" if given else ""
    return Allowance(why, least, most, counted)


def _per_step(climbs: Mapping[str, Climb], name: str) -> float:
    found = climbs.get(name)
    return found.per_step if found else 0.0


def _least_left(climb: Climb, share: float) -> float:
    floor = HEAP_BYTES_PER_STEP if climb.name.endswith("_bytes") else 0.0
    return max(floor, share * climb.per_step)
