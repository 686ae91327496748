"""Did a run do what its cause says it does? The same question in tests, tables and self-checks."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

from labkit.cause import Expectation
from labkit.record import Diagnosis, Run

EXPLAINED = 0.9
FEWEST_STEPS = 6


def fifths_ratio(run: Run) -> float:
    """Return the median step of the last fifth over that of the first, the first step left out.

    Raises:
        ValueError: If the run has fewer than six steps.
    """
    times = run.steps.seconds[1:]
    if len(times) < FEWEST_STEPS - 1:
        raise ValueError(f"{len(times) + 1} steps are too few for a ratio; run at least six.")
    fifth = max(1, len(times) // 5)
    return median(times[-fifth:]) / median(times[:fifth])


def missed(expectation: Expectation, run: Run, judged: Diagnosis) -> list[str]:
    """Return in what a run at a cause's default toggles fell short; empty where in nothing.

    Args:
        expectation: What the cause declares.
        run: One run of it.
        judged: What was said of the run.
    """
    if not run.state.completed:
        return [f"it ended {run.state.name}: {run.state.reason}"]
    if len(run.steps) < FEWEST_STEPS:
        return [f"it has only {len(run.steps)} steps"]
    return _counters(expectation, run) + _times(expectation, run, judged)


def _counters(expectation: Expectation, run: Run) -> list[str]:
    short = []
    for name, per_step in expectation.per_step.items():
        rises = {after - before for before, after in pairwise(run.values(name))}
        if rises != {per_step}:
            short.append(f"{name} rose by {_some(rises)} per step, not by {per_step:g}")
    for name, value in expectation.holds.items():
        if set(run.values(name)) != {value}:
            short.append(f"{name} was {_some(set(run.values(name)))}, not {value:g}")
    for name, least in expectation.rises.items():
        values = run.values(name)
        if not values or values[-1] - values[0] < least:
            said = f"{values[-1] - values[0]:g}" if values else "nothing"
            short.append(f"{name} rose by {said} in all, not by {least:g}")
    return short


def _some(values: set[float]) -> str:
    """Return up to three of the values in words."""
    return ", ".join(f"{value:g}" for value in sorted(values)[:3]) or "nothing"


def _times(expectation: Expectation, run: Run, judged: Diagnosis) -> list[str]:
    if expectation.shape == "comb" and all(event.kind == "toggle" for event in run.events):
        return ["nothing happened that could make a spike"]
    if not expectation.growth:
        return [f"verdict {judged.verdict.label}"] if judged.verdict.slower else []
    short = []
    ratio = fifths_ratio(run)
    if not judged.verdict.slower:
        short.append(f"verdict {judged.verdict.label}")
    if ratio <= 1 + expectation.growth:
        short.append(
            f"the last fifth took {ratio:.2f}x as long as the first, not more than "
            f"{1 + expectation.growth:g}x"
        )
    if judged.ledger.explained < EXPLAINED:
        short.append(f"the ledger explains {judged.ledger.explained:.0%}, not {EXPLAINED:.0%}")
    titles = {column.name: column.title for column in run.columns}
    most = next((titles.get(row.place, row.place) for row in judged.ledger.rows), None)
    if most is not None and most not in expectation.places:
        short.append(f"attributed to {most}")
    return short
