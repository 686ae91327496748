"""Session churn on real TensorFlow: who initialises what, and what the growth is attributed to.

Tier: make test; page faults alone are marked full. Variables, sessions and ops are
exact; times are ratios.
"""

from __future__ import annotations

from math import isnan
from statistics import median

import pytest

from labkit.bench.bench import Bench
from labkit.causes import load
from labkit.lab.verdicts import ledger
from labkit.record import Run
from tests.causes.curves import (
    assert_clock,
    assert_grows,
    assert_rests,
    play,
    ratio,
    rises,
    switched,
)

SLUG = "session_churn"
CAUSE = load(SLUG)
STEPS = 40
# Enough that the ramp stands clear of a busy machine.
RAMP_STEPS = 60
INITIALISER = "running the initialiser"


def share(run: Run, place: str) -> float:
    rows = ledger(run).rows
    return next((row.share for row in rows if row.place == place), 0.0)


@pytest.mark.full
def test_most_of_the_growth_is_running_the_initialiser_of_all_variables(bench: Bench) -> None:
    run = assert_grows(bench, SLUG, RAMP_STEPS)
    assert rises(run, "initialised") == {CAUSE.expectation.per_step["initialised"]}
    assert list(run.steps.column("initialised"))[:3] == [4.0, 6.0, 8.0]
    assert rises(run, "graph_ops") == {23.0} and rises(run, "sessions") == {1.0}
    assert_clock(share(run, INITIALISER) > 0.5, share(run, INITIALISER))


def initialising(run: Run) -> float:
    """Return the share of all time that running the initialiser took."""
    return sum(run.steps.column("initialise_seconds")) / sum(run.steps.seconds)


@pytest.mark.full
def test_initialising_only_the_new_ones_grows_less_though_the_graph_grows_the_same(
    bench: Bench,
) -> None:
    all_, new = (play(bench, SLUG, STEPS, initialise=which) for which in ("all", "new"))
    assert rises(new, "initialised") == {0.0} and set(new.steps.column("initialised")) == {2.0}
    assert rises(new, "graph_ops") == rises(all_, "graph_ops") == {23.0}
    assert_clock(ratio(all_) > 1.4 * ratio(new), ratio(all_), ratio(new))
    assert_clock(
        initialising(all_) > 1.4 * initialising(new), initialising(all_), initialising(new)
    )


def test_initialising_only_the_new_ones_still_hands_over_an_ever_larger_graph(bench: Bench) -> None:
    run = play(bench, SLUG, STEPS, initialise="new")
    (added,) = rises(run, "graph_ops")
    assert added > 0
    extension = run.steps.column("session_extension_seconds")
    late, early = median(extension[-8:]), median(extension[1:9])
    assert_clock(late > 1.8 * early, late, early)


def test_a_fresh_graph_each_turn_is_expensive_and_flat(bench: Bench) -> None:
    fresh = assert_rests(bench, SLUG, STEPS, fresh_graph="on", still=("initialised",))
    assert rises(fresh, "sessions") == {1.0}
    reuse = play(bench, SLUG, STEPS, reuse="on")
    expensive, cheap = median(fresh.steps.seconds), median(reuse.steps.seconds)
    assert_clock(expensive > 5 * cheap, expensive, cheap)


def test_reuse_lets_every_counter_rest(bench: Bench) -> None:
    run = assert_rests(
        bench, SLUG, 200, reuse="on", still=("initialised", "graph_ops", "sessions"), below=2.0
    )
    assert run.steps.column("sessions")[-1] == 1.0


def test_sessions_without_new_variables_are_expensive_and_do_not_ramp(bench: Bench) -> None:
    run = assert_rests(bench, SLUG, STEPS, new_variables="off", still=("initialised",))
    # The initialiser is itself an op, built anew each turn: the only one that is.
    assert rises(run, "graph_ops") == {1.0} and rises(run, "sessions") == {1.0}


@pytest.mark.full
def test_one_kept_session_does_not_help_while_variables_pile_up(bench: Bench) -> None:
    run = assert_grows(bench, SLUG, 45, new_session="off")
    assert rises(run, "sessions") == {0.0} and rises(run, "initialised") == {2.0}


@pytest.mark.full
def test_holes_and_page_faults_stay_when_the_time_goes(bench: Bench) -> None:
    """The allocator's holes are still there after the flip; the steps no longer cost anything."""
    run = switched(bench, SLUG, (STEPS, "reuse", "on"), more=60)
    before, after = run.stretches()
    times = run.steps.seconds
    expensive, cheap = median(times[before.end - 10 : before.end]), median(times[after.start :])
    holes, faults = run.steps.column("holes"), run.steps.column("page_faults")
    counted = not isnan(holes[0])
    if counted:
        assert holes[before.end - 1] > 2 * holes[1]
        assert holes[after.end - 1] > 0.5 * holes[before.end - 1]
    assert_clock(cheap < 0.2 * expensive, cheap, expensive)
    if not counted:
        pytest.skip("this C library does not count its free chunks")
    many, few = median(faults[1 : before.end]), median(faults[after.start :])
    assert_clock(few < many, few, many)


@pytest.mark.full
def test_page_faults_do_not_climb_with_the_time(bench: Bench) -> None:
    run = play(bench, SLUG, STEPS, initialise="new")
    faults = run.steps.column("page_faults")
    late, early = median(faults[-15:]), median(faults[5:20])
    assert late > 0
    assert_clock(late < 2 * early, late, early)


def test_the_answer_is_finite_and_the_same_layer_gives_the_same_one() -> None:
    import math
    from types import SimpleNamespace

    switches = SimpleNamespace(
        new_session=True,
        new_variables=False,
        layers="1",
        initialise="new",
        fresh_graph=False,
        reuse=False,
    )
    loop = CAUSE.make_step(switches, size=8, seed=3)
    answers = [float(loop.step()) for _ in range(2)]
    switches.reuse = True
    answers.append(float(loop.step()))
    assert all(math.isfinite(answer) for answer in answers)
    switches.reuse, switches.new_variables = False, True
    loop.step()
    assert loop.counters["initialised"]() == 2
    switches.initialise = "all"
    loop.step()
    assert loop.counters["initialised"]() == 6
