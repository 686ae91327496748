"""What makes a loop's own work longer, where no patch tells: what it keeps, or is given."""

from __future__ import annotations

from dataclasses import replace

from labkit.diagnosis.findings.slower_ops import slower_ops
from labkit.diagnosis.observations.evidence import ECHOES, PYTHON_CALLS, Evidence
from labkit.diagnosis.observations.monotone import Climb
from labkit.record import Finding, Run
from labkit.record.proof import Grown, HandlersGrew, KeptGrew, WorkGrew

# The work handles what is kept if each element more of that is so many elements more of work: one
# or a few ops go through all of it.
OPS_THROUGH = (0.7, 4.5)
BYTES_PER_ELEMENT = 4
TENSORS = ("live_tensor_bytes", "live_tensors")


def own_work(
    run: Run, share: float, ops_share: float, evidence: Evidence, *, heap: bool
) -> Finding | None:
    """Tell what makes the loop's own work longer: what it keeps, or what it is given.

    Args:
        run: Without its sampled steps.
        share: Of the growth, what no other cause's places hold.
        ops_share: What running ops holds of it.
        evidence: What its counters say.
        heap: Whether what is kept makes collections longer, which is told on its own.

    Returns:
        The finding; None where nothing tells.
    """
    line = evidence.functions[0] if evidence.functions else ("", 0.0)
    handlers = evidence.rising(("log_handlers",))
    if handlers and PYTHON_CALLS in evidence.work:
        passed = HandlersGrew(share, _grown(handlers), *line)
        return Finding("observer", "growth", share, passed, "one_handler")
    threads = evidence.rising(("threads",))
    tensors = evidence.rising(TENSORS)
    # Each thread that waits somewhere makes a little more expensive whatever wakes another.
    kept = [*evidence.kept(), *filter(None, (threads, tensors))]
    handled = _handled(kept, evidence)
    # Where the heap is at fault already, what the work does not handle is told there.
    kept = handled if heap and set(evidence.work) - ECHOES else handled or kept
    pace = _elements(tensors) if tensors else 0.0
    if kept and not handled and (ops := slower_ops(run, ops_share, frozenset(evidence.work), pace)):
        return Finding("fragmentation", "growth", share, replace(ops, share=share), "equal_blocks")
    if kept:
        piled = KeptGrew(share, _grown(kept[0]), *line)
        return Finding("history", "growth", share, piled, "running_total")
    if evidence.work:
        most = max(evidence.work.values(), key=lambda each: each.rise / max(1.0, each.first))
        given = WorkGrew(share, _grown(most), *line)
        return Finding("work_growth", "growth", share, given, "equal_work")
    return None


def _grown(found: Climb) -> Grown:
    return Grown(found.name, found.first, found.last, found.per_step)


def _handled(kept: list[Climb], evidence: Evidence) -> list[Climb]:
    """Return those of what is kept at whose pace the work grows."""
    least, most = OPS_THROUGH
    paces = [work.per_step for name, work in evidence.work.items() if name not in ECHOES]
    return [each for each in kept if any(least <= pace / _elements(each) <= most for pace in paces)]


def _elements(kept: Climb) -> float:
    """Return how many elements more are kept a step."""
    return kept.per_step / (BYTES_PER_ELEMENT if kept.name == "live_tensor_bytes" else 1)
