"""What is told of the inside of a step is what was counted in it. Tier: make test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from labkit.cause import FULL_COLLECTION, Mechanism
from labkit.causes import SLUGS, load
from labkit.lab.replay.recordings import shipped
from labkit.record import Column, Event, Run, State, Steps
from labkit.show.inside.inside_step import (
    LOOKED_BACK,
    MOST_DOTS,
    UNCOUNTED,
    InsideStep,
    inside_run,
    inside_step,
)
from labkit.show.inside.step_dots import step_dots, words_of
from tests.show.standin import StandInRun

READ_ANEW = Mechanism("things", "All things are read anew.", ("reading_seconds",), done="read")
COMPARED = Mechanism("things", "The key is compared.", ("comparisons",), done="compared")
COLLECTED = Mechanism("things", "A collection looks at all.", (FULL_COLLECTION,))
COLUMNS = (
    Column("seconds", "time of the step", "s", "clock"),
    Column("start_seconds", "start", "s", "clock"),
    Column("things", "things", "things", "counter"),
    Column("reading_seconds", "reading", "s", "place"),
    Column("comparisons", "comparisons", "comparisons", "counter"),
)


def run_of(
    things: Sequence[float], *, events: tuple[Event, ...] = (), **more: Sequence[float]
) -> Run:
    """Return a run of so many steps; what is not given is nought."""
    zeros: Mapping[str, Sequence[float]] = {column.name: [0.0] * len(things) for column in COLUMNS}
    steps = Steps({**zeros, "things": things, **more})
    return Run("made", "Made", State("done"), COLUMNS, steps, events=events)


def told(mechanism: Mechanism, run: Run) -> InsideStep:
    inside = inside_run(mechanism, run)
    assert inside is not None
    return inside


def test_a_step_in_which_the_place_took_time_went_through_all() -> None:
    inside = told(READ_ANEW, run_of([10, 16, 22], reading_seconds=[0.001, 0.002, 0.003]))
    assert (inside.dots, inside.new, inside.walked) == (22, 6, 22)
    assert inside.title == "inside step 2"
    assert inside.lines == ("22 things", "6 new in this step", "all read, 3.0 ms")
    assert inside.caption == READ_ANEW.caption


def test_a_step_in_which_it_took_none_leaves_them_alone() -> None:
    flip = Event(2, "toggle", "grow off")
    run = run_of([10, 16, 16], reading_seconds=[0.001, 0.002, 0], events=(flip,))
    inside = told(READ_ANEW, run)
    assert (inside.dots, inside.new, inside.walked) == (16, 0, 0)
    assert inside.lines == ("16 things", "none new in this step", "none read")
    assert inside.caption == READ_ANEW.rest


def test_of_a_comb_the_latest_tooth_is_told_but_none_before_the_flip() -> None:
    reading = [0.0, 0.2, 0.0, 0.0, 0.0]
    things = [10.0] * 5
    assert told(READ_ANEW, run_of(things, reading_seconds=reading)).title == "inside step 1"
    flipped = run_of(things, reading_seconds=reading, events=(Event(3, "toggle", "off"),))
    inside = told(READ_ANEW, flipped)
    assert (inside.title, inside.walked) == ("inside step 4", 0)


def test_a_tooth_long_ago_is_not_looked_for() -> None:
    reading = [0.0, 0.2, *[0.0] * (LOOKED_BACK + 5)]
    inside = told(READ_ANEW, run_of([10.0] * len(reading), reading_seconds=reading))
    assert inside.walked == 0


def test_a_counter_says_how_many_were_gone_through_but_never_more_than_there_are() -> None:
    few = told(COMPARED, run_of([30, 30], comparisons=[0, 7]))
    assert (few.walked, few.lines[2]) == (7, "7 compared")
    many = told(COMPARED, run_of([30, 30], comparisons=[0, 900]))
    assert (many.walked, many.lines[2]) == (30, "all compared")


def test_a_young_generation_is_no_full_collection() -> None:
    events = tuple(Event(step, "gc", "gc", {"generation": step}) for step in (1, 2))
    full = told(COLLECTED, run_of([5, 5, 5, 5], events=events))
    assert (full.title, full.walked) == ("inside step 2", 5)
    young = told(COLLECTED, run_of([5, 5, 5, 5], events=events[:1]))
    assert young.walked == 0


@pytest.mark.parametrize("many", [1, 239, 240, 241, 1_421, 335_474, 10**9])
def test_a_dot_stands_for_a_round_number_and_there_are_never_too_many(many: int) -> None:
    inside = told(READ_ANEW, run_of([many, many], reading_seconds=[0, 1]))
    assert many == 1 or MOST_DOTS / 2.6 < inside.dots <= MOST_DOTS
    _, _, each = inside.lines[0].partition("a dot is ")
    assert each.replace(",", "").rstrip("0") in ("", "1", "2", "5")
    assert inside.walked == inside.dots


@pytest.mark.parametrize(
    "run",
    [run_of([]), run_of([3]), run_of([3, float("nan")]), StandInRun("run", {}).snapshot()],
    ids=["no step", "the first step only", "not counted", "no such column"],
)
def test_what_was_not_counted_has_no_picture(run: Run) -> None:
    assert inside_run(READ_ANEW, run) is None


def test_a_step_whose_place_was_not_measured_is_no_walk() -> None:
    inside = told(READ_ANEW, run_of([3, 3, 3], reading_seconds=[0, 0, float("nan")]))
    assert (inside.walked, inside.lines[2]) == (0, "none read")


@pytest.mark.parametrize("missing", ["a column", "its numbers"])
def test_where_nothing_counts_what_it_goes_through_it_is_not_said_to_leave_them_alone(
    missing: str,
) -> None:
    unseen = Mechanism("things", "All things are read anew.", ("no_such_place",))
    by = unseen if missing == "a column" else READ_ANEW
    inside = told(by, run_of([3, 3], reading_seconds=[float("nan")] * 2))
    assert (inside.walked, inside.lines[2], inside.caption) == (0, UNCOUNTED, by.caption)


def test_things_that_become_fewer_are_none_new() -> None:
    inside = told(READ_ANEW, run_of([30, 3], reading_seconds=[0, 1]))
    assert (inside.new, inside.lines[1]) == (0, "none new in this step")


@pytest.mark.parametrize("backwards", [False, True])
def test_the_still_picture_has_as_many_dots(backwards: bool) -> None:
    inside = InsideStep("inside step 7", 30, 2, 13, backwards, ("30 ops", "2", "13"), "Words.")
    drawn = str(step_dots(inside))
    lengths = [
        sum(1 + round(float(part.split("v")[1]) // 9) for part in path.split("M")[1:])
        for path in (each.partition('"')[0] for each in drawn.split(' d="')[1:])
    ]
    assert lengths == [30, 13, 2], "there, gone through, new"
    assert words_of(inside) == "Inside step 7: 30 ops; 2; 13. Words."


def test_captions_are_short_and_every_cause_that_goes_through_a_pile_has_one() -> None:
    known = {slug: load(slug).mechanism for slug in SLUGS}
    having = {slug: each for slug, each in known.items() if each}
    assert len(having) >= 9
    for slug, mechanism in having.items():
        for said in (mechanism.caption, mechanism.rest):
            assert len(said.split()) <= 8 and said.endswith("."), (slug, said)


PILES = [slug for slug in SLUGS if isinstance(load(slug).mechanism, Mechanism)]


@pytest.mark.parametrize("slug", PILES)
def test_every_recording_of_a_cause_with_a_mechanism_can_be_looked_into(slug: str) -> None:
    mechanism = load(slug).mechanism
    assert isinstance(mechanism, Mechanism)
    runs = shipped(slug)
    insides = [each for run in runs if (each := inside_run(mechanism, run))]
    assert len(insides) == len(runs)
    counted = [each.walked for each in insides if each.lines[2] != UNCOUNTED]
    assert not counted or max(counted) > 0, "the cause at work goes through them"


def test_numbers_are_read_of_the_latest_steps_only() -> None:
    run = StandInRun("run", {"grow": True, "build_once": False})
    run.advance(5_000)
    mechanism = Mechanism("graph_ops", "Ops.", ("garbage_collection_seconds",))
    inside_step(mechanism, run.columns, run.read, run.count)
    assert run.values_read <= 3 * (LOOKED_BACK + 1)


def test_where_only_new_things_cause_it_a_place_that_took_time_is_not_enough() -> None:
    asked = Mechanism("things", "All are read anew.", ("reading_seconds",), when_new=True)
    inside = told(asked, run_of([10, 16, 16], reading_seconds=[0.1, 0.1, 0.00002]))
    assert (inside.title, inside.walked) == ("inside step 1", 16)
    rests = told(asked, run_of([16, 16, 16], reading_seconds=[0.1, 0.1, 0.00002]))
    assert (rests.walked, rests.lines[2]) == (0, "none gone through")
