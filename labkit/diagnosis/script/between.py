"""Between the steps: validation, checkpoints, what is done once an epoch; does it take longer?

It is no step, and never a slow one. Only where it grows is there something to say of it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy

from labkit.diagnosis.findings.growth import growth_findings
from labkit.diagnosis.ledger import book
from labkit.diagnosis.lines import SAMPLED, by_line
from labkit.diagnosis.locating.located import located
from labkit.diagnosis.observed import Observed, unsampled
from labkit.diagnosis.rules import NAMED_ALONE, SMALLEST_PART
from labkit.diagnosis.script.loops import StepLoop
from labkit.diagnosis.step_verdict import own_seconds, step_verdict
from labkit.record import UNEXPLAINED, Diagnosis, Finding, Ledger, Run, Verdict
from labkit.record.diagnosis import Doubt
from labkit.record.proof import BetweenGrew
from labkit.stats.judge import SHORTEST

# Of the time of the steps and of all between them; a line of print that takes twice as long is
# nobody's trouble.
LEAST_SHARE = 0.02
# Where it takes more than a tenth of the time, its growth is waited for.
LARGE_SHARE = 0.1
OFTEN = 12
# Of most of the time a gate must know that it does not double. Three times are no proof, but they
# are a doubt.
MOST_OF_TIME = 0.5
DOUBLED = 2.0
FEWEST = 3


def with_between(said: Diagnosis, loop: StepLoop) -> Diagnosis:
    """Return a diagnosis of a loop's steps with what makes the time between them grow, if it does.

    Args:
        said: What was said of the steps.
        loop: Whose turns they are.

    Raises:
        LabkitError: If a recorded time is not a finite number above zero.
    """
    found = _finding(loop)
    if found is None:
        return replace(said, between=_doubt(loop))
    growth = [each for each in said.findings if each.kind == "growth"]
    others = [each for each in said.findings if each.kind != "growth"]
    return replace(said, findings=(*growth, found, *others))


def enough_between(loop: StepLoop) -> bool:
    """Tell whether what lies between a loop's steps was seen often enough, or takes little time."""
    seconds = float(np.sum(loop.between.steps.seconds))
    judged = np.asarray(loop.between.steps.column(SAMPLED)) == 0 if seconds else np.empty(0)
    return int(judged.sum()) >= OFTEN or seconds < LARGE_SHARE * (seconds + loop.seconds)


def _finding(loop: StepLoop) -> Finding | None:
    run = loop.between
    seen = Observed(run, unsampled(run))
    if not len(seen.judged.steps):
        return None
    verdict = step_verdict(seen, few=True)
    if not verdict.slower or _extra_share(loop, seen.judged, verdict) < LEAST_SHARE:
        return None
    counters = seen.evidence
    places = book(seen.judged, verdict)
    causes = growth_findings(seen.judged, verdict, places, counters)
    unknown = Finding("between_steps", "growth", 1.0, _proof(verdict, places), "")
    cause = causes[0] if causes and causes[0].share >= NAMED_ALONE else unknown
    (cause,) = located([cause], run, counters.functions)
    ledger = by_line(places, counters.functions, counters.unbooked_seconds)
    return replace(cause, kind="between", proof=_proof(verdict, ledger))


def _doubt(loop: StepLoop) -> Doubt | None:
    """Return what is said of times that nobody can call steady, and that are most of the time."""
    seen = Observed(loop.between, unsampled(loop.between))
    count = len(seen.judged.steps)
    if count < FEWEST or (count >= SHORTEST and step_verdict(seen).decided):
        return None
    share = 1 - loop.seconds / (loop.seconds + float(np.sum(loop.between.steps.seconds)))
    times = own_seconds(seen.judged)
    slope, start, _, _ = scipy.stats.theilslopes(times)
    first = max(float(start), float(times.min()))
    last = float(start + slope * (count - 1))
    if share < MOST_OF_TIME or last < DOUBLED * first:
        return None
    return Doubt(count, first, last, share)


def _extra_share(loop: StepLoop, between: Run, verdict: Verdict) -> float:
    seconds = np.asarray(between.steps.seconds)
    extra = float(np.sum(seconds - (verdict.first_seconds or 0.0)))
    return extra / (loop.seconds + float(np.sum(seconds)))


def _proof(verdict: Verdict, ledger: Ledger) -> BetweenGrew:
    rows = [row for row in ledger.rows if row.place != UNEXPLAINED and row.share >= SMALLEST_PART]
    first, last, low, high = (
        value or 0.0
        for value in (verdict.first_seconds, verdict.last_seconds, verdict.low, verdict.high)
    )
    return BetweenGrew(
        verdict.steps, first, last, low, high, tuple((row.place, row.share) for row in rows[:3])
    )
