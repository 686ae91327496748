"""Parts: what the browser is sent, thinned without losing a spike, against a slow plain twin."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.show.live.parts import MOST_STEPS, Part, read_part
from labkit.show.thinning import bucket_starts
from tests.show.standin import StandInRun

SERIES = ("seconds", "start_seconds")
TOGGLES = {"grow": True, "build_once": False}


def run_of(seconds: np.ndarray) -> StandInRun:
    run = StandInRun("one", TOGGLES)
    run.append(seconds)
    return run


def slow_twin(seconds: list[float], since: int, end: int, width: int) -> list[list[float]]:
    """Group step by step in plain Python: smallest, largest, mean of each bucket."""
    groups: dict[tuple[bool, int], list[float]] = {}
    for step in range(since, end):
        groups.setdefault((step > 0, step // width), []).append(seconds[step])
    rows = []
    for group in groups.values():
        known = [value for value in group if not math.isnan(value)]
        rows.append([min(known), max(known), sum(known) / len(known)] if known else [math.nan] * 3)
    return [list(column) for column in zip(*rows, strict=True)]


@settings(max_examples=60)
@given(
    count=st.integers(2, 400),
    since=st.integers(0, 300),
    most=st.integers(4, 50),
    seed=st.integers(0, 9),
)
def test_thinning_agrees_with_a_slow_twin(count: int, since: int, most: int, seed: int) -> None:
    """So step 0 travels alone, no spike is lost, and later parts lie in the same grid."""
    random = np.random.default_rng(seed)
    seconds = random.lognormal(-5, 1, count)
    seconds[random.random(count) < 0.1] = math.nan
    part = read_part(run_of(seconds), ("seconds",), since, most=most)
    assert part.next == count
    since = min(since, count)
    if part.width == 1:
        np.testing.assert_allclose(part.values, seconds[since:], rtol=1e-6)
        return
    twin = slow_twin(list(seconds), since, count, part.width)
    np.testing.assert_allclose(part.values.reshape(3, -1), twin, rtol=1e-5)


def test_a_few_new_steps_travel_as_they_are() -> None:
    part = read_part(run_of(np.arange(1.0, 11.0)), SERIES, 6, most=100)
    assert (part.since, part.next, part.width) == (6, 10, 1)
    assert part.values[:4].tolist() == [7, 8, 9, 10]


@pytest.mark.parametrize("count", [5_000, 50_000, 500_000])
def test_a_reload_never_gets_more_than_it_asked_for(count: int) -> None:
    run = run_of(np.full(count, 0.001))
    values = 0
    since = 0
    while since < count:
        part = read_part(run, ("seconds",), since, most=2_000)
        assert part.next - since <= MOST_STEPS
        assert len(bucket_starts(since, part.next, part.width)) <= 2_002
        values += len(part.values)
        since = part.next
    assert values < 30_000


def test_nothing_new_is_an_empty_part() -> None:
    for since in (10, 99):
        part = read_part(run_of(np.ones(10)), SERIES, since, most=100)
        assert (part.since, part.next, len(part.values)) == (10, 10, 0)


def test_a_run_that_records_nothing_yet_is_an_empty_part() -> None:
    assert read_part(run_of(np.empty(0)), (), 0, most=9) == Part(0, 0, 1, (), pytest.approx([]))


def test_a_column_that_lags_behind_shortens_the_part() -> None:
    class Lagging(StandInRun):
        def read(self, column: str, start: int, end: int, worker: int = 0) -> np.ndarray:
            last = min(end, 7) if column == "start_seconds" else end
            return super().read(column, start, last, worker)

    run = Lagging("one", TOGGLES)
    run.append(np.ones(10))
    part = read_part(run, SERIES, 0, most=100)
    assert (part.next, len(part.values)) == (7, 14)
