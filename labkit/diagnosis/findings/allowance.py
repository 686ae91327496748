"""Allowance: how much memory may rise for a while, since a store fills or each step is given more.

A store with a bound comes to rest, and what a step is given it gives back. What is left over of a
rise is the loop's own. Where nobody knows how much may rise, nobody knows whether the loop leaks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from labkit.diagnosis.evidence import BOUNDED, BOUNDED_BYTES, HELD_OF_CLASS, INSTANCES, Evidence
from labkit.record.diagnosis import Climb, Unclear

# Counters of how much each step is given.
GIVEN = frozenset(
    {"trainings", "argument_elements", "argument_sizes", "function_elements", "elements"}
)
# A number of a batch has 8 bytes at most, and may be alive as an array and as a tensor.
COUNTED, BYTES_OF_ELEMENT, COPIES = "argument_elements", 8.0, 2.0
TENSORS = "live_tensor_bytes"
# Entries are weighed by the newest, and allocators round up: what is left must be most of the rise.
LEAST_LEFT = 0.5


@dataclass(frozen=True)
class Allowance:
    """What may rise without being kept for ever.

    Args:
        filling: Whether a store with a bound is still filling.
        given: Whether each step is given more than the one before.
        heap_bytes: By how many bytes per step the heap may rise; None where nobody knows.
        instances: By how many objects per step each class of the reader's may, by the name of its
            counter; none of them is known where the first is not.
    """

    filling: bool
    given: bool
    heap_bytes: float | None
    instances: dict[str, float]

    @property
    def why(self) -> Unclear:
        """Why something may rise; empty where nothing may."""
        return "filling" if self.filling else "given" if self.given else ""

    def beyond(self, climb: Climb | None) -> Climb | None:
        """Return what is left over of a rise for the loop itself; None where that is not most."""
        if climb is None or not self._is_left(climb):
            return None
        if self.given and not climb.name.startswith(INSTANCES):
            return None  # what a step makes of more that it is given, nobody can bound
        return replace(climb, per_step=climb.per_step - (self._allowed(climb) or 0.0))

    def accounts_for(self, climb: Climb) -> bool:
        """Tell whether most of a rise is known to be one that may be."""
        return self._allowed(climb) is not None and not self._is_left(climb)

    def _is_left(self, climb: Climb) -> bool:
        allowed = self._allowed(climb)
        return allowed is not None and climb.per_step - allowed >= LEAST_LEFT * climb.per_step

    def _allowed(self, climb: Climb) -> float | None:
        if self.heap_bytes is None:
            return None
        if climb.name.startswith(INSTANCES):
            return self.instances.get(climb.name, 0.0)
        return self.heap_bytes


def allowance(evidence: Evidence) -> Allowance:
    """Return what may rise in a run.

    Args:
        evidence: What the counters of the run say.
    """
    climbs = evidence.climbs
    stores = [name.removeprefix(BOUNDED) for name in climbs if name.startswith(BOUNDED)]
    given = GIVEN & set(evidence.work)
    weights = [climbs.get(BOUNDED_BYTES + store) for store in stores]
    known = [each.per_step for each in weights if each is not None]
    heap_bytes = sum(known) if len(known) == len(stores) else None
    if given and heap_bytes is not None:
        more = evidence.work.get(COUNTED)
        tensors = climbs.get(TENSORS)
        heap_bytes += COPIES * BYTES_OF_ELEMENT * more.per_step if more else 0.0
        heap_bytes += tensors.per_step if tensors else 0.0
    instances = {
        INSTANCES + name.removeprefix(HELD_OF_CLASS): each.per_step
        for name, each in climbs.items()
        if name.startswith(HELD_OF_CLASS)
    }
    return Allowance(bool(stores), bool(given), heap_bytes, instances)
