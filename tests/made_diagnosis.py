"""Diagnoses made up for tests, of a run without a step unless one is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from labkit.record import (
    Diagnosis,
    Event,
    Finding,
    Ledger,
    Memory,
    Run,
    State,
    Steps,
    ToggleValue,
    Verdict,
)

NO_STEPS = Run("made", "made", State("done"), (), Steps({"start_seconds": [], "seconds": []}))


def made_diagnosis(
    verdict: Verdict,
    memory: Memory,
    ledger: Ledger,
    findings: tuple[Finding, ...] = (),
    run: Run = NO_STEPS,
    **parts: Any,
) -> Diagnosis:
    """Return a diagnosis with one verdict, of a run whose steps were all judged."""
    return Diagnosis(run, run, (verdict,), ledger, memory, findings, examined=True, **parts)


def flipped_run(state: State, *stretches: tuple[int, dict[str, ToggleValue]]) -> Run:
    """Return a run cut by flips.

    Args:
        state: How it ended.
        stretches: Of each how many steps it has, and its toggles.
    """
    events, start, before = [], 0, stretches[0][1]
    for steps, toggles in stretches:
        changed = [(name, value) for name, value in toggles.items() if before[name] != value]
        events += [Event(start, "toggle", "", {"name": n, "value": v}) for n, v in changed]
        start, before = start + steps, toggles
    seconds = Steps({"start_seconds": [0.0] * start, "seconds": [0.01] * start})
    return replace(
        NO_STEPS, state=state, steps=seconds, toggles=stretches[0][1], events=tuple(events)
    )


def judged(run: Run, verdicts: Sequence[Verdict], ledger: Ledger | None = None) -> Diagnosis:
    """Return what is said of the stretches of a run."""
    return Diagnosis(run, run, tuple(verdicts), ledger or Ledger())
