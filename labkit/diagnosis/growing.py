"""Findings of growth: which cause makes the steps longer and longer.

Seconds are booked before anything is compared. A cause is named where its places hold at least 60 %
of the growth, two where they hold 80 % together; and where a cause has a counter that rests in a
healthy loop, only if that counter rises. Where no place tells, the price of a unit of it may. Pages
fetched from a disk come first: whatever reads them takes longer.
"""

from __future__ import annotations

from collections.abc import Mapping

from labkit.diagnosis.every_step import rises_at_every_step
from labkit.diagnosis.evidence import ECHOES, Evidence
from labkit.diagnosis.own_work import own_work
from labkit.diagnosis.paged_out import waits_for_pages
from labkit.diagnosis.pricing import priced_finding
from labkit.diagnosis.slower_ops import RUNNING_OPS
from labkit.diagnosis.suspects import SUSPECTS, Suspect
from labkit.record import UNEXPLAINED, Finding, Ledger, Run, Verdict
from labkit.record.quantity import change, duration

ONE = 0.6
TWO = 0.8
SMALLEST_PART = 0.15
# What a traced function is handed, and what it may take from a dataset itself.
FUNCTION_WORK = ("function_elements", "elements")
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
    if pages := waits_for_pages(run, ledger):
        return [pages]
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
    ops = booked.get(RUNNING_OPS, 0.0)
    if rest >= SMALLEST_PART and (found := own_work(run, rest, ops, evidence, heap=heap)):
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
    parts = [f"{titles[name]} {100 * share:.0f} %" for name, share in largest]
    parts[0] += _interval(ledger, titles[largest[0][0]])
    where = ", ".join(parts)
    said = f"Of {duration(ledger.growth_seconds)} that a step takes longer: {where}."
    for name in each.counters:
        if rising := evidence.climbs.get(name) or evidence.work.get(name):
            said += f" {titles.get(name, name).capitalize()}: {change(rising.per_step)} a step."
            break
    return said


def _interval(ledger: Ledger, place: str) -> str:
    """Return a place's part of the growth with its 95 % interval; empty where none is known."""
    row = next((row for row in ledger.rows if row.place == place), None)
    if row is None or row.low is None or row.high is None:
        return ""
    return f" ({duration(row.seconds)} ± {duration((row.high - row.low) / 2)}, 95 %)"
