"""What is no series of step times is refused in one sentence."""

from array import array

import numpy as np
import pytest

from labkit.record import LabkitError
from labkit.show.verdict.verdict_words import verdict_words
from labkit.stats import judge


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        ([0.1] * 40 + [float("nan")], "The time of step 40 is nan s"),
        ([0.1] * 40 + [float("inf")], "The time of step 40 is inf s"),
        ([0.0] + [0.1] * 40, "The time of step 0 is 0.0 s"),
        ([0.1, -0.2] + [0.1] * 40, "The time of step 1 is -0.2 s"),
        ([0.1, "0.2"] + [0.1] * 40, "The time of step 1, '0.2', is not a number of seconds"),
        ([0.1, None] + [0.1] * 40, "The time of step 1, None, is not a number of seconds"),
        ([0.1, True], "The time of step 1, True, is not a number of seconds"),
        ([0.1, np.True_], "The time of step 1, np.True_, is not a number of seconds"),
        ([True, False], "The time of step 0, True, is not a number of seconds"),
        ("0.1 0.2", "'0.1 0.2' is not a number of seconds"),
        ([[0.1, 0.2], [0.3, 0.4]], "The step times have 2 dimensions"),
        ([[0.1, 0.2], [0.3]], "The time of step 0, [0.1, 0.2], is not a number of seconds"),
        ([1e-300] * 40 + [1e300], "The time of step 40 is 1e+300 s and that of step 0 1e-300 s"),
        ([1e300] * 40, "The time of step 0 is 1e+300 s, but no step takes more than 1e+09 s"),
        ([], "There are no step times (0 steps)"),
    ],
)
def test_wrong_times_are_named(seconds, said):
    with pytest.raises(LabkitError) as caught:
        judge(seconds)
    text = str(caught.value)
    assert text.startswith(said)
    assert text.endswith(".")
    assert "; " in text, "the sentence says what to do"


@pytest.mark.parametrize("kind", [list, tuple, np.asarray, lambda times: array("d", times)])
def test_any_sequence_of_numbers_will_do(kind):
    assert judge(kind([0.1, 0.2] * 20)).label == "flat"


def test_whole_numbers_of_seconds_will_do():
    assert judge([1, 2] * 20).label == "flat"


def test_the_times_handed_in_are_left_alone():
    times = np.exp(np.random.default_rng(1).normal(0, 0.1, 800))
    before = times.copy()
    judge(times)
    assert np.array_equal(times, before)


@pytest.mark.parametrize("times", [[1e-8, 1e7] * 20, [1e-8] * 20 + [1e7] * 20])
def test_times_of_any_sizes_a_clock_can_show_get_a_verdict_of_finite_figures(times):
    for seconds in (times, times[::-1]):
        verdict = judge(seconds)
        figures = [verdict.growth, verdict.low, verdict.high, verdict.spike_share]
        assert np.isfinite([value for value in figures if value is not None]).all()
        said = verdict_words(verdict)
        assert "nan" not in said and "inf" not in said
