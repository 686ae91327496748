"""What a panel draws of the inside of a step was counted. Tier: make test, in turn."""

from __future__ import annotations

import pytest

from labkit.bench.bench import Bench
from labkit.cause import Mechanism
from labkit.causes import SLUGS, load
from labkit.record import Run
from labkit.show.inside.inside_step import InsideStep, inside_run
from tests.causes.curves import play

pytestmark = pytest.mark.in_turn

KNOWN = {slug: load(slug).mechanism for slug in SLUGS}
WALKED = [slug for slug, of in KNOWN.items() if isinstance(of, Mechanism) and of.walked]
# What takes the cause away; its step leaves alone what is there.
AT_REST = {
    "graph_growth": {"build_once": "on"},
    "garbage": {"collect_every": "never"},
    "checkpoint_io": {"every": "100"},
    "session_churn": {"reuse": "on"},
    "memory_limit": {"keep": "off"},
    "history": {"how": "appended"},
}


def inside_of(run: Run) -> InsideStep:
    mechanism = KNOWN[run.cause]
    assert isinstance(mechanism, Mechanism)
    inside = inside_run(mechanism, run)
    assert inside is not None
    return inside


@pytest.mark.parametrize("slug", WALKED)
def test_a_cause_at_work_goes_through_what_it_counts(bench: Bench, slug: str) -> None:
    # Blocks are put out of memory once there are more than the budget.
    few = {"budget": 2, "every": 1, "reads": 64} if slug == "memory_limit" else {}
    inside = inside_of(play(bench, slug, 25, **few))
    assert 0 < inside.walked <= inside.dots
    assert inside.walked == inside.dots or slug == "memory_limit"
    assert inside.caption == getattr(KNOWN[slug], "caption", "")


@pytest.mark.parametrize("slug", AT_REST)
def test_a_step_without_the_cause_leaves_alone_what_is_there(bench: Bench, slug: str) -> None:
    inside = inside_of(play(bench, slug, 25, **AT_REST[slug]))
    assert inside.walked == 0
    assert inside.caption == getattr(KNOWN[slug], "rest", "")


def test_a_tape_for_each_step_has_as_many_ops_in_every_step(bench: Bench) -> None:
    inside = inside_of(play(bench, "open_tape", 25, hold="per_step"))
    assert inside.new == 0 and inside.walked == inside.dots <= 10


def test_one_iterator_makes_one_batch_in_every_step(bench: Bench) -> None:
    inside = inside_of(play(bench, "input_pipeline", 25, source="iterator"))
    assert (inside.dots, inside.new) == (50, 0)


def test_a_key_that_matches_is_compared_with_one_trace(bench: Bench) -> None:
    inside = inside_of(play(bench, "retracing", 25, argument="tensor"))
    assert (inside.dots, inside.new) == (1, 0)
