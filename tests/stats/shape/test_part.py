"""A part of the steps that grows is found by its turn; what grows as a whole has no part.

Tier: make test.
"""

from __future__ import annotations

import numpy as np
import pytest

from labkit.stats import growing_part
from labkit.stats.series import Numbers
from tests.stats.families import series
from tests.stats.noises import NOISES
from tests.stats.truths import TRUTHS


def climbing(steps: int, period: int, phases: tuple[int, ...], last: float) -> Numbers:
    """Return steps of 4 ms of which some climb from there to `last`."""
    random = np.random.default_rng([steps, period])
    seconds = np.full(steps, 4e-3)
    climbs = np.isin(np.arange(steps) % period, phases)
    seconds[climbs] = np.linspace(4e-3, last, steps)[climbs]
    return seconds * np.exp(0.05 * random.standard_normal(steps))


@pytest.mark.parametrize("steps", [250, 600, 3_000])
@pytest.mark.parametrize("last", [6e-3, 20e-3, 73e-3])
@pytest.mark.parametrize(
    ("period", "phases"), [(2, (1,)), (3, (0,)), (3, (1, 2)), (4, (2,)), (4, (0, 1))]
)
def test_the_steps_that_climb_are_found_by_their_turn(
    steps: int, last: float, period: int, phases: tuple[int, ...]
) -> None:
    found = growing_part(climbing(steps, period, phases, last), np.arange(steps))
    assert found is not None and (found.period, found.phases) == (period, phases)
    assert found.others_seconds == pytest.approx(4e-3, rel=0.05)


def test_steps_that_are_missing_are_counted_all_the_same() -> None:
    places = np.delete(np.arange(900), np.arange(40, 800, 7))
    found = growing_part(climbing(900, 3, (2,), 20e-3)[places], places)
    assert found is not None and (found.period, found.phases) == (3, (2,))


@pytest.mark.parametrize("truth", sorted(TRUTHS))
def test_what_no_turn_makes_is_no_part(truth: str) -> None:
    """Flat and growing series, with every noise there is: 0 of 3,978 when it was written."""
    for noise in NOISES:
        drawn = series(truth, noise, 400, 0).seconds
        assert growing_part(drawn, np.arange(400)) is None, noise


def test_every_third_step_that_is_long_and_stays_so_is_no_growth() -> None:
    seconds = climbing(600, 3, (0,), 4e-3)
    seconds[::3] *= 10
    assert growing_part(seconds, np.arange(600)) is None


def test_a_few_steps_have_no_part() -> None:
    assert growing_part(climbing(100, 3, (0,), 73e-3), np.arange(100)) is None
