"""What a cause is expected to do, and what is said when it ends in an error on purpose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Expectation:
    """What a cause is expected to do at its default toggles and sizes.

    Args:
        shape: The shape of the iteration-time curve.
        steps: How many steps make the effect clear.
        growth: The smallest growth that counts as showing it (0.8 is +80 %); 0 where no step time
            grows.
        per_step: For each counter, how much it rises per step, exactly.
        holds: For each counter, the value it has after every step, exactly.
        rises: For each counter, how much it rises from the first step to the last, at least.
        places: What the ledger is expected to attribute the growth to.
    """

    shape: Literal["flat", "ramp", "stairs", "comb", "cliff"]
    steps: int
    growth: float
    per_step: Mapping[str, float] = field(default_factory=dict)
    holds: Mapping[str, float] = field(default_factory=dict)
    rises: Mapping[str, float] = field(default_factory=dict)
    places: tuple[str, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """What to tell a learner when a loop ends in an error that belongs to the lesson.

    Args:
        error: The name of the exception's class, e.g. ``"RuntimeError"``, or of the signal that
            ends the process, e.g. ``"SIGSEGV"``.
        contains: Words of its message that tell it from others.
        sentence: What happened, and what still works.
    """

    error: str
    contains: str
    sentence: str

    def fits(self, error: BaseException) -> bool:
        """Tell whether this explains an error."""
        names = {kind.__name__ for kind in type(error).__mro__}
        return self.error in names and self.contains in str(error)
