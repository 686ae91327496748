"""What the machine did to runs while they were timed, in one line for all of them.

Each verdict says it in its own detail, at length. A viewer shows the verdicts without it, and this
line once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from labkit.record import Diagnosis, Verdict
from labkit.record.verdict import WORTH_SAYING, Throttling
from labkit.show.thinning import WAITED
from labkit.show.verdict.throttling_words import throttling_words

WALL_CHART = "the chart shows wall time; times in the text are corrected for this"
OWN_CHART = "the chart shows the loop's own time; times in the text are corrected for this"
WITHOUT_CHART = "times are corrected for this"


def machine(
    diagnoses: Sequence[Diagnosis], names: Sequence[str] = (), *, chart: bool = True
) -> str:
    """Return what the machine did, and which times stand where; empty if it did nothing.

    Args:
        diagnoses: What is said of each run.
        names: What each run is called; not needed for one alone.
        chart: Whether a chart stands beside the line.
    """
    several = len(diagnoses) > 1
    drifts, shares = [], []
    for place, said in enumerate(diagnoses):
        whose = f" of '{names[place]}'" if several else ""
        if growth := _growth(said):
            way = "slower" if growth > 0 else "faster"
            during = f" during '{names[place]}'" if several else ""
            drifts.append(f"{100 * abs(growth):.0f} % {way}{during}")
        if (share := _contended_share(said)) >= WORTH_SAYING:
            shares.append(f"{100 * share:.0f} % of the time{whose}")
    told = [f"it became {' and '.join(drifts)}"] if drifts else []
    if shares:
        told.append(f"other programs took {' and '.join(shares)}")
    if told:
        counted = all(WAITED in said.run.steps.names for said in diagnoses)
        told.append((OWN_CHART if counted else WALL_CHART) if chart else WITHOUT_CHART)
    # Last: no time is corrected for it, only what is claimed of them.
    for place, said in enumerate(diagnoses):
        during = f" during '{names[place]}'" if several else ""
        if found := _throttling(said):
            told.append(throttling_words(found, during))
        if _shares_card(said):
            told.append(f"other programs computed on the graphics card{during}")
    return f"machine: {'; '.join(told)}" if told else ""


def _disturbed(said: Diagnosis) -> list[Verdict]:
    return [verdict for verdict in said.verdicts if verdict.disturbed]


def _growth(said: Diagnosis) -> float:
    """Return the machine's largest own change within a stretch; 0 where none is worth a word."""
    found = [verdict.machine_growth or 0.0 for verdict in _disturbed(said)]
    return max((growth for growth in found if abs(growth) >= WORTH_SAYING), key=abs, default=0.0)


def _throttling(said: Diagnosis) -> Throttling | None:
    """Return the largest change of the graphics card's clock within a stretch."""
    found = [verdict.throttling for verdict in said.verdicts if verdict.throttling]
    return max(found, key=lambda each: abs(math.log(each.last_mhz / each.first_mhz)), default=None)


def _shares_card(said: Diagnosis) -> bool:
    """Tell whether other programs were on the graphics card, as NVML counts them, worth a word."""
    read = [count for count in said.run.values("card_others") if not math.isnan(count)]
    return bool(read) and sum(count > 0 for count in read) / len(read) >= WORTH_SAYING


def _contended_share(said: Diagnosis) -> float:
    """Return the share of the time that other programs took, over all steps."""
    steps = sum(verdict.steps for verdict in said.verdicts)
    short = sum((verdict.contended_share or 0.0) * verdict.steps for verdict in _disturbed(said))
    return short / steps if steps else 0.0
