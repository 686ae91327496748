"""Markdown that commands write: tables, and the part of a page below its mark.

What stands above the mark is written by hand and left as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

MARK = "<!-- A command writes what follows; edit what stands above. -->\n"


def table(rows: Iterable[Sequence[str]], *, right: Collection[int] = ()) -> str:
    """Return a table.

    Args:
        rows: Its cells, the heading first.
        right: The numbers of the columns that are aligned to the right.
    """
    heading, *rest = rows
    rule = ["---:" if place in right else "---" for place in range(len(heading))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heading, rule, *rest))


def machine_table(facts: Mapping[str, str]) -> str:
    """Return what was measured on, under its heading."""
    return f"## The machine\n\n{table([('machine', ''), *facts.items()])}"


def write_below_mark(page: Path, text: str) -> None:
    """Put a text in the place of what follows the mark of a page."""
    above, mark, _ = page.read_text(encoding="utf-8").partition(MARK)
    assert mark, f"{page} has no line {MARK!r}"
    page.write_text(f"{above}{mark}\n{text}\n", encoding="utf-8")
