"""Findings of an early end: the loop needed more memory than there is."""

from __future__ import annotations

from labkit.diagnosis.rules import rule
from labkit.record import Finding, Run
from labkit.record.proof import OutOfMemory

# What TensorFlow raises when a device has no block left, and Python when the system has none.
OUT_OF_MEMORY = ("ResourceExhaustedError", "MemoryError", "OOM when allocating")
CAUSE = "memory_limit"


def ending_findings(run: Run) -> list[Finding]:
    """Return why a run was ended by its memory; empty where it was not.

    Args:
        run: With the state it ended in.
    """
    ended = run.state.name == "memory_limit"
    told = f"{run.state.reason}\n{run.state.traceback}"
    if not ended and not (run.state.name == "failed" and any(e in told for e in OUT_OF_MEMORY)):
        return []
    return [Finding(CAUSE, "memory", 1.0, OutOfMemory(run.state.reason), rule(CAUSE).fix)]
