"""How far a card was held back, against a slow, plain twin. Tier: make test."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from labkit.stats.machine.card import Card
from labkit.stats.machine.throttling import MOST_BETWEEN, held_back
from tests.stats import known


def slower_by_hand(card: Card, log_seconds: known.Numbers) -> list[float]:
    """A slow, plain twin: reading by reading, and step by step between two readings."""
    asked = [step for step, mhz in enumerate(card.clock_mhz) if not math.isnan(mhz)]
    logs = [math.log(card.clock_mhz[step]) for step in asked]
    states = []
    for step in asked:
        if card.idle[step] == 1:
            states.append("idle")
        else:
            states.append("held" if card.hot[step] == 1 or card.capped[step] == 1 else "free")
    held = [at for at, state in enumerate(states) if state == "held"]
    around = {}
    for at, state in enumerate(states):
        before, after = ([h for h in held if h < at], [h for h in held if h > at])
        if state == "free" and before and after and after[0] - before[-1] - 1 <= MOST_BETWEEN:
            around[at] = (before[-1], after[0])
    free = [logs[at] for at, state in enumerate(states) if state == "free" and at not in around]
    top = float(np.quantile(free, 0.9)) if free else max(logs[at] for at in held)
    found = [max(0.0, top - log) if at in held else 0.0 for at, log in enumerate(logs)]
    for at, (before, after) in around.items():
        way = (asked[at] - asked[before]) / (asked[after] - asked[before])
        most = found[before] + way * (found[after] - found[before])
        found[at] = min(max(0.0, top - logs[at]), most)
    padded = [found[0], *found, found[-1]]
    smooth = [sorted(padded[at : at + 3])[1] for at in range(len(found))]
    ends = [log_seconds[0]] * 2, [log_seconds[-1]] * 2
    calm = [*ends[0], *log_seconds, *ends[1]]
    calm = [sorted(calm[step : step + 5])[2] for step in range(len(log_seconds))]
    told = [smooth[0]] * len(log_seconds)
    for at in range(1, len(asked)):
        # Each moment is tried at which the clock may have changed.
        start, end = asked[at - 1], asked[at]
        tried = []
        for change in range(start + 1, end + 1):
            here = [smooth[at - 1 if step < change else at] for step in range(start, end + 1)]
            left = [calm[start + place] - each for place, each in enumerate(here)]
            tried.append((sum(abs(b - a) for a, b in pairwise(left)), change))
        change = min(tried, key=lambda each: round(each[0], 12))[1]
        told[change:] = [smooth[at]] * (len(told) - change)
    return told


@pytest.mark.parametrize("seed", range(8))
def test_how_far_a_card_was_held_back_is_what_a_plain_reading_gives(seed: int) -> None:
    random = np.random.default_rng(seed)
    steps = 90
    asked = np.arange(steps) % 3 == 1
    told = (random.uniform(300, 2000, steps), *(random.random((3, steps)) < [[0.4], [0.2], [0.2]]))
    card = Card(*(np.where(asked, each, np.nan) for each in told))
    times = random.normal(0, 1e-3, steps)
    found = held_back(card, times)
    assert found is not None and list(found.slower) == pytest.approx(slower_by_hand(card, times))
