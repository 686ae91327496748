"""What must hold for every series, whatever the noise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.record import LABELS
from labkit.show.verdict.verdict_words import verdict_words
from labkit.stats import judge
from tests.stats import known
from tests.stats.families import series
from tests.stats.noises import NOISES
from tests.stats.truths import TRUTHS

pytestmark = pytest.mark.in_turn

few = settings(max_examples=25)
seeds = st.integers(0, 10_000)


@few
@given(
    truth=st.sampled_from(list(TRUTHS)), noise=st.sampled_from(list(NOISES)), index=seeds,
    power=st.integers(-20, 20),
)  # fmt: skip
def test_scaling_changes_nothing_but_the_seconds(truth, noise, index, power):
    """By powers of two, which change no bit of a number but its exponent."""
    times = series(truth, noise, 150, index).seconds
    one, other = judge(times), judge(times * 2.0**power)
    assert other.label == one.label
    assert (other.onset_step, other.warmup_steps) == (one.onset_step, one.warmup_steps)
    assert other.spike_period == one.spike_period
    for name in ("growth", "low", "high", "spike_share", "smallest_growth"):
        assert getattr(other, name) == pytest.approx(getattr(one, name), rel=1e-6, abs=1e-9)
    assert one.last_seconds is not None
    assert other.last_seconds == pytest.approx(one.last_seconds * 2.0**power, rel=1e-6)


@few
@given(seed=seeds, growth=st.floats(0.5, 2.0))
def test_reversing_a_trend_gives_a_speedup(seed, growth):
    times = known.ramp(known.white(150, seed), growth).seconds
    assert judge(times).label == "slowdown"
    assert judge(times[::-1]).label == "speedup"


@few
@given(seed=seeds, growth=st.floats(0.3, 2.0), at=st.integers(95, 120))
def test_a_late_shift_reversed_is_a_warm_up(seed, growth, at):
    """Read backwards, the slow end is a slow start; all of it is cut off and little besides."""
    times = known.step_up(known.white(150, seed), growth, at).seconds
    assert judge(times).label == "shift"
    backwards = judge(times[::-1])
    assert backwards.label == "warmup"
    assert 150 - at - 1 <= backwards.warmup_steps <= 150 - at + 0.1 * at


@few
@given(seed=seeds, growth=st.floats(0.3, 2.0), at=st.integers(25, 55))
def test_an_early_shift_reversed_is_a_speedup(seed, growth, at):
    """Slow for more than half of the run is no start any more."""
    times = known.step_up(known.white(150, seed), growth, at).seconds
    assert judge(times).label == "shift"
    assert judge(times[::-1]).label == "speedup"


@few
@given(index=seeds, noise=st.sampled_from(["normal 5 %", "one-sided", "two speeds"]))
def test_more_growth_under_the_same_noise_is_found_to_be_more(index, noise):
    found = [
        judge(series("linear", noise, 150, index, growth=growth).seconds).growth
        for growth in (0.3, 0.6, 1.2, 2.4)
    ]
    assert found == sorted(found)


@few
@given(seed=seeds, place=st.integers(0, 149), size=st.floats(2, 1e4))
def test_one_giant_step_changes_no_verdict(seed, place, size):
    """Whatever happened in one step is not what happens in all of them."""
    times = known.ramp(known.white(150, seed), 1.0).seconds
    before = judge(times)
    times[place] *= size
    after = judge(times)
    assert after.label == before.label == "slowdown"
    assert after.growth == pytest.approx(before.growth, rel=0.1)


@few
@given(
    times=st.lists(st.floats(1e-9, 1e6, allow_nan=False), min_size=1, max_size=120),
)
def test_whatever_the_times_there_is_one_whole_verdict(times):
    verdict = judge(times)
    assert verdict.label in LABELS
    assert verdict_words(verdict)
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


@few
@given(seed=seeds, constant=st.floats(0.2, 2.0), at=st.none() | st.integers(40, 110))
def test_adding_a_constant_lowers_the_growth(seed, constant, at):
    """The same seconds on top of a longer step are a smaller part of it."""
    noise = known.white(150, seed, 0.02)
    times = (known.step_up(noise, 1.0, at) if at else known.ramp(noise, 1.0)).seconds
    less, more = judge(times), judge(times + constant * 0.1)
    assert less.label == more.label == ("shift" if at else "slowdown")
    assert less.growth is not None and more.growth is not None
    assert more.growth < less.growth
    assert more.growth == pytest.approx(1 / (1 + constant), rel=0.1)
