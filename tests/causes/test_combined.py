"""Two causes at once: the ledger splits the growth between them. Tier: make test, in turn.

Ops, saves, losses and file sizes are exact; times are ratios and shares.
"""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from labkit.bench.bench import Bench
from labkit.causes import load
from labkit.diagnosis import judgement
from labkit.lab.verdicts import ledger
from labkit.record import Run
from tests.causes.curves import (
    assert_clock,
    assert_grows,
    assert_rests,
    play,
    returned,
    rises,
    switched,
)

pytestmark = pytest.mark.in_turn

SLUG = "combined"
CAUSE = load(SLUG)
STEPS = 120
SAVING, AVERAGING = "saving a checkpoint", "averaging the history"
GRAPH = ("session extension", "session run", "graph building")


def shares(run: Run) -> dict[str, float]:
    return {row.place: row.share for row in ledger(run).rows}


def split(run: Run) -> tuple[float, float, float]:
    """Return the shares of saving, of averaging, and of the graph itself."""
    said = shares(run)
    graph = sum(said.get(place, 0.0) for place in GRAPH)
    return said.get(SAVING, 0.0), said.get(AVERAGING, 0.0), graph


@pytest.mark.full
def test_with_all_three_on_the_ledger_gives_each_its_part(bench: Bench) -> None:
    run = assert_grows(bench, SLUG, STEPS + 60)
    assert {name: rises(run, name) for name in CAUSE.expectation.per_step} == {
        name: {value} for name, value in CAUSE.expectation.per_step.items()
    }
    saving, averaging, graph = split(run)
    assert_clock(saving > 0.2 and averaging > 0.05 and graph > 0.2, split(run))


def test_a_growing_graph_makes_the_saved_graph_larger_at_every_save(bench: Bench) -> None:
    sizes = play(bench, SLUG, 60, history="off").steps.column("graph_file_bytes")
    assert all(after > before for before, after in pairwise(sizes))
    assert sizes[-1] > 2 * sizes[0]


def test_saving_alone_is_innocent_and_its_file_rests(bench: Bench) -> None:
    run = assert_rests(
        bench, SLUG, STEPS, grow="off", history="off", still=("graph_ops", "graph_file_bytes")
    )
    assert run.steps.column("saves")[-1] == STEPS


def test_with_both_fixes_and_no_growth_steps_rest(bench: Bench) -> None:
    run = assert_rests(
        bench, SLUG, STEPS, grow="off", weights_only="on", running_mean="on", still=("graph_ops",)
    )
    assert set(run.steps.column("graph_file_bytes")) == {0.0}


@pytest.mark.parametrize(
    ("toggles", "part"),
    [
        ({"weights_only": "on"}, 0),
        pytest.param({"running_mean": "on"}, 1, marks=pytest.mark.full),
    ],
)
def test_a_fix_takes_its_own_part_away_and_leaves_the_others(
    bench: Bench, toggles: dict[str, str], part: int
) -> None:
    run = play(bench, SLUG, STEPS, **toggles)
    assert rises(run, "graph_ops") == {6.0}
    assert_clock(judgement(run).verdict.slower, judgement(run).verdict)
    # What is left of saving is one more run of a graph that has changed.
    assert_clock(split(run)[part] < 0.15 and split(run)[2] > 0.3, split(run))


@pytest.mark.full
def test_only_the_history_grows_where_the_graph_rests(bench: Bench) -> None:
    run = play(bench, SLUG, STEPS, grow="off", checkpoint="off")
    assert rises(run, "losses") == {1024.0} and rises(run, "saves") == {0.0}
    assert_clock(
        judgement(run).verdict.slower and split(run)[1] > 0.9, judgement(run).verdict, split(run)
    )


def test_saves_come_at_every_so_many_steps(bench: Bench) -> None:
    run = play(bench, SLUG, 20, every=5, grow="off")
    assert [int(count) for count in run.steps.column("saves")] == [n // 5 for n in range(1, 21)]


def test_a_cause_switched_on_while_it_runs_starts_to_count(bench: Bench) -> None:
    run = switched(bench, SLUG, (30, "grow", "on"), more=10, grow="off")
    before, after = run.stretches()
    ops = run.steps.column("graph_ops")
    assert len(set(ops[: before.end])) == 1 and ops[after.end - 1] > ops[before.end - 1]


def test_the_reported_mean_is_the_same_with_every_toggle() -> None:
    off = dict.fromkeys((toggle.name for toggle in CAUSE.toggles), "off")
    plain = returned(SLUG, 3, off, rows=8)
    assert all(math.isfinite(mean) for mean in plain)
    for name in ("grow", "checkpoint", "history", "running_mean"):
        assert returned(SLUG, 3, {**off, name: "on"}, rows=8) == pytest.approx(plain, rel=1e-5), (
            name
        )
