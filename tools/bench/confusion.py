"""The confusion matrix of a diagnosis: what the loops are, against what stood first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.loops.expectation import NOTHING
from tools.bench.outcome import FAILED, NONE, Outcome


def matrix(outcomes: Sequence[Outcome]) -> str:
    """Return the matrix as a Markdown table; a gap is a zero.

    Args:
        outcomes: What was said. A row is what a loop is, a column the cause that stood first. A
            loop of which more than one cause may be said is in the row of the plainest.
    """
    cells = Counter((outcome.expected.truth, outcome.first) for outcome in outcomes)
    rows = sorted({row for row, _ in cells} - {NOTHING})
    columns = sorted({column for _, column in cells} - {NONE, FAILED} | set(rows))
    if any(row == NOTHING for row, _ in cells):
        rows.append(NOTHING)
    columns.append(NONE)
    if any(column == FAILED for _, column in cells):
        columns.append(FAILED)
    lines = [
        _line("it is / first finding", [*columns, "loops"]),
        _line("---", ["---:"] * (len(columns) + 1)),
    ]
    for row in rows:
        counts = [cells[row, column] for column in columns]
        lines.append(_line(row, [str(count or "") for count in [*counts, sum(counts)]]))
    return "\n".join(lines)


def misses(outcomes: Sequence[Outcome]) -> str:
    """Return every loop of which something wrong was said, as a Markdown list."""
    told = [f"- `{each.expected.file}`: {'; '.join(each.misses())}" for each in outcomes]
    wrong = [line for line, each in zip(told, outcomes, strict=True) if each.misses()]
    return "\n".join(wrong) or "None."


def _line(head: str, cells: Sequence[str]) -> str:
    return "| " + " | ".join([head, *cells]) + " |"
