"""Findings of growth: which cause makes the steps longer and longer.

Seconds are attributed before anything is compared. A cause is named where its places hold at least
60 % of the growth, two where they hold 80 % together; and where a cause has a counter that rests in
a healthy loop, only if that counter rises. Where no place tells, the price of a unit of it may.
Pages fetched from a disk come first: whatever reads them takes longer. The machine is no cause:
what it did stands beside the verdict.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from labkit.diagnosis.evidence import ECHOES, Evidence
from labkit.diagnosis.findings.functions import functions_finding
from labkit.diagnosis.findings.own_work import RUNNING_OPS, own_work
from labkit.diagnosis.findings.paging import waits_for_pages
from labkit.diagnosis.findings.pricing import priced_finding
from labkit.diagnosis.monotone import rises_at_every_step
from labkit.diagnosis.rules import NAMED_ALONE, NAMED_TOGETHER, RULES, SMALLEST_PART, Rule
from labkit.record import UNEXPLAINED, Finding, Ledger, LedgerRow, Run, Verdict
from labkit.record.proof import PlacesGrew

# In a step that is a whole fit: how many batches it has.
TRAININGS = "trainings"
# Of a step at the start: then a cause was expensive before it grew.
EXPENSIVE_SHARE = 0.25
# What a traced function is handed, and what it may take from a dataset itself.
FUNCTION_WORK = ("function_elements", "elements")
# Work that has no place of its own: what takes it longer must be told from what it is given.
WORK_PLACES = (
    "function_run_seconds", RUNNING_OPS, "session_run_seconds", "function_call_seconds",
    "device_copies_seconds", "keras_callbacks_seconds",
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
    if pages := waits_for_pages(run, ledger):
        return [pages]
    shares = {row.place: row.share for row in ledger.rows}
    owned = _owned(run, shares, evidence)
    parts = [
        _finding(each, sum(shares[name] for name in places), places, ledger, evidence)
        for each, places in owned
    ]
    parts = [part for part in parts if part.share >= SMALLEST_PART]
    taken = {name for _, places in owned for name in places}
    left = (name for name in (*WORK_PLACES, UNEXPLAINED) if name not in taken)
    rest = sum(shares.get(name, 0.0) for name in left)
    # What is kept is told already where it is the heap that the collector goes through.
    heap = any(part.cause == "garbage" for part in parts)
    ops = shares.get(RUNNING_OPS, 0.0)
    if rest >= SMALLEST_PART and (found := own_work(run, rest, ops, evidence, heap=heap)):
        echo = found.cause == "work_growth" and set(evidence.work) <= ECHOES
        if not (echo and any(part.share > rest for part in parts)):
            parts.append(found)
    parts.sort(key=lambda part: -part.share)
    named = parts[:1] if parts and parts[0].share >= NAMED_ALONE else []
    if len(parts) > 1 and parts[0].share + parts[1].share >= NAMED_TOGETHER:
        named = parts[:2]
    if not named and (priced := priced_finding(run, verdict, ledger, shares, evidence)):
        return [priced]
    if not named and (within := functions_finding(run, verdict, ledger, evidence)):
        return [within]
    return [replace(part, share=min(1.0, part.share)) for part in named]


def _owned(
    run: Run, places: Collection[str], evidence: Evidence
) -> list[tuple[Rule, tuple[str, ...]]]:
    """Return the causes that are under suspicion, each with the places that are its own."""
    more = _functions_do_more(run, evidence)
    claimed = {
        each.cause: [name for name in (*each.places, *(() if more else each.work_places))
                     if name in places]
        for each in RULES if _under_suspicion(each, run, evidence)
    }  # fmt: skip
    owned = []
    for each in RULES:
        others = {name for cause in each.yields_to for name in claimed.get(cause, ())}
        if own := tuple(name for name in claimed.get(each.cause, ()) if name not in others):
            owned.append((each, own))
    return owned


def _under_suspicion(each: Rule, run: Run, evidence: Evidence) -> bool:
    if not each.counters:
        return True
    if any(name in evidence.climbs or name in evidence.work for name in each.counters):
        return True
    return rises_at_every_step(run, each.counters)


def _functions_do_more(run: Run, evidence: Evidence) -> bool:
    """Tell whether traced functions are given more and more; other work is nothing to them."""
    if TRAININGS in evidence.work:
        return True
    if FUNCTION_WORK[0] in run.evidence:
        return any(name in evidence.work for name in FUNCTION_WORK)
    return bool(set(evidence.work) - ECHOES)


def _finding(
    each: Rule, share: float, places: Collection[str], ledger: Ledger, evidence: Evidence
) -> Finding:
    rows = sorted((row for row in ledger.rows if row.place in places), key=lambda row: -row.share)
    first = rows[0]
    half = None if first.low is None or first.high is None else (first.high - first.low) / 2
    rising = (evidence.climbs.get(name) or evidence.work.get(name) for name in each.counters)
    risen = next(filter(None, rising), None)
    proof = PlacesGrew(
        growth_seconds=ledger.growth_seconds,
        places=tuple((row.place, row.share) for row in rows[:3]),
        first_seconds=first.seconds,
        half_seconds=half,
        counter=risen.name if risen else "",
        per_step=risen.per_step if risen else 0.0,
        # Where a function runs is work as well, which would be there without the cause.
        level_seconds=_expensive_already([row for row in rows if row.place in each.places], ledger),
    )
    return Finding(each.cause, "growth", share, proof, each.fix)


def _expensive_already(rows: Sequence[LedgerRow], ledger: Ledger) -> float | None:
    """Return what some places took at the start, if that was a good part of a step."""
    own, whole = (sum(row.first_seconds or 0.0 for row in some) for some in (rows, ledger.rows))
    return own if own > EXPENSIVE_SHARE * whole else None
