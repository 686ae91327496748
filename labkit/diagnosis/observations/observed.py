"""A run as the stages of a diagnosis read it: each thing in it is worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from labkit.diagnosis.observations.evidence import Evidence, evidence
from labkit.diagnosis.observations.stretch import part_of
from labkit.diagnosis.observations.unsampled import recorded_steps, unsampled
from labkit.record import Run


@dataclass(frozen=True)
class Observed:
    """One stretch of a run, in which no toggle was flipped.

    Args:
        run: All that was recorded of it. Counters went on in the sampled steps as well: without
            those, each would rise too fast.
        judged: The same without its sampled steps, which say nothing of how long one takes.
    """

    run: Run
    judged: Run

    @cached_property
    def evidence(self) -> Evidence:
        """What the counters say; read when it is first asked for, as most live verdicts do not."""
        return evidence(self.run)

    def first(self, steps: int) -> Observed:
        """Return the first so many of the judged steps, with those sampled among them."""
        part = part_of(self.run, 0, recorded_steps(self.run, steps))
        return Observed(part, unsampled(part))
