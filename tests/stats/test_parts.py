"""What grows alike in all parts of the steps is the machine's. Tier: make test."""

from __future__ import annotations

import numpy as np
import pytest

from labkit.record import Verdict
from labkit.stats import judge
from labkit.stats.machine.common_growth import without_common_growth
from tests.stats import known

STEPS = 300


def noisy(seconds: known.Numbers, seed: int) -> known.Numbers:
    return np.asarray(seconds * np.exp(known.white(STEPS, seed, 0.03)))


def level(seconds: float, seed: int) -> known.Numbers:
    return noisy(np.full(STEPS, seconds), seed)


def growing(first: float, last: float, seed: int) -> known.Numbers:
    return noisy(np.linspace(first, last, STEPS), seed)


def claimed(parts: list[known.Numbers]) -> tuple[Verdict, known.Numbers]:
    seconds = np.asarray(np.sum(parts, axis=0))
    claim = judge(seconds)
    assert claim.slower
    return claim, seconds


@pytest.mark.parametrize("seed", range(4))
def test_what_makes_all_parts_longer_alike_is_not_the_loop(seed: int) -> None:
    parts = [growing(s, 1.25 * s, seed + at) for at, s in enumerate((2e-3, 3e-3, 4e-3))]
    said = without_common_growth(*claimed(parts), parts)
    assert not said.slower and said.smallest_growth is not None and said.smallest_growth > 0.15


@pytest.mark.parametrize(
    "parts",
    (
        [growing(2e-3, 4.2e-3, 1), level(3e-3, 2), level(4e-3, 3)],
        [growing(2e-3, 2.5e-3, 1), growing(7e-3, 8.75e-3, 2)],
        [growing(s, 2 * s, at) for at, s in enumerate((2e-3, 3e-3, 4e-3))],
    ),
    ids=("one of three grows", "there are but two", "they grow by far more than a machine makes"),
)
def test_other_growth_stays_claimed(parts: list[known.Numbers]) -> None:
    claim, seconds = claimed(parts)
    assert without_common_growth(claim, seconds, parts) == claim


@pytest.mark.parametrize(
    ("rest", "withdrawn"),
    (
        pytest.param(growing(4.5e-3, 5.4e-3, 4), True, id="alike"),
        pytest.param(growing(4.5e-3, 10.0e-3, 4), False, id="by far more"),
        pytest.param(level(4.5e-3, 4), False, id="not at all"),
    ),
)
def test_what_nobody_measured_is_a_part_too(rest: known.Numbers, withdrawn: bool) -> None:
    parts = [growing(2e-3, 2.4e-3, 1), growing(2e-3, 2.4e-3, 2), growing(1.5e-3, 1.8e-3, 3)]
    claim, seconds = claimed([*parts, rest])
    said = without_common_growth(claim, seconds, parts)
    assert said.slower is not withdrawn


def test_steps_of_which_no_part_is_known_are_judged_as_before() -> None:
    claim, seconds = claimed([growing(2e-3, 4e-3, 1)])
    assert without_common_growth(claim, seconds, []) == claim
