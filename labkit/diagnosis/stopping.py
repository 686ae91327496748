"""Whether a diagnosis knows enough, so that the loop need not run on."""

from __future__ import annotations

from dataclasses import dataclass

from labkit.diagnosis.rules import NAMED_ALONE
from labkit.diagnosis.step_verdict import slower_by_clock_only
from labkit.record import Diagnosis, Verdict

FEWEST_STEPS = 100
# Minimum run-length ratio between two confirming checks.
AGAIN = 1.3
# A climb cannot be told from fewer.
FEWEST_CENSUSES = 11
QUICK_SECONDS = 4.0
# A cause is told with its line, which may show in the next look at the stacks only.
UNLOCATED_SECONDS = 10.0
QUIET_SECONDS = 9.0
LEAK_SECONDS = 7.0
BLIND_SECONDS = 15.0
UNCERTAIN_SECONDS = 25.0
SUSPICIOUS_SECONDS = 40.0
SMALL_GROWTH = 0.1
# Quiet is not certain where the steps did get longer, by what would be told if it were surer.
SMALLEST_WORTH_TELLING = 0.05
# A machine's own pace moves by 10 % for seconds, and the canary does not always see it: steps that
# did nothing but open a session were called slower so, after 4 s, and sessions found to blame.
LARGE_GROWTH = 0.2
# What rests in a healthy loop and is expensive only in the long run: a few hundred steps hide its
# price.
PRICED = ("graph_ops", "concrete_functions", "func_graphs", "files_written")


@dataclass(frozen=True)
class Standing:
    """How far a diagnosis has come.

    Args:
        steps: How many steps were judged.
        seconds: How long the loop has run.
        diagnosis: What was made of it.
        censuses: How often everything alive was counted.
    """

    steps: int
    seconds: float
    diagnosis: Diagnosis
    censuses: int = 1000


def enough(now: Standing, before: Standing | None) -> bool:
    """Tell whether more steps would hardly change the diagnosis.

    Some real growth does not show in 200 steps, and some sawtooth looks like growth in 70: a claim
    must be made twice, with a third as many steps again, and quiet must last.

    Args:
        now: How far it is.
        before: How far it was at an earlier look; None at the first.
    """
    if before is None or now.steps < FEWEST_STEPS or now.censuses < FEWEST_CENSUSES:
        return False
    if _said(now) != _said(before) or now.steps < AGAIN * before.steps:
        return False
    said = now.diagnosis
    if said.verdict.slower:
        large = (said.verdict.low or 0.0) >= LARGE_GROWTH
        # A leak is no cause of the growth, however sure it is.
        causes = [each for each in said.findings if each.kind == "growth"]
        sure = [each for each in causes if each.share >= NAMED_ALONE]
        if not (sure and large):
            return now.seconds >= UNCERTAIN_SECONDS
        located = any(each.line is not None for each in sure)
        return now.seconds >= (QUICK_SECONDS if located else UNLOCATED_SECONDS)
    # A store that is filling may be full by then.
    if said.verdict.label in ("too_short", "unsteady", "speedup") or said.memory.unclear:
        return now.seconds >= UNCERTAIN_SECONDS
    if (said.verdict.growth or 0.0) >= SMALLEST_WORTH_TELLING:
        return now.seconds >= UNCERTAIN_SECONDS
    if set(said.memory.grows) & set(PRICED):
        return now.seconds >= SUSPICIOUS_SECONDS
    seen = said.verdict.smallest_growth
    # What the clock says and the machine is blamed for may be the loop's all the same.
    blamed = slower_by_clock_only(said.judged, said.verdict)
    if blamed or seen is None or seen > SMALL_GROWTH:
        return now.seconds >= BLIND_SECONDS
    return now.seconds >= (LEAK_SECONDS if said.memory.label == "leaking" else QUIET_SECONDS)


def same_verdict(one: Verdict, other: Verdict) -> bool:
    """Tell whether two verdicts say the same; a slowdown and a shift do."""
    return _label(one) == _label(other)


def _label(verdict: Verdict) -> str:
    return "slower" if verdict.slower else verdict.label


def _said(standing: Standing) -> tuple[str, str, tuple[str, ...]]:
    said = standing.diagnosis
    return (
        _label(said.verdict),
        said.memory.label,
        tuple(finding.cause for finding in said.findings[:1]),
    )
