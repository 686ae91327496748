"""What must hold for every series, whatever the noise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.record import LABELS
from labkit.stats import judge
from tests.stats import known

few = settings(max_examples=25, deadline=None, derandomize=True)
seeds = st.integers(0, 10_000)


@few
@given(seed=seeds, growth=st.sampled_from([0.0, 0.3, 1.0]), power=st.integers(-9, 6))
def test_scaling_all_times_changes_neither_label_nor_growth(seed, growth, power):
    times = known.ramp(known.white(120, seed), growth).seconds
    one, other = judge(times), judge(times * 10.0**power)
    assert other.label == one.label
    assert other.growth == pytest.approx(one.growth, rel=1e-6, abs=1e-9)
    assert other.low == pytest.approx(one.low, rel=1e-6, abs=1e-9)


@few
@given(seed=seeds, growth=st.floats(0.5, 2.0))
def test_reversing_a_trend_gives_a_speedup(seed, growth):
    times = known.ramp(known.white(150, seed), growth).seconds
    assert judge(times).label == "slowdown"
    assert judge(times[::-1]).label == "speedup"


@few
@given(seed=seeds, constant=st.floats(0.2, 5.0))
def test_adding_a_constant_lowers_the_growth(seed, constant):
    """The same seconds on top of a longer step are a smaller part of it."""
    times = known.ramp(known.white(150, seed, 0.02), 1.0).seconds
    less, more = judge(times), judge(times + constant * 0.1)
    assert less.growth is not None and more.growth is not None
    assert more.growth < less.growth
    assert more.growth == pytest.approx(1 / (1 + constant), rel=0.25)


@few
@given(
    times=st.lists(st.floats(1e-9, 1e6, allow_nan=False), min_size=1, max_size=120),
)
def test_whatever_the_times_there_is_one_whole_verdict(times):
    verdict = judge(times)
    assert verdict.label in LABELS
    assert verdict.detail
    assert verdict.steps == len(times)
    if verdict.label != "too_short":
        assert verdict.low <= verdict.growth <= verdict.high
        assert np.isfinite([verdict.growth, verdict.first_seconds, verdict.last_seconds]).all()
        assert 0 <= verdict.spike_share <= 1
        assert verdict.smallest_growth >= 0.05


@few
@given(seed=seeds, steps=st.integers(30, 700))
def test_one_series_has_one_verdict(seed, steps):
    times = known.flat(known.skewed(steps, seed)).seconds
    assert judge(times) == judge(list(times))
