"""What the machine did to runs while they were timed, in one line for all of them.

Each verdict says it in its own detail, at length. A viewer shows the verdicts without it, and this
line once.
"""

from __future__ import annotations

from collections.abc import Sequence

from labkit.record import Judgement, Verdict
from labkit.stats.freed import WORTH_SAYING

WITH_CHART = "the chart shows wall time, the words give times freed of this"
WITHOUT_CHART = "times are freed of this"


def machine(
    judgements: Sequence[Judgement], names: Sequence[str] = (), *, chart: bool = True
) -> str:
    """Return what the machine did, and which times stand where; empty if it did nothing.

    Args:
        judgements: What is said of each run.
        names: What each run is called; not needed for one alone.
        chart: Whether a chart stands beside the line.
    """
    several = len(judgements) > 1
    drifts, shares = [], []
    for place, said in enumerate(judgements):
        whose = f" of '{names[place]}'" if several else ""
        if growth := _growth(said):
            way = "slower" if growth > 0 else "faster"
            during = f" during '{names[place]}'" if several else ""
            drifts.append(f"{100 * abs(growth):.0f} % {way}{during}")
        if (share := _contended_share(said)) >= WORTH_SAYING:
            shares.append(f"{100 * share:.0f} % of the steps{whose}")
    told = [f"it became {' and '.join(drifts)}"] if drifts else []
    if shares:
        told.append(f"other programs left no processor idle in {' and '.join(shares)}")
    if not told:
        return ""
    return f"machine: {'; '.join([*told, WITH_CHART if chart else WITHOUT_CHART])}"


def _disturbed(said: Judgement) -> list[Verdict]:
    return [verdict for verdict in said.verdicts if verdict.machine_detail]


def _growth(said: Judgement) -> float:
    """Return the machine's largest own change within a stretch; 0 where none is worth a word."""
    found = [verdict.machine_growth or 0.0 for verdict in _disturbed(said)]
    return max((growth for growth in found if abs(growth) >= WORTH_SAYING), key=abs, default=0.0)


def _contended_share(said: Judgement) -> float:
    """Return in which share of all steps others left no processor idle."""
    steps = sum(verdict.steps for verdict in said.verdicts)
    short = sum((verdict.contended_share or 0.0) * verdict.steps for verdict in _disturbed(said))
    return short / steps if steps else 0.0
