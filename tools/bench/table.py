"""The figures as a table: for a terminal, and as the page in docs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from tools.bench.figure import Figure

Row = tuple[str, ...]
PAGE = """# Benchmarks

What labkit promises of its own speed and of its verdicts, measured by `make bench` ({command}) on
the machine named below. Rivals run in the same process on the same curve. A figure without a goal
is there to compare with. Figures from a busy machine are worse; measure on a quiet one.

In a table of verdicts an alarm is the word slowdown, shift or unsteady, and a growth is found if it
raises one. Every noise counts the same; the last column names the worst. Rivals judge as their
users let them: OLS and Mann-Kendall at 1 %, the Theil-Sen bootstrap at 1 % and for 5 % of growth or
more, asv and Otava by a last level that lies 5 % above the lowest. A gap is a word that a rival
does not have, or a length that it does not bear.

{machine}

{tables}
"""


def terminal(figures: Sequence[Figure]) -> str:
    """Return the figures as aligned lines, a block for each group."""
    blocks = []
    for group, members in _groups(figures):
        rows = _rows(members)
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [_line(row, widths) for row in rows]
        blocks.append("\n".join([group, lines[0], "-" * max(map(len, lines)), *lines[1:]]))
    return "\n\n".join(blocks)


def page(figures: Sequence[Figure], machine: Mapping[str, str], command: str) -> str:
    """Return the page for docs, in Markdown."""
    facts = "\n".join(f"- {name}: {value}" for name, value in machine.items())
    tables = []
    for group, members in _groups(figures):
        heading, *rest = _rows(members)
        rule = tuple(
            "---:" if _is_number(place, heading) else "---" for place in range(len(heading))
        )
        table = "\n".join("| " + " | ".join(row) + " |" for row in (heading, rule, *rest))
        tables.append(f"## {group[:1].upper()}{group[1:]}\n\n{table}")
    return PAGE.format(command=f"`{command}`", machine=facts, tables="\n\n".join(tables))


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
