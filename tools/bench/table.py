"""The figures as a table: for a terminal, and as the page in docs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from tools.bench.figure import Figure

HEADINGS = ("figure", "value", "goal", "reached", "note")
PAGE = """# Benchmarks

What labkit promises of its own speed, measured by `make bench` ({command}) on the machine named
below. Rivals run in the same process on the same curve. A figure without a goal is there to compare
with. Figures from a busy machine are worse; measure on a quiet one.

{machine}

{tables}
"""


def terminal(figures: Sequence[Figure]) -> str:
    """Return the figures as aligned lines, a block for each group."""
    rows = [_cells(figure) for figure in figures]
    widths = [max(len(row[k]) for row in [HEADINGS, *rows]) for k in range(len(HEADINGS))]
    lines = [_line(HEADINGS, widths), "-" * (sum(widths) + 2 * len(widths) - 2)]
    for group, members in groupby(figures, lambda figure: figure.group):
        lines += ["", group, *(_line(_cells(figure), widths) for figure in members)]
    return "\n".join(lines)


def page(figures: Sequence[Figure], machine: Mapping[str, str], command: str) -> str:
    """Return the page for docs, in Markdown."""
    facts = "\n".join(f"- {name}: {value}" for name, value in machine.items())
    tables = []
    for group, members in groupby(figures, lambda figure: figure.group):
        rows = [HEADINGS, ("---", "---:", "---:", "---", "---"), *map(_cells, members)]
        table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
        tables.append(f"## {group[:1].upper()}{group[1:]}\n\n{table}")
    return PAGE.format(command=f"`{command}`", machine=facts, tables="\n\n".join(tables))


def _cells(figure: Figure) -> tuple[str, ...]:
    goal = "" if figure.goal is None else _number(figure.goal, figure.unit)
    return figure.name, _number(figure.value, figure.unit), goal, figure.mark, figure.note


def _number(value: float, unit: str) -> str:
    return f"{value:.3g} {unit}" if value < 1_000 else f"{value:,.0f} {unit}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    name, value, goal, reached, note = (
        cell.rjust(width) if k in (1, 2) else cell.ljust(width)
        for k, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join((name, value, goal, reached, note)).rstrip()
