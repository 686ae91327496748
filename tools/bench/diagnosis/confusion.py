"""The confusion matrices of a diagnosis: what the loops are, against what was said of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.loops.expected import NOTHING
from tools.bench.diagnosis.outcome import FAILED, NONE, Outcome
from tools.markdown import table

SLOWER = "slower"
KEEPS = {"yes": "leaking", "no": "flat", "either": "either is true"}
# Rows and columns that come after all others.
LAST = (NOTHING, NONE, FAILED)


def matrix(outcomes: Sequence[Outcome]) -> str:
    """Return the matrix of causes as a Markdown table; a gap is a zero.

    Args:
        outcomes: What was said. A row is what a loop is, a column the cause that stood first. A
            loop of which more than one cause may be said is in the row of the plainest.
    """
    pairs = [(outcome.expected.truth, outcome.first) for outcome in outcomes]
    return _matrix("it is / first finding", pairs, frozenset({NONE}))


def time_matrix(outcomes: Sequence[Outcome]) -> str:
    """Return the matrix of verdicts on the time; a slowdown and a shift are both slower.

    Args:
        outcomes: What was said. A loop that may be called by several labels is in the row of the
            plainest: one that is flat after some slower steps may be called flat as well.
    """
    pairs = [(_time(each.expected.labels[0]), _time(each.label)) for each in outcomes]
    return _matrix("the steps are / are called", pairs)


def memory_matrix(outcomes: Sequence[Outcome]) -> str:
    """Return the matrix of verdicts on the memory."""
    pairs = [(KEEPS[each.expected.leaking], each.memory) for each in outcomes]
    return _matrix("memory is / is called", pairs)


def misses(outcomes: Sequence[Outcome]) -> str:
    """Return every loop of which something wrong was said, as a Markdown list."""
    told = [f"- `{each.expected.file}`: {'; '.join(each.misses())}" for each in outcomes]
    wrong = [line for line, each in zip(told, outcomes, strict=True) if each.misses()]
    return "\n".join(wrong) or "None."


def _time(label: str) -> str:
    return SLOWER if label in ("slowdown", "shift") else label


def _matrix(
    head: str, pairs: Sequence[tuple[str, str]], always: frozenset[str] = frozenset()
) -> str:
    """Return pairs of truth and word, counted; a column of `always` is there in any case."""
    cells = Counter(pairs)

    def place(name: str) -> tuple[int, str]:
        return LAST.index(name) if name in LAST else -1, name

    rows = sorted({row for row, _ in pairs}, key=place)
    shown = {column for _, column in pairs} | set(rows) | always
    columns = sorted(shown - {NOTHING, KEEPS["either"]}, key=place)
    lines = [[head, *columns, "loops"]]
    for row in rows:
        counts = [cells[row, column] for column in columns]
        lines.append([row, *(str(count or "") for count in [*counts, sum(counts)])])
    return table(lines, right=range(1, len(columns) + 2))
