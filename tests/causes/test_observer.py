"""Watching a loop: which instrument slows it down, and which ones do not.

Tier: make test; the verbose log is marked full.
What a notebook asserts, too, is marked full.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from types import SimpleNamespace

import pytest

from labkit.bench.bench import Bench
from labkit.causes import load
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

CAUSE = load("observer")
INNOCENT = ({"print_loss": "on"}, {"wait": "on"}, {"summaries": "write"}, {"profiler": "on"})


@pytest.mark.full
def test_a_line_a_step_slows_the_loop_and_the_time_is_in_the_drawing(bench: Bench) -> None:
    run = assert_grows(bench, "observer", 60)
    assert rises(run, "lines") == {CAUSE.expectation.per_step["lines"]}


@pytest.mark.parametrize("chart", ["updates", "clears"])
def test_a_chart_of_one_line_is_expensive_and_flat(bench: Bench, chart: str) -> None:
    run = assert_rests(bench, "observer", 40, still=("lines",), chart=chart)
    drawing = sum(run.steps.column("draw_seconds")) / sum(run.steps.seconds)
    assert_clock(drawing > 0.5, drawing)


def test_without_a_chart_nothing_is_drawn(bench: Bench) -> None:
    run = assert_rests(bench, "observer", 200, still=("lines", "ops_run"), chart="off")
    assert set(run.steps.column("draw_seconds")) == {0.0}


@pytest.mark.parametrize("watched", INNOCENT, ids=lambda each: next(iter(each)))
def test_these_ways_to_watch_cost_the_same_at_every_step(
    bench: Bench, watched: dict[str, str]
) -> None:
    assert_rests(bench, "observer", 200, still=("ops_run",), chart="off", **watched)


@pytest.mark.full
def test_lines_that_were_added_stay_expensive_and_no_chart_is_cheap_at_once(bench: Bench) -> None:
    turns = ((35, "chart", "updates"), (20, "chart", "off"))
    run = switched(bench, "observer", *turns, more=45)
    added, updated, without = run.stretches()
    lines = run.steps.column("lines")
    assert set(lines[updated.start :]) == {lines[added.end - 1]}
    before, expensive, cheap = (
        median(run.steps.seconds[max(part.start, part.end - 10) : part.end])
        for part in (added, updated, without)
    )
    assert_clock(expensive > 0.3 * before, expensive, before)
    assert_clock(cheap < 0.2 * before, cheap, before)


def checked(bench: Bench, **toggles: str) -> Run:
    return play(bench, "observer", 60, chart="off", **toggles)


def test_numeric_checks_look_at_each_result_and_make_the_step_expensive(bench: Bench) -> None:
    plain, watched = checked(bench), checked(bench, check_numerics="on")
    assert set(plain.steps.column("ops_run")) == {1.0}
    assert set(watched.steps.column("ops_run")) == {3.0}  # two results, a check for each
    written = "nodes_written"
    assert max(watched.steps.column(written)) > 1.5 * max(plain.steps.column(written))
    cheap, expensive = median(plain.steps.seconds), median(watched.steps.seconds)
    assert_clock(expensive > 2 * cheap, expensive, cheap)


@pytest.mark.full
def test_numeric_checks_switched_on_later_check_results_only_and_go_when_switched_off(
    bench: Bench,
) -> None:
    turns = ((100, "check_numerics", "on"), (100, "check_numerics", "off"))
    run = switched(bench, "observer", *turns, more=100, chart="off")
    assert [{*run.steps.column("ops_run")[part.start : part.end]} for part in run.stretches()] == [
        {1.0}, {3.0}, {1.0},
    ]  # fmt: skip
    train, *later = (nodes for nodes in run.steps.column("nodes_written") if nodes)
    assert all(nodes < train / 2 for nodes in later)  # the checks alone: nothing traced again


def test_a_histogram_of_all_weights_costs_many_times_a_number_and_is_flat(bench: Bench) -> None:
    common = {"chart": "off", "width": 256}
    number = play(bench, "observer", 60, summaries="write", **common)
    histogram = assert_rests(bench, "observer", 60, summaries="raw_histogram", **common)
    assert len(set(histogram.steps.column("ops_run")[1:])) == 1
    cheap, expensive = (
        median(run.steps.column("summary_write_seconds")) for run in (number, histogram)
    )
    assert_clock(expensive > 4 * cheap, expensive, cheap)


def test_a_tracker_that_answers_slowly_is_waited_for_at_each_step(bench: Bench) -> None:
    run = assert_rests(bench, "observer", 60, chart="off", tracker="each_step")
    assert rises(run, "reports") == rises(run, "losses_reported") == {1.0}
    assert min(run.steps.column("report_seconds")) >= 0.02


def test_ten_losses_in_one_report_arrive_as_well(bench: Bench) -> None:
    run = play(bench, "observer", 60, chart="off", tracker="every_10")
    assert list(run.steps.column("reports")) == [each // 10 for each in range(1, 61)]
    assert list(run.steps.column("losses_reported")) == [each // 10 * 10 for each in range(1, 61)]
    waited = run.steps.column("report_seconds")
    assert {waited[at] for at in range(60) if (at + 1) % 10} == {0.0}


def test_a_thread_reports_for_the_loop_which_waits_for_nothing(bench: Bench) -> None:
    run = play(bench, "observer", 200, chart="off", tracker="in_thread")
    assert set(run.steps.column("report_seconds")) == {0.0}
    reports, losses = (run.steps.column(name)[-1] for name in ("reports", "losses_reported"))
    assert losses <= 200
    assert_clock(0 < reports < 100, reports)


@pytest.mark.full
def test_each_way_to_report_can_be_chosen_while_it_runs(bench: Bench) -> None:
    turns = [(25, "tracker", how) for how in ("every_10", "each_step", "off")]
    run = switched(bench, "observer", *turns, more=10, chart="off", tracker="in_thread")
    # Nothing is lost: what was left over went with the next report.
    *_, off = run.stretches()
    assert run.steps.column("losses_reported")[-1] == off.start


@pytest.mark.parametrize("summaries", ["scalar", "histogram"])
def test_summaries_of_tensorboard_say_what_is_missing_and_what_still_works(
    bench: Bench, summaries: str
) -> None:
    run = play(bench, "observer", 20, completed=False, chart="off", summaries=summaries)
    if find_spec("tensorboard"):
        assert run.state.completed
    else:
        assert run.state.name == "failed"
        assert "TensorBoard is not installed" in run.state.reason
        assert "tf.summary.write" in run.state.reason


@pytest.mark.full
def test_a_verbose_log_fills_but_never_floods_and_the_steps_stay_flat(bench: Bench) -> None:
    run = assert_rests(bench, "observer", 200, below=2, chart="off", verbose_log="on")
    assert 10_000 < len(run.log) < 100_000
    assert "cut:" in run.log


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that a loop built here writes to; nothing is left switched on after it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    import tensorflow as tf

    tf.debugging.disable_check_numerics()


def switches(**changed: object) -> SimpleNamespace:
    return SimpleNamespace(**{**CAUSE.toggle_values({"chart": "off"}), **changed})


def test_a_profiler_switched_off_has_written_its_file(scratch: Path) -> None:
    toggles = switches(profiler=True)
    loop = CAUSE.make_step(toggles, batch=4, width=4)
    loop.step()
    assert not list(scratch.rglob("*.xplane.pb"))
    toggles.profiler = False
    loop.step()
    assert len(list(scratch.rglob("*.xplane.pb"))) == 1


def test_summaries_are_written_to_a_file(scratch: Path) -> None:
    loop = CAUSE.make_step(switches(summaries="write"), batch=4, width=4)
    loop.step()
    assert len(list(scratch.rglob("events.out.tfevents*"))) == 1


def test_histograms_count_every_weight(scratch: Path) -> None:
    import tensorflow as tf

    loop = CAUSE.make_step(switches(summaries="raw_histogram"), batch=4, width=4)
    for _ in range(6):  # ten are kept back until there are more
        loop.step()
    written = [
        each.histo.num
        for file in scratch.rglob("events.out.tfevents*")
        for event in tf.compat.v1.train.summary_iterator(str(file))
        for each in event.summary.value
    ]
    assert len(written) > 9 and set(written) == {16, 4}


def test_the_loss_is_the_same_whoever_watches(scratch: Path) -> None:
    def losses(**toggles: object) -> list[float]:
        return returned("observer", 3, {"chart": "off", **toggles}, batch=8, width=8)

    alone = losses()
    assert alone[2] < alone[0]
    for toggles in (
        {"chart": "adds_line"}, {"eager": True}, {"check_numerics": True},
        {"summaries": "raw_histogram"},
    ):  # fmt: skip
        assert losses(**toggles) == pytest.approx(alone, rel=1e-5)


def test_a_function_is_checked_inside_only_if_it_was_traced_while_checks_were_on(
    scratch: Path,
) -> None:
    import tensorflow as tf

    def hides_a_nan(value: object) -> object:
        return tf.where(tf.math.is_nan(tf.math.log(value)), 0.0, 1.0)

    before, under = tf.function(hides_a_nan), tf.function(hides_a_nan)
    bad = tf.constant(-1.0)
    assert before(bad) == 0.0
    tf.debugging.enable_check_numerics()
    assert before(bad) == 0.0  # its result is a number, and nobody looks inside
    with pytest.raises(tf.errors.InvalidArgumentError):
        under(bad)
    tf.debugging.disable_check_numerics()
    with pytest.raises(tf.errors.InvalidArgumentError):
        under(bad)  # the checks are part of its graph now


def test_one_step_in_ten_that_is_profiled_leaves_a_file_each(scratch: Path) -> None:
    loop = CAUSE.make_step(switches(), batch=4, width=4, profile_every=10)
    for _ in range(25):
        loop.step()
    assert loop.counters["profiles"]() == 3
    assert len(list(scratch.rglob("*.xplane.pb"))) == 3
