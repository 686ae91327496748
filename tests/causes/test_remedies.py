"""Each remedy helps a loop that has what it removes, and no other.

What TensorFlow does is counted exactly; what it is worth is asked of the clock in ratios, with
floors far from what was measured. Tier: make test, in turn; second examples are marked full.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import median, quantiles
from types import SimpleNamespace

import pytest

from labkit.bench.bench import Bench
from labkit.causes import load
from labkit.causes.remedies import EXTRAS, GRAPPLER, OPTIONS, grappler_options
from labkit.diagnosis import judgement
from labkit.measure.clock.events import Events
from labkit.measure.patches.function.rewriting import RewritingProbe
from labkit.record import Run
from tests.causes.curves import TIMES, assert_clock, assert_rests, play, returned, rises, switched

pytestmark = pytest.mark.in_turn

CAUSE = load("remedies")
LOOPS = CAUSE.toggle("loop").choices


def prepared(run: Run) -> tuple[float, float]:
    """Return the nodes of the loop's function before and after grappler."""
    return max(run.steps.column("nodes_written")), max(run.steps.column("nodes_left"))


def test_transposes_that_undo_each_other_are_what_grappler_takes_away(bench: Bench) -> None:
    with_it = play(bench, "remedies", 5, large=8)
    without = play(bench, "remedies", 5, large=8, grappler="no_arithmetic_optimization")
    assert prepared(with_it)[0] == prepared(without)[0]
    assert prepared(with_it)[1] < 10
    assert prepared(without)[1] > 40


@pytest.mark.parametrize("grappler", ["all_on", "misspelt"])
def test_asking_for_what_is_on_already_changes_nothing(bench: Bench, grappler: str) -> None:
    asked = play(bench, "remedies", 5, large=8, grappler=grappler)
    assert prepared(asked) == prepared(play(bench, "remedies", 5, large=8))


@pytest.mark.full
def test_options_change_a_running_loop_and_trace_nothing(bench: Bench) -> None:
    turns = ((50, "grappler", "no_arithmetic_optimization"), (50, "grappler", "default"))
    run = switched(bench, "remedies", *turns, more=50, size=128, large=8)
    assert rises(run, "python_runs") == {0.0}
    left = [event.detail["left"] for event in run.events if event.kind == "rewrite"]
    assert left[1] > left[0] + 30 and left[2:] in ([], [left[0]])


def test_without_tf_function_python_runs_the_body_at_every_step(bench: Bench) -> None:
    compiled = play(bench, "remedies", 20, loop="elementwise", large=8)
    eager = play(bench, "remedies", 20, loop="elementwise", large=8, tf_function="off")
    assert rises(compiled, "python_runs") == {0.0}
    assert rises(eager, "python_runs") == {1.0}
    assert set(compiled.steps.column("ops_run")) == {1.0}
    assert set(eager.steps.column("ops_run")) == {41.0}  # 20 products, 20 sums, one total


@pytest.mark.parametrize("grappler", [pytest.param("default", marks=pytest.mark.full), "all_off"])
def test_no_option_of_grappler_cures_a_growing_graph(bench: Bench, grappler: str) -> None:
    run = play(bench, "remedies", 150, loop="growing", large=8, grappler=grappler)
    assert rises(run, "graph_ops") == {4.0}
    late, early = median(run.steps.seconds[-30:]), median(run.steps.seconds[1:30])
    assert_clock(late > 1.4 * early, late, early)
    assert_clock(judgement(run).ledger.explained > 0.9, judgement(run).ledger.explained)


@pytest.mark.parametrize("loop", ["repeated", "matmuls"])
def test_loops_that_do_the_same_each_step_stay_flat(bench: Bench, loop: str) -> None:
    assert_rests(
        bench, "remedies", 100, still=("python_runs", "graph_ops"), loop=loop, size=256, large=8
    )


def test_predict_sets_up_a_data_set_at_each_call_and_the_model_itself_does_not(
    bench: Bench,
) -> None:
    asked = play(bench, "remedies", 20, loop="predict", large=8)
    called = play(bench, "remedies", 20, loop="predict", large=8, call_model="on")
    assert rises(asked, "keras_trainings") == {1.0}
    assert set(called.steps.column("keras_trainings")) == {0.0}
    assert asked.steps.column("ops_run")[-1] > 2 * called.steps.column("ops_run")[-1]
    slow, quick = (median(run.steps.seconds[5:]) for run in (asked, called))
    assert_clock(slow > 5 * quick, slow, quick)


def test_fit_returns_to_python_after_as_many_batches_as_it_is_told(bench: Bench) -> None:
    after_1, after_4, after_16 = (
        play(bench, "remedies", 4, loop="fit", large=8, steps_per_execution=batches)
        for batches in ("1", "4", "16")
    )
    ops = [run.steps.column("ops_run")[-1] for run in (after_1, after_4, after_16)]
    assert ops[0] - ops[1] == 4 * (ops[1] - ops[2]) > 0  # 64, 16 and 4 returns


@pytest.fixture
def nodes() -> Iterator[RewritingProbe]:
    """A probe, and grappler as it was before once the test is over."""
    import tensorflow as tf

    probe = RewritingProbe(Events())
    yield probe
    probe.close()
    tf.config.optimizer.set_experimental_options(grappler_options("default"))


def switches(**changed: object) -> SimpleNamespace:
    return SimpleNamespace(**{**CAUSE.toggle_values({}), **changed})


def worth(loop: str, *, size: int = 256, large: int = 8, **remedy: object) -> float:
    """Return a step's time with a remedy over that without, the two alternated in one loop.

    Each ten steps the remedy is switched, so that whatever else the machine does hits both alike.
    """
    toggles = switches(loop=loop)
    step = CAUSE.make_step(toggles, size=size, large=large).step
    without = {name: getattr(toggles, name) for name in remedy}
    times: list[list[float]] = [[], []]
    for _ in range(10):
        for side, values in enumerate((without, remedy)):
            vars(toggles).update(values)
            for number in range(12):
                began = time.perf_counter()
                step()
                if number >= 2:
                    times[side].append(time.perf_counter() - began)
    usual = [quantiles(each, n=4)[0] for each in times]
    return usual[1] / usual[0]


def assert_worth(
    loop: str, *, above: float = 0.0, below: float = 1e9, size: int = 256, large: int = 8,
    **remedy: object,
) -> None:  # fmt: skip
    """Assert that a remedy brings the usual step to between two shares of what it was."""
    shares = []
    for _ in range(TIMES):
        shares.append(worth(loop, size=size, large=large, **remedy))
        if above < shares[-1] < below:
            return
    raise AssertionError(f"{remedy} on {loop}: {shares}, not between {above} and {below}")


def test_grappler_is_worth_much_on_transposes(nodes: RewritingProbe) -> None:
    assert_worth("transposes", grappler="no_arithmetic_optimization", above=1.5)


def test_grappler_is_worth_nothing_on_multiplications(nodes: RewritingProbe) -> None:
    assert_worth("matmuls", grappler="all_off", above=0.7, below=1.4)


def test_repeated_work_is_found_by_the_runtime_where_grappler_leaves_it(
    nodes: RewritingProbe,
) -> None:
    assert_worth("repeated", grappler="all_off", above=0.7, below=1.4)
    assert_worth("repeated", tf_function=False, above=1.5)  # run one by one, nobody finds it


def test_compiling_is_worth_much_on_elementwise_work() -> None:
    assert_worth("elementwise", jit_compile=True, size=512, below=0.7)


@pytest.mark.full
def test_compiling_is_worth_nothing_on_multiplications() -> None:
    assert_worth("matmuls", jit_compile=True, size=512, above=0.7)


def test_running_without_tf_function_is_expensive_where_ops_are_many() -> None:
    assert_worth("elementwise", tf_function=False, above=1.3)


@pytest.mark.full
def test_changing_in_place_is_worth_something_on_a_large_variable() -> None:
    assert_worth("update", in_place=True, size=8, large=10_000_000, below=0.85)


def test_changing_in_place_is_worth_nothing_on_a_small_variable() -> None:
    assert_worth("update", in_place=True, size=8, large=1_000, above=0.7)


def test_every_choice_of_grappler_works_live_without_a_trace(nodes: RewritingProbe) -> None:
    toggles = switches()
    loop = CAUSE.make_step(toggles, size=8, large=8)
    left: dict[str, float] = {}
    for choice in GRAPPLER:
        toggles.grappler = choice
        row = [0.0, 0.0]
        nodes.begin()
        loop.step()
        nodes.read(row, 0)
        left[choice] = row[1]
    assert loop.counters["python_runs"]() == 1
    # Of all options one alone matters here. Nothing prepared (0) means: the same as before.
    assert {name for name, count in left.items() if count > 40} == {
        "all_off", "no_arithmetic_optimization",
    }  # fmt: skip


def test_every_remedy_gives_the_same_numbers(nodes: RewritingProbe) -> None:
    def result(**toggles: object) -> float:
        return returned("remedies", 1, toggles, size=16, large=64)[0]

    for loop in LOOPS:
        plain = result(loop=loop)
        for remedy in ({"grappler": "all_off"}, {"in_place": True}, {"jit_compile": True},
                       {"tf_function": False}):  # fmt: skip
            assert result(loop=loop, **remedy) == pytest.approx(plain, rel=1e-3, abs=1e-3)
        for precision in ("bfloat16", "float16"):
            half = result(loop=loop, precision=precision)
            assert half == pytest.approx(plain, rel=0.1, abs=1.0)


@pytest.mark.parametrize(
    ("loop", "remedy"), [("predict", {"call_model": True}), ("fit", {"steps_per_execution": "4"})]
)
def test_the_remedies_of_keras_give_the_same_numbers(loop: str, remedy: dict[str, object]) -> None:
    plain, remedied = (
        returned("remedies", 2, {"loop": loop, **each}, size=32, large=8) for each in ({}, remedy)
    )
    assert remedied == pytest.approx(plain, rel=1e-4)


def test_the_names_of_the_options_are_those_tensorflow_reports() -> None:
    import tensorflow as tf

    tf.config.optimizer.set_experimental_options(grappler_options("default"))
    known = tf.config.optimizer.get_experimental_options()
    assert set(OPTIONS) | set(EXTRAS) <= set(known)
    tf.config.optimizer.set_experimental_options(grappler_options("misspelt"))
    assert tf.config.optimizer.get_experimental_options() == known  # no error, and no effect


def test_grappler_choices_name_every_option_each_time() -> None:
    for choice in GRAPPLER:
        assert set(OPTIONS) | set(EXTRAS) <= set(grappler_options(choice))
    assert grappler_options("no_remapping")["remapping"] is False
    assert grappler_options("default")["remapping"] is True
