"""A figure: one measured number with its unit and the goal beside it."""

from __future__ import annotations

from dataclasses import dataclass


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
    """

    group: str
    name: str
    value: float
    unit: str
    goal: float | None = None
    note: str = ""

    @property
    def mark(self) -> str:
        """Whether the goal is reached: ``yes``, ``no`` or nothing to say."""
        if self.goal is None:
            return ""
        return "yes" if self.value <= self.goal else "no"
