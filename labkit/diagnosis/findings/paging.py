"""Steps that wait for the disk: what they read no longer fits into memory.

Whatever place the time is attributed to, it is the operating system that waits: it has put pages
out of memory and must fetch them again, which it counts.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import scipy

from labkit.diagnosis.rules import NAMED_ALONE
from labkit.record import Finding, Ledger, Run
from labkit.record.proof import PagesAwaited
from labkit.stats.machine.drift import level

DISK_FAULTS = "disk_faults"
CAUSE = "memory_limit"
# A library that is loaded late, or a file read once, faults as well, but not step for step.
FEWEST_A_STEP = 0.5
TIMES_AS_MANY = 2.0
FEWEST_READINGS = 8
# What a spinning disk takes to find one page, and to spare; what costs more is something else that
# rises at the same time.
LONGEST_WAIT_SECONDS = 0.03


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
    price, _, least, _ = scipy.stats.theilslopes(seconds, pages, 0.95)
    share = min(1.0, float(price) * (last - first) / ledger.growth_seconds)
    if not 0 < least <= price <= LONGEST_WAIT_SECONDS or share < NAMED_ALONE:
        return None
    proof = PagesAwaited(first, last, float(price), share)
    return Finding(CAUSE, "growth", share, proof, "read_in_parts")
