"""What makes a loop's own work longer, where no patch tells: what it keeps, or is given.

Ops may also take longer than their work explains: finding a free block of memory for them does.
"""

from __future__ import annotations

import numpy as np

from labkit.diagnosis.evidence import ECHOES, PYTHON_CALLS, Evidence
from labkit.diagnosis.findings.recursion import nesting_finding
from labkit.diagnosis.rules import NAMED_ALONE
from labkit.record import Finding, Run
from labkit.record.diagnosis import Climb
from labkit.record.proof import Grown, HandlersGrew, KeptGrew, SlowerOps, WorkGrew
from labkit.stats.machine.drift import level
from labkit.stats.series import Numbers

# The work handles what is kept if each element more of that is so many elements more of work: one
# or a few ops go through all of it.
OPS_THROUGH = (0.7, 4.5)
BYTES_PER_ELEMENT = 4
TENSORS = ("live_tensor_bytes", "live_tensors")
ARGUMENTS, SIZES, RUNNING_OPS = "argument_elements", "argument_sizes", "running_ops_seconds"
# To go through what is kept, even once, takes as many elements of work.
UNTOUCHED = 0.1
# A product of square matrices takes n ** 3 for n ** 2 elements; hardly an op is steeper.
STEEPEST = 1.5
FAR_MORE = 1.1
AS_MANY = 1.02
SHORTEST_SECONDS = 1e-7
LOGGING = " > logging."


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
    # The stacks say it, too, where there are too few samples of the calls to see them rise.
    if handlers and (PYTHON_CALLS in evidence.work or LOGGING in line[0]):
        passed = HandlersGrew(share, _grown(handlers), *line)
        return Finding("observer", "growth", share, passed, "one_handler")
    if deeper := nesting_finding(evidence, len(run.steps), share):
        return deeper
    threads = evidence.rising(("threads",))
    tensors = evidence.rising(TENSORS)
    # Each thread that waits somewhere makes a little more expensive whatever wakes another.
    kept = [*evidence.kept(), *filter(None, (threads, tensors))]
    handled = _handled(kept, evidence)
    # A store that fills up is drawn from, as a replay buffer is, and seldom gone through.
    unhandled = [each for each in kept if not evidence.is_bounded(each)]
    # Where the heap is at fault already, what the work does not handle is told there.
    kept = handled if heap and set(evidence.work) - ECHOES else handled or unhandled
    if kept and not handled and ops_share >= NAMED_ALONE:
        pace = _elements(tensors) if tensors else 0.0
        if ops := _slower_ops(run, share, set(evidence.work), pace):
            return Finding("fragmentation", "growth", share, ops, "equal_blocks")
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


def _slower_ops(run: Run, share: float, work: set[str], kept_elements: float) -> SlowerOps | None:
    """Return what proves that their work does not explain what ops take longer, else None.

    There are no more of them, and none is larger; or they take longer than their elements can make
    them, and go through none of the tensors that are kept.

    Args:
        run: Without its sampled steps.
        share: Of the growth, what the loop's own work holds.
        work: The names of what counts the loop's work, and grows.
        kept_elements: How many elements of tensors more are kept a step.
    """
    if ARGUMENTS not in run.evidence or "ops_run" not in run.steps.names:
        return None
    read = {
        name: np.asarray([value for _, value in run.evidence.get(name, ())])
        for name in (ARGUMENTS, SIZES)
    }
    # Without their sizes the number of arguments itself changed: of a step that stacks a list more
    # and more is handled, though beside large weights it hardly shows.
    if len(read[SIZES]) < len(read[ARGUMENTS]) / 2:
        return None
    # One large table hides in the sum of all elements what grows beside it, and not in the sizes.
    elements = max(_ratio(each, 1.0) for each in read.values())
    if not work and elements <= AS_MANY:
        return SlowerOps(share)
    if work - {ARGUMENTS, SIZES, *ECHOES} or not kept_elements:
        return None
    pace = (level(read[ARGUMENTS], -1) - level(read[ARGUMENTS], 0)) / len(run.steps)
    longer = _ratio(np.asarray(run.steps.column(RUNNING_OPS)), SHORTEST_SECONDS)
    if pace > UNTOUCHED * kept_elements or longer < FAR_MORE * elements**STEEPEST:
        return None
    return SlowerOps(share, elements - 1, longer)


def _ratio(values: Numbers, least: float) -> float:
    """Return how many times as large values are at the end as at the start; 1 if there are none."""
    return level(values, -1) / max(level(values, 0), least) if values.size else 1.0
