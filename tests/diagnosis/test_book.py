"""The growth is attributed to what makes it, all of it and no more."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.diagnosis import book
from labkit.record import UNEXPLAINED, Ledger
from labkit.stats import judge
from tests.diagnosis.watched import STEPS, ramp, timed, watched


def booked(run) -> Ledger:
    return book(run, judge(run.steps.seconds))


def assert_adds_up(ledger: Ledger) -> None:
    assert ledger.rows[-1].place == UNEXPLAINED
    assert math.fsum(row.seconds for row in ledger.rows) == pytest.approx(
        ledger.growth_seconds, rel=1e-14
    )
    assert math.fsum(row.share for row in ledger.rows) == pytest.approx(1, rel=1e-12)
    seconds = [row.seconds for row in ledger.rows[:-1]]
    assert seconds == sorted(seconds, reverse=True)


def assert_booked(ledger: Ledger, place: str, seconds: float, *, within: float) -> None:
    row = next(row for row in ledger.rows if row.place == place)
    assert row.seconds == pytest.approx(seconds, abs=within)
    assert row.low <= row.seconds <= row.high
    assert row.low - within / 4 <= seconds <= row.high + within / 4


def test_a_ramp_is_booked_on_the_place_that_grew():
    places = {"run": ramp(5e-3, 6e-3), "extension": ramp(1e-3, 5e-3)}
    ledger = booked(watched(places, rest=1e-3))
    assert_adds_up(ledger)
    assert [row.place for row in ledger.rows] == ["extension", "run", UNEXPLAINED]
    assert_booked(ledger, "extension", 4e-3, within=2e-4)
    assert_booked(ledger, "run", 1e-3, within=2e-4)
    assert ledger.growth_seconds == pytest.approx(5e-3, rel=0.05)
    assert ledger.explained == pytest.approx(1, abs=0.05)


def test_what_a_step_began_with_is_booked_on_the_same_places():
    places = {"run": ramp(5e-3, 6e-3), "extension": ramp(1e-3, 5e-3)}
    ledger = booked(watched(places, rest=1e-3))
    first = {row.place: row.first_seconds for row in ledger.rows}
    assert first["run"] == pytest.approx(5e-3, rel=0.05)
    assert first["extension"] == pytest.approx(1e-3, rel=0.2)
    assert first[UNEXPLAINED] == pytest.approx(1e-3, rel=0.2)


def test_growth_outside_all_places_stays_unexplained():
    ledger = booked(watched({"run": np.full(STEPS, 5e-3)}, rest=ramp(1e-3, 6e-3)))
    assert_adds_up(ledger)
    assert ledger.rows[-1].share == pytest.approx(1, abs=0.05)
    assert_booked(ledger, "run", 0.0, within=2e-4)


def test_a_place_that_shrank_has_a_negative_row():
    places = {"slow": ramp(5e-3, 15e-3), "eased": ramp(4e-3, 2e-3)}
    ledger = booked(watched(places))
    assert_adds_up(ledger)
    assert_booked(ledger, "eased", -2e-3, within=2e-4)
    assert ledger.rows[0].share > 1


def test_a_level_up_is_booked_whole():
    after = np.arange(200) >= 80
    ledger = booked(watched({"gc": np.where(after, 3e-3, 0.5e-3), "run": np.full(200, 5e-3)}))
    assert_adds_up(ledger)
    assert_booked(ledger, "gc", 2.5e-3, within=1e-4)


def test_growth_that_flattens_is_booked_as_the_verdict_says_it():
    """A straight line would miss a sixth of this growth and contradict the verdict."""
    position = np.linspace(0, 1, 400)
    run = watched({"cache": 5e-3 + 10e-3 * (1 - np.exp(-4 * position))}, rest=1e-3)
    verdict = judge(run.steps.seconds)
    ledger = book(run, verdict)
    assert_adds_up(ledger)
    said = verdict.last_seconds - verdict.first_seconds
    assert ledger.growth_seconds == pytest.approx(said, rel=0.1)


def test_spikes_do_not_tilt_the_ledger():
    run = watched({"extension": ramp(2e-3, 6e-3)}, rest=5e-3)
    total = np.array(run.steps.seconds)
    total[[250, 260, 270, 280, 290]] += 0.5
    ledger = booked(timed(run, total))
    assert_adds_up(ledger)
    assert_booked(ledger, "extension", 4e-3, within=2e-4)
    assert abs(ledger.rows[-1].share) < 0.1


def test_warm_up_is_set_aside():
    run = watched({"extension": ramp(2e-3, 6e-3), "tracing": np.zeros(STEPS)}, rest=5e-3)
    compiled = np.where(np.arange(STEPS) < 2, 3.0, 0.0)
    ledger = booked(timed(run, run.steps.seconds + compiled, tracing=compiled))
    assert_adds_up(ledger)
    assert_booked(ledger, "tracing", 0.0, within=1e-4)
    assert_booked(ledger, "extension", 4e-3, within=2e-4)


def test_a_place_never_measured_has_no_row():
    run = watched({"extension": ramp(2e-3, 6e-3), "gc": 0.0}, rest=5e-3)
    ledger = booked(timed(run, run.steps.seconds, gc=np.full(STEPS, np.nan)))
    assert_adds_up(ledger)
    assert [row.place for row in ledger.rows] == ["extension", UNEXPLAINED]


def test_steps_at_which_a_place_was_not_measured_are_left_out_for_all():
    run = watched({"extension": ramp(2e-3, 6e-3)}, rest=5e-3)
    seconds = np.array(run.steps.column("extension"))
    seconds[::5] = np.nan
    ledger = booked(timed(run, run.steps.seconds, extension=seconds))
    assert_adds_up(ledger)
    assert_booked(ledger, "extension", 4e-3, within=2e-4)


def test_a_run_without_places_is_all_unexplained():
    ledger = booked(watched(rest=ramp(2e-3, 6e-3)))
    assert [row.share for row in ledger.rows] == [1.0]


@pytest.mark.parametrize(
    "places",
    (
        {"a": ramp(2e-3, 4e-3), "b": ramp(4e-3, 2e-3)},
        {"a": ramp(6e-3, 2e-3)},
        {"gc": np.where(np.arange(STEPS) % 10 == 5, 20e-3, 0.0), "run": 5e-3},
        {"a": ramp(2e-3, 60e-3, 20)},
    ),
    ids=("flat, though one place grows", "faster", "spikes", "too short"),
)
@pytest.mark.parametrize("seed", range(3))
def test_a_run_that_did_not_get_slower_has_an_empty_ledger(places, seed):
    assert booked(watched(places, seed=seed)) == Ledger()


def test_the_intervals_hold_the_truth_about_as_often_as_they_say():
    inside = 0
    for seed in range(60):
        places = {"a": ramp(2e-3, 4e-3, 150), "b": ramp(3e-3, 3.5e-3, 150)}
        ledger = booked(watched(places, rest=2e-3, noise=0.05, seed=seed))
        row = next(row for row in ledger.rows if row.place == "b")
        inside += row.low <= 0.5e-3 <= row.high
    assert inside >= 53


@settings(max_examples=25)
@given(
    growths=st.lists(st.floats(0.0, 10e-3), min_size=1, max_size=5),
    seed=st.integers(0, 1000),
    scale=st.sampled_from([1e-3, 1.0, 100.0]),
)
def test_every_ledger_adds_up(growths, seed, scale):
    places = {
        f"place {number}": scale * ramp(2e-3, 2e-3 + growth, 120)
        for number, growth in enumerate(growths)
    }
    ledger = booked(watched(places, rest=scale * ramp(1e-3, 9e-3, 120), seed=seed))
    assert len(ledger.rows) == len(growths) + 1
    assert_adds_up(ledger)
