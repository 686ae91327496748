"""A figure: one measured number with its unit and the goal beside it; and tables of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from statistics import median

from tools.markdown import table


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


def median_wait(group: str, name: str, waits: Sequence[float], goal: float | None) -> Figure:
    """Return the median of some seconds as a figure."""
    note = f"median of {len(waits)}, from {min(waits):.2f} to {max(waits):.2f}"
    return Figure(group, name, median(waits), "s", goal, note)


def terminal(figures: Sequence[Figure]) -> str:
    """Return the figures as aligned lines, a block for each group."""
    blocks = []
    for group, rows, numbers in _tables(figures):
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(
                cell.rjust(width) if place in numbers else cell.ljust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        blocks.append("\n".join([group, lines[0], "-" * max(map(len, lines)), *lines[1:]]))
    return "\n\n".join(blocks)


def markdown(figures: Sequence[Figure]) -> str:
    """Return the figures in Markdown, a table for each group."""
    return "\n\n".join(
        f"## {group[:1].upper()}{group[1:]}\n\n{table(rows, right=numbers)}"
        for group, rows, numbers in _tables(figures)
    )


def _tables(figures: Sequence[Figure]) -> Iterator[tuple[str, list[tuple[str, ...]], set[int]]]:
    """Yield each group, its rows with the heading first, and which columns hold numbers.

    A rival that has no such figure leaves a gap.
    """
    for group, each in groupby(figures, lambda figure: figure.group):
        members = list(each)
        rivals = list(dict.fromkeys(name for figure in members for name in figure.rivals))
        rows: list[tuple[str, ...]] = [("figure", "value", "goal", "reached", *rivals, "note")]
        for figure in members:
            goal = "" if figure.goal is None else _number(figure.goal, figure.unit)
            if goal and figure.more_is_better:
                goal = f"at least {goal}"
            beside = (
                _number(figure.rivals[name], figure.unit) if name in figure.rivals else ""
                for name in rivals
            )
            own = figure.name, _number(figure.value, figure.unit), goal, figure.mark
            rows.append((*own, *beside, figure.note))
        yield group, rows, {1, 2, *range(4, 4 + len(rivals))}


def _number(value: float, unit: str) -> str:
    return f"{value:.3g} {unit}" if value < 1_000 else f"{value:,.0f} {unit}"
