"""A run told in lines: how it ended, the verdict, the ledger, the evidence."""

from __future__ import annotations

from labkit.causes import SLUGS, load
from labkit.diagnosis import judgement
from labkit.record import Judgement, Run
from labkit.show import words


def run_lines(run: Run, judged: Judgement) -> list[str]:
    """Return what can be said of a run, a line each; the traceback, where there is one, first."""
    toggles = load(run.cause).toggles if run.cause in SLUGS else ()
    lines = run.state.traceback.rstrip().splitlines()
    lines.append(f"{run.title}, {words.toggle_values(run.toggles, toggles)}")
    lines.append(f"  {words.state(run.state, len(run.steps))}")
    if not len(run.steps):
        return lines
    lines += [f"  {line}" for line in words.judgement(judged, toggles)]
    if judged.ledger.rows:
        lines.append(f"  {words.judged_ledger(judged, run.columns)}")
    for column in run.column_of_kind("counter"):
        values = run.steps.column(column.name)
        lines.append(f"  {words.evidence(column, values[0], values[-1])}")
    return lines


def tell(run: Run) -> None:
    """Print what can be said of a run: how it ended, verdict, ledger, evidence."""
    print("\n".join(run_lines(run, judgement(run))))
