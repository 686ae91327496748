"""Residuals drawn in: what lies far off counts, but no more than a moderate error would.

A neighbour's burst lifts every tenth step by half; as plain residuals such steps would make any
trend look uncertain. It knows nothing of what was fitted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from labkit.stats.noise import spread
from labkit.stats.series import Numbers

# At 1.5 spreads a normal error loses 4 % of its efficiency (Huber 1964).
REACH_SPREADS = 1.5
SHORTEST_REACH = 0.02


@dataclass(frozen=True)
class DrawnIn:
    """Residuals limited to a reach on either side.

    Args:
        residuals: Shape (points,).
        share: The share of them that the limit left alone.
    """

    residuals: Numbers
    share: float


def drawn_in(residuals: Numbers) -> DrawnIn:
    """Limit residuals to 1.5 robust spreads (Huber 1964).

    An estimate whose limited residuals balance has a standard error of that of the limited
    residuals over `share`.
    """
    # A coarse clock gives most steps the very same time: a spread near zero must not flatten all.
    reach = max(REACH_SPREADS * spread(residuals), SHORTEST_REACH)
    limited = np.clip(residuals, -reach, reach)
    return DrawnIn(limited, max(0.3, float(np.mean(limited == residuals))))
