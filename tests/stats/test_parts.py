"""Parts of the steps settle what a canary leaves in doubt: what doubles is the loop's own, what
grows alike everywhere is the machine's. Tier: make test.
"""

from __future__ import annotations

import numpy as np
import pytest

from labkit.record import Verdict
from labkit.stats import judge
from labkit.stats.freed import judge_freed
from labkit.stats.machine import Machine
from labkit.stats.parts import doubled_part, without_common_growth
from tests.stats import known

STEPS = 300


def noisy(seconds: known.Numbers, seed: int) -> known.Numbers:
    return np.asarray(seconds * np.exp(known.white(STEPS, seed, 0.03)))


def level(seconds: float, seed: int) -> known.Numbers:
    return noisy(np.full(STEPS, seconds), seed)


def growing(first: float, last: float, seed: int) -> known.Numbers:
    return noisy(np.linspace(first, last, STEPS), seed)


def restless_judged(parts: list[known.Numbers]) -> Verdict:
    """Judge steps of these parts on a machine that came and went by a fourth all the time."""
    seconds = np.sum(parts, axis=0)
    songs = 11e-6 * np.where(np.arange(STEPS) // 40 % 2, 1.25, 1.0)
    songs = np.where(np.arange(STEPS) % 3, np.nan, songs * np.exp(known.white(STEPS, 5, 0.01)))
    start, quiet = np.cumsum(seconds) - seconds, np.zeros(STEPS)
    return judge_freed(seconds, Machine(start, seconds, songs, quiet, start), parts)


@pytest.mark.parametrize("seed", range(4))
def test_a_part_that_grows_from_nothing_is_the_loops_on_a_restless_machine_too(seed: int) -> None:
    parts = [level(6e-3, seed), level(4e-3, seed + 10), growing(1e-5, 3e-3, seed + 20)]
    said = restless_judged(parts)
    assert said.slower and said.low is not None and 0 < said.low < 0.35, said.detail


@pytest.mark.parametrize("seed", range(4))
def test_the_same_growth_of_a_part_that_is_large_anyway_is_left_in_doubt(seed: int) -> None:
    parts = [growing(6e-3, 9e-3, seed), level(4e-3, seed + 10)]
    assert not restless_judged(parts).slower


@pytest.mark.parametrize("seed", range(4))
def test_a_part_that_doubles_and_is_small_proves_no_growth_of_the_whole(seed: int) -> None:
    parts = [growing(6e-3, 7.4e-3, seed), growing(1e-5, 3e-4, seed + 20)]
    assert not restless_judged(parts).slower


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
    assert doubled_part(claim, seconds, []) is None
    assert without_common_growth(claim, seconds, []) == claim
