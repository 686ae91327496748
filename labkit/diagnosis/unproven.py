"""A slowdown that is small and has no cause: the machine's own pace moves by as much."""

from __future__ import annotations

import math
from collections.abc import Sequence

from labkit.record import Finding, Verdict
from labkit.stats.doubt import withdrawn

# Over half a minute a machine's pace moves by nearly as much, and the canary does not see what
# only a disk or a cache does: a loop that writes files at each step was called 7 % slower.
SMALLEST_UNEXPLAINED = 0.1


def without_small_slowdown(claim: Verdict, causes: Sequence[Finding]) -> Verdict:
    """Withdraw a slowdown that may be smaller than 10 % and has no cause in the loop.

    Args:
        claim: What was said of the steps.
        causes: What makes them longer.
    """
    if not claim.slower or causes or (claim.low or 0.0) >= SMALLEST_UNEXPLAINED:
        return claim
    return withdrawn(claim, math.log1p(SMALLEST_UNEXPLAINED))
