"""A loop: a step, and what of it is worth counting beside the clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Loop:
    """What a cause's ``make_step`` may return instead of a bare step.

    Args:
        step: Does one step.
        counters: For each counter the cause declares, a function that reads it now. They are read
            after every step, outside its clock, so they must be cheap: a ``len``, not a search.
    """

    step: Callable[[], object]
    counters: Mapping[str, Callable[[], float]] = field(default_factory=dict)
