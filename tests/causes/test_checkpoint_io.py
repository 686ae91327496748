"""Checkpoints do what is declared: files and bytes exact, growth as ratios.

Tier: make test, in turn.

What a notebook asserts, too, is marked full.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from statistics import median

import pytest

from labkit.bench.bench import Bench
from labkit.bench.worker.fault import fault
from labkit.causes import load
from labkit.record import Event, Run
from tests.causes.curves import assert_clock, assert_grows, assert_rests, play, rises, switched

pytestmark = pytest.mark.in_turn

CAUSE = load("checkpoint_io")
PLACES = ("checkpoint_write", "checkpoint_index", "checkpoint_listing", "sync_to_disk")
# TensorFlow keeps three, each of two files, and the index; one more while it sweeps.
MOST_FILES_OF_THREE = 7


def saves(run: Run) -> list[Event]:
    return [each for each in run.events if each.kind == "checkpoint"]


def spent(run: Run, place: str) -> list[float]:
    return list(run.steps.column(f"{place}_seconds"))


def growth(seconds: list[float]) -> float:
    fifth = len(seconds) // 5
    return median(seconds[-fifth:]) / median(seconds[1 : fifth + 1])


def bytes_a_save(run: Run) -> float:
    written = run.steps.column("checkpoint_bytes")
    return (written[-1] - written[0]) / (len(written) - 1)


@pytest.mark.full
def test_kept_checkpoints_make_each_save_more_expensive_by_way_of_the_index(bench: Bench) -> None:
    run = assert_grows(bench, "checkpoint_io", 500)
    for counter, rise in CAUSE.expectation.per_step.items():
        assert rises(run, counter) == {rise}
    assert min(rises(run, "index_bytes")) > 60
    grown = growth(spent(run, "checkpoint_index"))
    assert_clock(grown > 2, grown)


def test_with_three_kept_files_index_and_step_time_rest(bench: Bench) -> None:
    run = assert_rests(bench, "checkpoint_io", 120, keep="3")
    assert rises(run, "checkpoint_saves") == {1.0}
    assert max(run.steps.column("folder_files")) <= MOST_FILES_OF_THREE
    assert max(run.steps.column("index_bytes")) < 1_000


def test_keeping_three_while_it_runs_sweeps_the_folder(bench: Bench) -> None:
    run = switched(bench, "checkpoint_io", (40, "keep", "3"), more=10)
    files = run.steps.column("folder_files")
    kept, swept = run.stretches()
    assert files[kept.end - 1] == 2 * kept.end + 1
    assert files[-1] == MOST_FILES_OF_THREE
    index = run.steps.column("index_bytes")
    assert index[-1] < index[swept.start - 1] / 3


@pytest.mark.parametrize("every", [10, 100])
def test_only_the_steps_that_save_have_teeth(bench: Bench, every: int) -> None:
    run = play(bench, "checkpoint_io", 200, keep="3", every=str(every))
    assert [each.step for each in saves(run)] == list(range(every - 1, 200, every))
    between = [index for index in range(200) if (index + 1) % every]
    for place in PLACES:
        assert {spent(run, place)[index] for index in between} == {0.0}
    times = run.steps.seconds
    tooth = min(times[each.step] for each in saves(run))
    usual = median(times[index] for index in between)
    assert_clock(tooth > 2 * usual, tooth, usual)


@pytest.mark.parametrize(
    ("what", "calls", "saved", "teeth"),
    [
        ("nothing", 60, 0, False), ("early_stopping", 60, 0, False),
        ("validation", 63, 0, True), ("checkpoint", 60, 3, True), ("all", 63, 3, True),
    ],
)  # fmt: skip
def test_what_keras_does_at_the_end_of_an_epoch_is_done_there_alone(
    bench: Bench, what: str, calls: int, saved: int, teeth: bool
) -> None:
    run = play(bench, "checkpoint_io", 60, epoch_end=what)
    ends = [19, 39, 59]
    done = run.steps.column("keras_trainings")
    assert done[18] == 19 and done[-1] == calls
    assert [each.step for each in saves(run)] == ends[:saved]
    times = run.steps.seconds
    usual = median(times[1:])
    ratios = [times[at] / usual for at in ends]
    assert_clock(min(ratios) > 3 if teeth else median(ratios) < 3, ratios)


@pytest.mark.full
def test_foreign_files_make_each_save_more_expensive_but_not_the_step(bench: Bench) -> None:
    common = {"keep": "3", "every": "10", "foreign_files": 5_000}
    clean = play(bench, "checkpoint_io", 100, **common)
    littered = play(bench, "checkpoint_io", 100, foreign="on", **common)
    # A folder this full is looked at once a second only, so the last saves may not be in it.
    assert max(littered.steps.column("folder_files")) > 5_000
    between = [index for index in range(1, 100) if (index + 1) % 10]
    assert {spent(littered, "checkpoint_listing")[index] for index in between} == {0.0}
    # The quickest of each: what else the machine does can only make a listing slower.
    quick, slow = (
        min(spent(run, "checkpoint_listing")[each.step] for each in saves(run)[4:])
        for run in (clean, littered)
    )
    assert_clock(slow > 5 * quick, quick, slow)


def test_foreign_files_taken_away_again_are_gone(bench: Bench) -> None:
    settings = {"foreign": "on", "keep": "3", "foreign_files": 500}
    run = switched(bench, "checkpoint_io", (20, "foreign", "off"), more=10, **settings)
    files = run.steps.column("folder_files")
    assert max(files) == 500 + MOST_FILES_OF_THREE
    assert files[-1] == MOST_FILES_OF_THREE


@pytest.mark.full
def test_every_choice_can_be_made_while_it_runs(bench: Bench) -> None:
    choices = (
        ("background", "on"), ("keep", "3"), ("background", "off"), ("what", "optimizer"),
        ("what", "keras"), ("what", "keras_compiled"), ("what", "weights"), ("foreign", "on"),
        ("sync", "on"), ("summaries", "write"), ("background", "on"), ("every", "10"),
    )  # fmt: skip
    turns = [(10, *choice) for choice in choices]
    run = switched(bench, "checkpoint_io", *turns, more=30, foreign_files=50)
    assert len([each for each in run.events if each.kind == "toggle"]) == 12


WIDTH = 128
WEIGHTS_BYTES = 2 * WIDTH * WIDTH * 4


@pytest.mark.parametrize(
    ("what", "times"), [("weights", 1), ("optimizer", 3), ("keras", 1), ("keras_compiled", 3)]
)
def test_a_compiled_keras_model_saves_its_optimizer_among_its_weights(
    bench: Bench, what: str, times: int
) -> None:
    run = play(bench, "checkpoint_io", 4, what=what, width=WIDTH)
    assert 1 < bytes_a_save(run) / (times * WEIGHTS_BYTES) < 1.3


def test_a_keras_weights_file_has_no_index_and_one_file(bench: Bench) -> None:
    run = play(bench, "checkpoint_io", 20, what="keras")
    assert rises(run, "checkpoint_saves") == {1.0}
    assert set(run.steps.column("index_bytes")) == {0.0}
    assert set(run.steps.column("folder_files")) == {1.0}


def test_in_the_background_the_step_neither_writes_the_index_nor_lists(bench: Bench) -> None:
    run = play(bench, "checkpoint_io", 60, background="on", keep="3")
    assert all(each.detail["background"] for each in saves(run))
    # Each save waits for the one before, so that only the last may be missing.
    assert len(saves(run)) >= 59
    assert set(spent(run, "checkpoint_index")) == set(spent(run, "checkpoint_listing")) == {0.0}
    assert min(spent(run, "checkpoint_write")) > 0


def test_in_the_foreground_nothing_is_written_behind_the_steps_back(bench: Bench) -> None:
    run = play(bench, "checkpoint_io", 20)
    assert not any(each.detail["background"] for each in saves(run))
    assert min(spent(run, "checkpoint_index")) > 0


@pytest.mark.parametrize("what", ["keras", "keras_compiled", "optimizer"])
def test_keras_variables_in_the_background_fail_at_the_second_save(bench: Bench, what: str) -> None:
    run = play(bench, "checkpoint_io", 10, completed=False, background="on", what=what)
    assert run.state.name == "failed" and len(run.steps) == 1
    assert "ValueError" in run.state.reason
    assert "plain tf.Variables can be saved in the background" in run.state.reason


def test_period_is_gone_from_keras_and_the_reason_says_so(bench: Bench) -> None:
    run = play(bench, "checkpoint_io", 10, completed=False, period="on")
    assert run.state.name == "failed"
    assert "TypeError" in run.state.reason and "save_freq=" in run.state.reason


def test_scalar_summaries_work_where_tensorboard_is_and_are_explained_elsewhere(
    bench: Bench,
) -> None:
    run = play(bench, "checkpoint_io", 10, completed=False, summaries="scalar", every="100")
    if importlib.util.find_spec("tensorboard"):
        assert run.state.name == "done"
    else:
        assert run.state.name == "failed"
        assert "TBNotInstalledError" in run.state.reason
        assert "tf.summary.write works" in run.state.reason


def test_raw_summaries_work_without_tensorboard_and_are_no_saves(bench: Bench) -> None:
    run = play(bench, "checkpoint_io", 30, summaries="write", every="100")
    assert min(spent(run, "summary_write")) > 0
    assert set(run.steps.column("checkpoint_saves")) == {0.0}


def test_syncing_is_booked_on_a_place_of_its_own(bench: Bench) -> None:
    synced = play(bench, "checkpoint_io", 20, keep="3", sync="on")
    plain = play(bench, "checkpoint_io", 20, keep="3")
    assert min(spent(synced, "sync_to_disk")) > 0
    assert set(spent(plain, "sync_to_disk")) == {0.0}


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full and /sys")
@pytest.mark.parametrize(
    ("name", "words"), [("/dev/full", "disk is full"), ("/sys/labkit", "may not be written")]
)
def test_what_tensorflow_cannot_write_is_explained(name: str, words: str) -> None:
    """The real errors of TensorFlow: its classes are not Python's."""
    import tensorflow as tf

    for write in (lambda: tf.io.write_file(name, "x"), lambda: open_and_write(name)):
        assert words in fault(raised(write), CAUSE.explanations).reason


def open_and_write(name: str) -> None:
    with open(name, "w") as file:
        file.write("x")


def raised(write: Callable[[], object]) -> Exception:
    with pytest.raises(Exception) as caught:
        write()
    return caught.value


def test_a_small_disk_is_filled_by_who_keeps_all_and_not_by_who_keeps_three(bench: Bench) -> None:
    full = play(bench, "checkpoint_io", 400, completed=False, disk=4)
    if "no small disk" in full.state.reason:
        assert "choose disk = 0" in full.state.reason and not full.state.traceback
        return
    assert full.state.name == "failed" and "No space left on device" in full.state.reason
    assert 30 < len(full.steps) < 400
    few = play(bench, "checkpoint_io", 400, keep="3", disk=4)
    assert max(few.steps.column("folder_files")) <= MOST_FILES_OF_THREE
