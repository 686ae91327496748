"""How much of the growth the ledger explains, on every cause that slows.

The causes are diagnosed as a loop of nobody knows what: with all probes, none chosen for them.
"""

from __future__ import annotations

import sys

from labkit.causes import every
from labkit.lab.own_loop.diagnose import diagnose
from labkit.show.titles import titled
from labkit.show.verdict.verdict_words import verdict_words
from tools.bench.figure import Figure

GROUP = "what the ledger explains of a cause's growth"
GOAL = 90.0


def measure() -> list[Figure]:
    """Return the percent explained for each cause whose curve is expected to climb, or to leap."""
    figures = []
    for cause in every():
        if cause.expectation.shape not in ("ramp", "cliff"):
            continue
        said = diagnose(cause.slug)
        rows = titled(said.diagnosis.ledger, said.diagnosis.judged.columns).rows
        if not rows:
            print(f"{cause.slug}: {verdict_words(said.diagnosis.verdict)}", file=sys.stderr)
        largest = ", ".join(f"{row.place} {100 * row.share:.0f} %" for row in rows[:2])
        found = said.diagnosis.findings
        first = f"first finding: {found[0].cause}" if found else "no finding"
        note = f"{largest or said.diagnosis.verdict.label}; {first}"
        explained = 100 * said.diagnosis.ledger.explained
        figures.append(Figure(GROUP, cause.slug, explained, "%", GOAL, note, more_is_better=True))
    return figures
