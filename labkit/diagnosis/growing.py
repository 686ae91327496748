"""Findings of growth: which cause makes the steps longer and longer.

Seconds are booked before anything is compared. A cause is named where its places hold at least 60 %
of the growth, two where they hold 80 % together; and where a cause has a counter that rests in a
healthy loop, only if that counter rises. Where no place tells, the price of a unit of it may.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from labkit.diagnosis import suspects
from labkit.diagnosis.climb import Climb
from labkit.diagnosis.every_step import rises_at_every_step
from labkit.diagnosis.evidence import Evidence
from labkit.diagnosis.operator import Numbers
from labkit.diagnosis.pricing import priced_finding
from labkit.diagnosis.suspects import SUSPECTS, Suspect
from labkit.record import UNEXPLAINED, Finding, Ledger, Run, Verdict
from labkit.record.quantity import change, duration, quantity
from labkit.stats.drift import level

ONE = 0.6
TWO = 0.8
SMALLEST_PART = 0.15
# Counted like the loop's work, but none of it: a cause that works in Python calls ever more
# functions of its own, and one that traces compares types with those of all traces so far.
CALLS = "python_calls"
ECHOES = frozenset({CALLS, "comparisons"})
# What a traced function is handed, and what it may take from a dataset itself.
FUNCTION_WORK = ("function_elements", "elements")
# The work handles what is kept if each element more of that is so many elements more of work: one
# or a few ops go through all of it.
OPS_THROUGH = (0.7, 4.5)
BYTES_PER_ELEMENT = 4
TENSORS = ("live_tensor_bytes", "live_tensors")
# To go through what is kept, even once, takes as many elements of work.
UNTOUCHED = 0.1
# A product of square matrices takes n ** 3 for n ** 2 elements; hardly an op is steeper.
STEEPEST = 1.5
FAR_MORE = 1.1
AS_MANY = 1.02
ARGUMENTS, SIZES, RUNNING_OPS = "argument_elements", "argument_sizes", "running_ops_seconds"
SHORTEST_SECONDS = 1e-7
# Work that has no place of its own: what takes it longer must be told from what it is given.
WORK_PLACES = (
    "function_run_seconds", RUNNING_OPS, "session_run_seconds", "function_call_seconds",
    "device_copies_seconds",
)  # fmt: skip


def growth_findings(
    run: Run, verdict: Verdict, ledger: Ledger, evidence: Evidence
) -> list[Finding]:
    """Return the causes of a slowdown, largest first; empty where none holds enough of it.

    Args:
        run: Without its sampled steps.
        verdict: What was said of its steps.
        ledger: Where their growth went.
        evidence: What its counters say.
    """
    if not verdict.slower or not ledger.rows:
        return []
    shares = _shares(run, ledger)
    booked = dict(shares)
    parts: list[tuple[str, float, str, str]] = []
    for each in SUSPECTS:
        places = each.places + (() if _functions_do_more(run, evidence) else each.work_places)
        taken = {name: shares[name] for name in places if name in shares}
        if not taken or not _under_suspicion(each, run, evidence):
            continue
        share = sum(taken.values())
        for name in taken:
            del shares[name]
        if share >= SMALLEST_PART:
            parts.append((each.cause, share, _proof(each, run, taken, ledger, evidence), each.fix))
    rest = sum(shares.get(name, 0.0) for name in (*WORK_PLACES, UNEXPLAINED))
    # What is kept is told already where it is the heap that the collector goes through.
    heap = any(cause == "garbage" for cause, *_ in parts)
    if rest >= SMALLEST_PART and (found := _own_work(run, rest, ledger, evidence, heap=heap)):
        echo = found[0] == "work_growth" and set(evidence.work) <= ECHOES
        if not (echo and any(share > rest for _, share, _, _ in parts)):
            parts.append(found)
    parts.sort(key=lambda part: -part[1])
    named = parts[:1] if parts and parts[0][1] >= ONE else []
    if len(parts) > 1 and parts[0][1] + parts[1][1] >= TWO:
        named = parts[:2]
    if not named and (priced := priced_finding(run, verdict, ledger, booked, evidence)):
        return [priced]
    return [
        Finding(cause, "growth", min(1.0, share), proof, fix) for cause, share, proof, fix in named
    ]


def _shares(run: Run, ledger: Ledger) -> dict[str, float]:
    """Return each place's share of the growth, by the name of its column."""
    names = {column.title: column.name for column in run.column_of_kind("place")}
    return {names.get(row.place, row.place): row.share for row in ledger.rows}


def _under_suspicion(each: Suspect, run: Run, evidence: Evidence) -> bool:
    if not each.counters:
        return True
    if any(name in evidence.climbs or name in evidence.work for name in each.counters):
        return True
    return any(
        rises_at_every_step(run.steps.column(name))
        for name in each.counters
        if name in run.steps.names
    )


def _functions_do_more(run: Run, evidence: Evidence) -> bool:
    """Tell whether traced functions are given more and more; other work is nothing to them."""
    if FUNCTION_WORK[0] in run.evidence:
        return any(name in evidence.work for name in FUNCTION_WORK)
    return bool(set(evidence.work) - ECHOES)


def _proof(
    each: Suspect, run: Run, taken: Mapping[str, float], ledger: Ledger, evidence: Evidence
) -> str:
    titles = {column.name: column.title for column in run.columns}
    largest = sorted(taken.items(), key=lambda pair: -pair[1])[:3]
    where = ", ".join(f"{titles[name]} {100 * share:.0f} %" for name, share in largest)
    said = f"Of {duration(ledger.growth_seconds)} that a step takes longer: {where}."
    for name in each.counters:
        if rising := evidence.climbs.get(name) or evidence.work.get(name):
            said += f" {titles.get(name, name).capitalize()}: {change(rising.per_step)} a step."
            break
    return said


def _own_work(
    run: Run, share: float, ledger: Ledger, evidence: Evidence, *, heap: bool
) -> tuple[str, float, str, str] | None:
    """Tell what makes the loop's own work longer: what it keeps, or what it is given.

    Args:
        heap: Whether what is kept makes collections longer, which is told on its own.
    """
    where = ""
    if evidence.functions:
        name, seconds = evidence.functions[0]
        where = f" Most of it at {name}: {duration(seconds)} a step more than at the start."
    handlers = evidence.rising(("log_handlers",))
    if handlers and CALLS in evidence.work:
        proof = (
            f"{100 * share:.0f} % of the growth is the step's own work, while log handlers grow "
            f"from {handlers.first:,.0f} to {handlers.last:,.0f}: each message passes all of them."
            f"{where}"
        )
        return "observer", share, proof, suspects.LOGGING_FIX
    tensors = evidence.rising(TENSORS)
    kept = [*evidence.kept(), *([tensors] if tensors else [])]
    handled = _handled(kept, evidence)
    # Where the heap is at fault already, what the work does not handle is told there.
    kept = handled if heap and set(evidence.work) - ECHOES else handled or kept
    if kept and not handled and (ops := _ops_that_take_longer(run, ledger, evidence, tensors)):
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


def _ops_that_take_longer(
    run: Run, ledger: Ledger, evidence: Evidence, tensors: Climb | None
) -> str:
    """Tell of ops that hold the growth although their work does not explain it, else nothing.

    There are no more of them, and none is larger; or they take longer than their elements can make
    them, and go through none of the tensors that are kept.
    """
    counted = ARGUMENTS in run.evidence and "ops_run" in run.steps.names
    if not counted or _shares(run, ledger).get(RUNNING_OPS, 0.0) < ONE:
        return ""
    read = {
        name: np.asarray([value for _, value in run.evidence.get(name, ())])
        for name in (ARGUMENTS, SIZES)
    }
    # Without their sizes the number of arguments itself changed: of a step that stacks a list more
    # and more is handled, though beside large weights it hardly shows.
    if len(read[SIZES]) < len(read[ARGUMENTS]) / 2:
        return ""
    # One large table hides in the sum of all elements what grows beside it, and not in the sizes.
    elements = max(_ratio(each, 1.0) for each in read.values())
    if not evidence.work and elements <= AS_MANY:
        return "on as many elements as at the start"
    if set(evidence.work) - {ARGUMENTS, SIZES, *ECHOES} or not tensors:
        return ""
    pace = (level(read[ARGUMENTS], -1) - level(read[ARGUMENTS], 0)) / len(run.steps)
    longer = _ratio(np.asarray(run.steps.column(RUNNING_OPS)), SHORTEST_SECONDS)
    if pace > UNTOUCHED * _elements(tensors) or longer < FAR_MORE * elements**STEEPEST:
        return ""
    more = f"{100 * (elements - 1):.0f} % more elements"
    return f"which are given {more} and take {longer:.1f} times as long"


def _ratio(values: Numbers, least: float) -> float:
    """Return how many times as large values are at the end as at the start; 1 if there are none."""
    return level(values, -1) / max(level(values, 0), least) if values.size else 1.0
