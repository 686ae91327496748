"""Steps that wait for the disk: what they read no longer fits into memory.

Whatever place the time is booked on, it is the operating system that waits: it has put pages out of
memory and must fetch them again, which it counts.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.stats import theilslopes

from labkit.diagnosis.suspects import PAGES_FIX
from labkit.record import Finding, Ledger, Run
from labkit.record.quantity import duration
from labkit.stats.drift import level

DISK_FAULTS = "disk_faults"
CAUSE = "memory_limit"
LEAST_SHARE = 0.6
# A library that is loaded late, or a file read once, faults as well, but not step for step.
FEWEST_A_STEP = 0.5
TIMES_AS_MANY = 2.0
FEWEST_READINGS = 8
# What a spinning disk takes to find one page, and to spare; what costs more is something else that
# rises at the same time.
DEAREST_SECONDS = 0.03


def waits_for_pages(run: Run, ledger: Ledger) -> Finding | None:
    """Return the finding that pages fetched from a disk make up the growth, if they do.

    Args:
        run: Without its sampled steps; its censuses read how often the process waited for a page.
        ledger: Of its growth.

    Between two readings the mean step is set beside the pages a step waited for; the slope of Theil
    (1950) and Sen (1968) is what a page costs. It must be above zero and no more than a disk takes.
    """
    readings = run.evidence.get(DISK_FAULTS, ())
    if len(readings) < FEWEST_READINGS:
        return None
    seconds, pages = [], []
    for (begin, before), (end, after) in pairwise(readings):
        if end > begin:
            seconds.append(float(np.mean(run.steps.seconds[begin:end])))
            pages.append((after - before) / (end - begin))
    if len(pages) < FEWEST_READINGS - 1:
        return None
    first, last = (level(np.asarray(pages), end) for end in (0, -1))
    if last < max(FEWEST_A_STEP, TIMES_AS_MANY * first):
        return None
    price, _, least, _ = theilslopes(seconds, pages, 0.95)
    share = min(1.0, float(price) * (last - first) / ledger.growth_seconds)
    if not 0 < least <= price <= DEAREST_SECONDS or share < LEAST_SHARE:
        return None
    proof = (
        f"A step waits for {last:,.1f} pages of memory to come from a disk, at the start for "
        f"{first:,.1f}. Each takes {duration(float(price))}, which is {100 * share:.0f} % of the "
        "growth: what the step reads no longer fits into memory."
    )
    return Finding(CAUSE, "growth", share, proof, PAGES_FIX)
