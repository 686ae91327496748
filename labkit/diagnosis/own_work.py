"""What makes a loop's own work longer, where no choke point tells: what it keeps, or is given."""

from __future__ import annotations

from labkit.diagnosis import suspects
from labkit.diagnosis.climb import Climb
from labkit.diagnosis.evidence import ECHOES, PYTHON_CALLS, Evidence
from labkit.diagnosis.slower_ops import slower_ops
from labkit.record import Run
from labkit.record.quantity import duration, quantity

# The work handles what is kept if each element more of that is so many elements more of work: one
# or a few ops go through all of it.
OPS_THROUGH = (0.7, 4.5)
BYTES_PER_ELEMENT = 4
TENSORS = ("live_tensor_bytes", "live_tensors")


def own_work(
    run: Run, share: float, ops_share: float, evidence: Evidence, *, heap: bool
) -> tuple[str, float, str, str] | None:
    """Tell what makes the loop's own work longer: what it keeps, or what it is given.

    Args:
        run: Without its sampled steps.
        share: Of the growth, what no other cause's places hold.
        ops_share: What running ops holds of it.
        evidence: What its counters say.
        heap: Whether what is kept makes collections longer, which is told on its own.

    Returns:
        The cause, the share, the proof and the fix; None where nothing tells.
    """
    where = ""
    if evidence.functions:
        name, seconds = evidence.functions[0]
        where = f" Most of it at {name}: {duration(seconds)} a step more than at the start."
    handlers = evidence.rising(("log_handlers",))
    if handlers and PYTHON_CALLS in evidence.work:
        proof = (
            f"{100 * share:.0f} % of the growth is the step's own work, while log handlers grow "
            f"from {handlers.first:,.0f} to {handlers.last:,.0f}: each message passes all of them."
            f"{where}"
        )
        return "observer", share, proof, suspects.LOGGING_FIX
    threads = evidence.rising(("threads",))
    tensors = evidence.rising(TENSORS)
    # Each thread that waits somewhere makes a little dearer whatever wakes another.
    kept = [*evidence.kept(), *filter(None, (threads, tensors))]
    handled = _handled(kept, evidence)
    # Where the heap is at fault already, what the work does not handle is told there.
    kept = handled if heap and set(evidence.work) - ECHOES else handled or kept
    pace = _elements(tensors) if tensors else 0.0
    if kept and not handled and (ops := slower_ops(run, ops_share, frozenset(evidence.work), pace)):
        proof = (
            f"{100 * share:.0f} % of the growth is running the same ops, {ops}, while what is kept "
            "grows: finding a free block of memory takes longer."
        )
        return "fragmentation", share, proof, suspects.FRAGMENTATION_FIX
    if kept:
        what = kept[0]
        shown, more = what.name.removeprefix("kept/"), quantity(what.per_step, "")
        proof = (
            f"{100 * share:.0f} % of the growth is the step's own work, while {shown} grows by "
            f"{more} a step, from {what.first:,.0f} to {what.last:,.0f}.{where}"
        )
        return "history", share, proof, suspects.HISTORY_FIX
    if evidence.work:
        what = max(evidence.work.values(), key=lambda each: each.rise / max(1.0, each.first))
        titles = {column.name: column.title for column in run.columns}
        proof = (
            f"{100 * share:.0f} % of the growth is the step's own work, and the work grows: "
            f"{titles.get(what.name, what.name.replace('_', ' '))} from {what.first:,.0f} to "
            f"{what.last:,.0f}.{where}"
        )
        return "work_growth", share, proof, suspects.WORK_FIX
    return None


def _handled(kept: list[Climb], evidence: Evidence) -> list[Climb]:
    """Return those of what is kept at whose pace the work grows."""
    least, most = OPS_THROUGH
    paces = [work.per_step for name, work in evidence.work.items() if name not in ECHOES]
    return [each for each in kept if any(least <= pace / _elements(each) <= most for pace in paces)]


def _elements(kept: Climb) -> float:
    """Return how many elements more are kept a step."""
    return kept.per_step / (BYTES_PER_ELEMENT if kept.name == "live_tensor_bytes" else 1)
