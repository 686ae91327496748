"""A figure: one measured number with its unit and the goal beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Figure:
    """One measured number.

    Args:
        group: What is measured, e.g. ``"recording a step"``.
        name: Which way, e.g. ``"bare"``.
        value: The number.
        unit: Its unit.
        goal: The largest value that is good; None for a rival or for a figure without goal.
        note: How it was measured, where that is not plain.
        more_is_better: Whether the goal is the smallest value that is good instead.
        rivals: The same figure of others, by their name, where each has a column.
    """

    group: str
    name: str
    value: float
    unit: str
    goal: float | None = None
    note: str = ""
    more_is_better: bool = False
    rivals: Mapping[str, float] = field(default_factory=dict)

    @property
    def mark(self) -> str:
        """Whether the goal is reached: ``yes``, ``no`` or nothing to say."""
        if self.goal is None:
            return ""
        good = self.value >= self.goal if self.more_is_better else self.value <= self.goal
        return "yes" if good else "no"
