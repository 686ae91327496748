"""Retraced: what was new each time that a function was traced, and the repair that fits it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from labkit.record import Event, Finding, Run
from labkit.record.proof import TracedAnew, TraceReason

CAUSE = "retracing"
# A function is made, and traced for what it is first handed, in any healthy loop.
FEWEST_TRACES = 5
FIXES: dict[TraceReason, str] = {
    "first": "function_once", "value": "tensor_argument", "shape": "one_shape",
    "dtype": "one_shape", "object": "one_object", "other": "one_tensor",
}  # fmt: skip


def explained(findings: Iterable[Finding], run: Run) -> tuple[Finding, ...]:
    """Return the findings, that of retracing with what was new and the repair that fits.

    Args:
        findings: What was found.
        run: What was recorded, with what happened.
    """
    return tuple(
        replace(each, traced=traced, fix=_fix(traced))
        if each.cause == CAUSE and (traced := _traced_anew(run.events)) is not None
        else each
        for each in findings
    )


def _fix(traced: TracedAnew) -> str:
    # What has no earlier make-up is an argument that was not there before, or none at all.
    return FIXES[traced.reason] if traced.was or traced.reason != "other" else "trace_once"


def _traced_anew(events: Iterable[Event]) -> TracedAnew | None:
    """Return what was new most often; None where too little was traced, or nobody noted it."""
    traces = [each for each in events if each.kind == "trace" and "reason" in each.detail]
    found = Counter(
        tuple(str(each.detail[name]) for name in ("function", "reason", "argument"))
        for each in traces
    )
    if not found:
        return None
    (function, reason, argument), times = found.most_common(1)[0]
    if times < FEWEST_TRACES or reason not in FIXES:
        return None
    last = [
        each
        for each in traces
        if (each.detail["function"], each.detail["reason"]) == (function, reason)
    ][-1]
    was, now = (str(last.detail[name]) for name in ("was", "now"))
    return TracedAnew(function, times, reason, argument, was, now)
