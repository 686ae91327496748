"""No ruling turns where what was measured moves a little: its border lies apart from the truth.

Tier: make test.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest

from labkit.claims.claim import OPEN, Ruling
from labkit.claims.played import Played
from labkit.claims.sources.rulings_1 import constants_beforehand, tensors_reused
from labkit.stats.paired_ratio import PairedRatio

LARGE = (0.15, 0.4)  # what was made beforehand, or changed in place, where it is large


class Turns:
    """Two comparisons by turns, of which only the intervals are known."""

    def __init__(self, *intervals: tuple[float, float]) -> None:
        self._found = [
            PairedRatio((low * high) ** 0.5, low, high, not low <= 1 <= high, 6)
            for low, high in intervals
        ]

    def turns(self, _play: str, _toggle: str, first: int, _second: int) -> PairedRatio:
        return self._found[first // 2]


def ruled(by: Callable[[Played], Ruling], *intervals: tuple[float, float]) -> str:
    return by(cast(Played, Turns(*intervals))).name


# Found in ten trials of each on two machines.
@pytest.mark.parametrize("small", [(0.94, 0.96), (0.88, 0.97), (0.92, 0.96), (0.88, 1.06)])
def test_a_few_per_cent_saved_are_not_notable_whether_their_interval_holds_one_or_not(
    small: tuple[float, float],
) -> None:
    assert ruled(constants_beforehand, small, LARGE) == "holds only if"
    assert ruled(tensors_reused, LARGE, small) == "holds only if"


def test_half_of_a_step_saved_by_both_is() -> None:
    assert ruled(constants_beforehand, (0.4, 0.6), LARGE) == "holds"
    assert ruled(tensors_reused, LARGE, (0.4, 0.6)) == "holds"


def test_what_saves_nothing_either_way_does_not_hold() -> None:
    assert ruled(constants_beforehand, (0.97, 1.03), (0.95, 1.05)) == "does not hold"


def test_an_interval_over_the_border_is_open() -> None:
    assert ruled(constants_beforehand, (0.6, 0.95), LARGE) == OPEN
    assert ruled(constants_beforehand, (0.9, 0.97), (0.5, 1.4)) == OPEN
