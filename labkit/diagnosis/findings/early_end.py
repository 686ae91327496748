"""Findings of an early end: the loop needed more memory than there is."""

from __future__ import annotations

from labkit.diagnosis.rules import rule
from labkit.record import Finding, Run
from labkit.record.proof import OutOfMemory

# What TensorFlow raises when a device has no block left, and Python when the system has none.
OUT_OF_MEMORY = ("ResourceExhaustedError", "MemoryError")
# Its words, where the loop raised something else because of it; and those for a full disk, which
# has the same class.
NO_BLOCK, FULL_DISK = "OOM when allocating", "No space left"
CAUSE = "memory_limit"


def ending_findings(run: Run) -> list[Finding]:
    """Return why a run was ended by its memory; empty where it was not.

    Args:
        run: With the state it ended in.
    """
    state = run.state
    raised = state.error in OUT_OF_MEMORY or NO_BLOCK in state.traceback
    if state.name != "memory_limit" and (not raised or FULL_DISK in state.traceback):
        return []
    return [Finding(CAUSE, "memory", 1.0, OutOfMemory(state.reason), rule(CAUSE).fix)]
