"""How right a diagnosis is of loops as people write them, those of tests/loops.

The loops at which the rules were made and those held out have figures of their own. The confusion
matrices and every miss go to docs/measured/confusion.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.loops.expected import HELD_OUT, LOOPS
from tools.bench.diagnosis.asked import Asked
from tools.bench.diagnosis.confusion import matrix, memory_matrix, misses, time_matrix
from tools.bench.diagnosis.diagnoses import Diagnose, diagnosed, keep, ours
from tools.bench.diagnosis.outcome import Outcome
from tools.bench.figure import Figure

CONFUSION = Path(__file__).parents[3] / "docs" / "measured" / "confusion.md"
TABLES = {"diagnosis of the known loops": LOOPS, "diagnosis of the held-out loops": HELD_OUT}


ASKED: tuple[Asked[Outcome], ...] = (
    Asked("time label right", lambda one: one.time_right, 95),
    Asked("time label right, the plainest only", lambda one: one.time_exact),
    Asked("slowdown claimed where steps stay as they are", lambda one: one.called_slower, 2, False,
          among=lambda one: not one.expected.slower),
    Asked("first finding is the cause", lambda one: one.first_right, 90,
          among=lambda one: bool(one.expected.first)),
    Asked("no finding where nothing is to be found", lambda one: one.quiet, 98,
          among=lambda one: not one.expected.first),
    Asked("leak found", lambda one: one.called_leaking, 90,
          among=lambda one: one.expected.leaking == "yes"),
    Asked("leak found, with its place", lambda one: one.place_told, 90,
          among=lambda one: one.expected.leaking == "yes"),
    Asked("leak claimed where nothing is kept", lambda one: one.called_leaking, 5, False,
          among=lambda one: one.expected.leaking == "no"),
    Asked("answered within 20 s", lambda one: one.seconds <= 20, 50),
)  # fmt: skip


def measure(diagnose: Diagnose | None = None) -> list[Figure]:
    """Return the figures of both tables of loops, and write the confusion matrices of each."""
    diagnose = diagnose or ours()
    figures: list[Figure] = []
    pages: list[str] = []
    every: list[Outcome] = []
    for group, expected in TABLES.items():
        outcomes = list(diagnosed(expected, diagnose))
        figures += scored(group, outcomes)
        heading = f"## What was said of each: {group}"
        tables = "\n\n".join(each(outcomes) for each in (matrix, time_matrix, memory_matrix))
        pages.append(f"{heading}\n\n{tables}\n\nMisses:\n\n{misses(outcomes)}\n")
        every += outcomes
    keep(every)
    CONFUSION.write_text("\n".join(pages))
    return figures


def scored(group: str, outcomes: Sequence[Outcome]) -> list[Figure]:
    """Return the figures of some outcomes."""
    figures = [figure for asked in ASKED if (figure := asked.figure(group, outcomes))]
    longest = max(outcomes, key=lambda outcome: outcome.seconds)
    return [
        *figures,
        Figure(group, "longest diagnosis", longest.seconds, "s", 60, longest.expected.file),
    ]
