"""What is kept: counters and names exact, memory rising, steps as fast as ever."""

from __future__ import annotations

import pytest

from labkit.bench.bench import Bench
from labkit.causes import load
from tests.causes.curves import assert_flat, kept_a_step, play, rises

CAUSE = load("kept_objects")
STEPS = 500
# Two dense layers have four weights; Adam has two slots for each, made by two functions each.
FUNCTIONS_OF_A_MODEL = 4 * 2 * 2
MODELS = 5

# Floors in bytes per step, at about half of what was measured: 17, 36 and 38 kB, and a step's own.
LEAKS = {"tensors": 16_384, "variables": 15_000, "py_functions": 15_000, "replay_list": 16_384}
FULL = 200


@pytest.mark.parametrize("keep", LEAKS)
def test_memory_rises_at_every_step_and_steps_do_not_get_slower(bench: Bench, keep: str) -> None:
    rising = {
        "made": CAUSE.expectation.per_step["made"],
        "python_functions": 1.0 if keep == "py_functions" else 0.0,
        "runtime_functions": 0.0,
    }
    run = assert_flat(bench, "kept_objects", STEPS, rising=rising, keep=keep)
    assert kept_a_step(run) > 0.9 * LEAKS[keep]


@pytest.mark.parametrize("settings", [
    {"keep": "none"},
    {"keep": "tensors", "reuse": "on"},
    {"keep": "variables", "reuse": "on"},
    {"keep": "py_functions", "reuse": "on"},
], ids=lambda settings: settings["keep"])  # fmt: skip
def test_what_is_reused_keeps_nothing(bench: Bench, settings: dict[str, str]) -> None:
    still = {"made": 0.0, "python_functions": 0.0, "runtime_functions": 0.0}
    run = assert_flat(bench, "kept_objects", STEPS, rising=still, **settings)
    assert kept_a_step(run) < 4_000


@pytest.mark.full
def test_a_new_model_leaves_its_slots_functions_and_clear_session_only_resets_the_names(
    bench: Bench,
) -> None:
    runs = {
        clear: play(bench, "kept_objects", MODELS, keep="models", clear_session=clear)
        for clear in ("off", "on")
    }
    for run in runs.values():
        assert rises(run, "made") == {1.0}
        functions = run.steps.column("runtime_functions")
        assert functions[-1] - functions[0] >= FUNCTIONS_OF_A_MODEL * (MODELS - 1)
        assert kept_a_step(run) > 1_000_000
    # It collects the garbage as well, so what is left after it is not garbage.
    assert rises(runs["on"], "runtime_functions") == {float(FUNCTIONS_OF_A_MODEL)}
    assert min(rises(runs["off"], "keras_names")) > 0
    assert set(runs["on"].steps.column("keras_names")) == {0.0}


def test_a_model_that_is_reused_leaves_nothing(bench: Bench) -> None:
    run = play(bench, "kept_objects", MODELS, keep="models", reuse="on")
    for column in ("made", "runtime_functions", "keras_names"):
        assert rises(run, column) == {0.0}
    assert kept_a_step(run) < 500_000


@pytest.mark.parametrize(
    "settings",
    [{"keep": "replay_deque"}, {"keep": "replay_list", "reuse": "on"}],
    ids=["deque", "array"],
)
def test_a_replay_buffer_with_a_bound_fills_up_and_rests(
    bench: Bench, settings: dict[str, str]
) -> None:
    run = play(bench, "kept_objects", 4 * FULL, capacity=FULL, **settings)
    assert list(run.steps.column("held")) == [min(n, FULL) for n in range(1, 4 * FULL + 1)]
    resident = run.steps.column("resident_bytes")
    filling = (resident[FULL] - resident[0]) / FULL
    full = (resident[-1] - resident[FULL + 50]) / (3 * FULL - 51)
    assert full < 0.2 * LEAKS["replay_list"] < filling


def test_clear_session_does_not_forget_a_registered_function(bench: Bench) -> None:
    run = play(bench, "kept_objects", MODELS, keep="py_functions", clear_session="on")
    assert rises(run, "python_functions") == {1.0}
