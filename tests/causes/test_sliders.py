"""A number that is moved while a loop runs changes what its next step does, by that number.

Tier: make test, in turn.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from labkit.bench.bench import Bench
from labkit.causes import SLUGS, load
from tests.causes.curves import switched

pytestmark = pytest.mark.in_turn

STEPS = 20
# The slider, where it is moved to, and what a step adds to the counter before and after it.
ADDED = [
    ("graph_growth", "losses", "4", "graph_ops", 6, 24),
    ("session_churn", "layers", "4", "initialised", 2, 8),
    ("open_tape", "layers", "4", "gradient_ops", 5, 11),
    ("retracing", "every", "100", "traces", 1, 0),
    ("input_pipeline", "stride", "4", "records_made", 50, 200),
    ("checkpoint_io", "every", "100", "checkpoint_saves", 1, 0),
    ("garbage", "collect_every", "1", "gc_collections", 0.1, 1),
]


@pytest.mark.parametrize(("slug", "name", "word", "column", "before", "after"), ADDED)
def test_a_slider_changes_what_a_step_adds_at_once(
    bench: Bench, slug: str, name: str, word: str, column: str, before: float, after: float
) -> None:
    sizes = {"input_pipeline": {"width": 16}}.get(slug, {})
    run = switched(bench, slug, (STEPS, name, word), more=STEPS, **sizes)
    first, second = run.stretches()
    counted = run.steps.column(column)
    added = [late - early for early, late in pairwise(counted)]
    # The step at which it was moved is the first of the second stretch.
    own, other = added[1 : first.end - 1], added[first.end : second.end - 1]
    if slug == "garbage":  # Python collects as well, now and then
        assert sum(own) / len(own) < 0.3 and sum(other) / len(other) >= after
    elif slug == "input_pipeline":  # the first step further on goes there from where it was
        assert set(own) == {before} and set(other[1:]) == {after}
    else:
        assert set(own) == {before} and set(other) == {after}


def test_holes_come_as_often_as_the_slider_says(bench: Bench) -> None:
    run = switched(bench, "fragmentation", (25, "pairs", "5"), more=25, epoch=5)
    first, second = run.stretches()
    holes = run.steps.column("holes")
    assert holes[first.end - 1] == 5 * (first.end // 5)
    rises = {late - early for early, late in pairwise(holes[first.end + 5 : second.end])}
    assert rises == {0, 25}


def test_a_history_that_keeps_the_newest_only_is_shortened_at_the_next_step(bench: Bench) -> None:
    run = switched(bench, "history", (STEPS, "newest", "1000"), more=STEPS)
    first, second = run.stretches()
    kept = run.steps.column("kept_rows")
    assert kept[first.end - 1] == 256 * first.end
    assert set(kept[first.end : second.end]) == {1000 + 256}


def test_a_slider_stands_on_one_of_its_own_steps_in_every_lab() -> None:
    sliders = [(slug, each) for slug in SLUGS for each in load(slug).toggles if each.ordered]
    assert {slug for slug, _ in sliders} >= {slug for slug, *_ in ADDED}
    for _, toggle in sliders:
        assert toggle.default in toggle.choices and len(toggle.choices) > 2
        numbers = [int(word) for word in toggle.choices if word.isdigit()]
        assert numbers == sorted(numbers), toggle.name
