"""The figures as tables: for a terminal, and for a page of docs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from tools.bench.figure import Figure

Row = tuple[str, ...]


def terminal(figures: Sequence[Figure]) -> str:
    """Return the figures as aligned lines, a block for each group."""
    blocks = []
    for group, members in _groups(figures):
        rows = _rows(members)
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [_line(row, widths) for row in rows]
        blocks.append("\n".join([group, lines[0], "-" * max(map(len, lines)), *lines[1:]]))
    return "\n\n".join(blocks)


def markdown(figures: Sequence[Figure]) -> str:
    """Return the figures in Markdown, a table for each group."""
    tables = []
    for group, members in _groups(figures):
        heading, *rest = _rows(members)
        rule = tuple(
            "---:" if _is_number(place, heading) else "---" for place in range(len(heading))
        )
        table = "\n".join("| " + " | ".join(row) + " |" for row in (heading, rule, *rest))
        tables.append(f"## {group[:1].upper()}{group[1:]}\n\n{table}")
    return "\n\n".join(tables)


def _groups(figures: Sequence[Figure]) -> list[tuple[str, list[Figure]]]:
    return [(name, list(each)) for name, each in groupby(figures, lambda figure: figure.group)]


def _rows(figures: Sequence[Figure]) -> list[Row]:
    """Return the heading and a row a figure; a rival that has no such figure leaves a gap."""
    rivals = list(dict.fromkeys(name for figure in figures for name in figure.rivals))
    rows: list[Row] = [("figure", "value", "goal", "reached", *rivals, "note")]
    for figure in figures:
        goal = "" if figure.goal is None else _number(figure.goal, figure.unit)
        if goal and figure.more_is_better:
            goal = f"at least {goal}"
        beside = (
            _number(figure.rivals[name], figure.unit) if name in figure.rivals else ""
            for name in rivals
        )
        own = figure.name, _number(figure.value, figure.unit), goal, figure.mark
        rows.append((*own, *beside, figure.note))
    return rows


def _is_number(place: int, heading: Row) -> bool:
    return place in (1, 2) or 3 < place < len(heading) - 1


def _number(value: float, unit: str) -> str:
    return f"{value:.3g} {unit}" if value < 1_000 else f"{value:,.0f} {unit}"


def _line(cells: Row, widths: Sequence[int]) -> str:
    aligned = (
        cell.rjust(width) if _is_number(place, cells) else cell.ljust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join(aligned).rstrip()
