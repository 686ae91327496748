"""A run told in lines: how it ended, the verdict, the ledger, the evidence."""

from __future__ import annotations

from labkit.causes import SLUGS, load
from labkit.diagnosis import judgement
from labkit.record import Judgement, Run
from labkit.show import words
from labkit.show.machine import machine


def run_lines(run: Run, judged: Judgement) -> list[str]:
    """Return what can be said of a run, a line each; the traceback, where there is one, first."""
    toggles = load(run.cause).toggles if run.cause in SLUGS else ()
    lines = words.traceback(run.state.traceback).splitlines()
    lines.append(words.title(run.title, run.toggles, toggles))
    lines.append(f"  {words.state(run.state, len(run.steps))}")
    if not len(run.steps):
        return lines
    lines += [f"  {line}" for line in words.judgement(judged, toggles)]
    if told := machine([judged], chart=False):
        lines.append(f"  {told}")
    if judged.ledger.rows:
        lines.append(f"  {words.judged_ledger(judged, run.columns)}")
    if said := words.happened(run.events):
        lines.append(f"  {said}")
    return lines + [f"  {line}" for line in _evidence(run)]


def _evidence(run: Run) -> list[str]:
    """Return a line for each counter that moved, and for those its lab shows in any case."""
    shown = load(run.cause).lanes if run.cause in SLUGS else ()
    lines = []
    for column in run.columns:
        values = run.steps.column(column.name)
        # Not measured is NaN, which is unlike itself.
        moved = column.kind == "counter" and values[0] != values[-1] and values[0] == values[0]
        if moved or (column.name in shown and column.kind in ("counter", "machine")):
            lines.append(words.evidence(column, values[0], values[-1]))
    return lines


def tell(run: Run) -> None:
    """Print what can be said of a run: how it ended, verdict, ledger, evidence."""
    print("\n".join(run_lines(run, judgement(run))))
