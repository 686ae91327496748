"""What watching costs: drawing, printing, checks of all numbers, the profiler. Tier: make test."""

from __future__ import annotations

import pickle
from pathlib import Path
from types import ModuleType

import pytest

from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")
figure = pytest.importorskip("matplotlib.figure")
agg = pytest.importorskip("matplotlib.backends.backend_agg")
PROBES = ("observers",)
DRAWING = "drawing figures"


def test_a_chart_is_counted_and_its_step_is_booked_on_drawing(watching: Watching) -> None:
    made = figure.Figure()
    canvas = agg.FigureCanvasAgg(made)
    axes = made.add_subplot()

    def step() -> None:
        axes.plot(range(100))
        canvas.draw()

    watching.step(step)
    whole = watching.step(step)
    assert watching.counter("drawings") == 1
    assert 0.9 * whole < watching.seconds()[DRAWING] < whole


def test_saving_a_figure_is_drawing_too(watching: Watching, tmp_path: Path) -> None:
    made = figure.Figure()
    agg.FigureCanvasAgg(made)
    whole = watching.step(lambda: made.savefig(tmp_path / "figure.png"))
    assert watching.counter("drawings") == 1 and watching.seconds()[DRAWING] > 0.9 * whole
    assert (tmp_path / "figure.png").stat().st_size > 0


def test_what_a_print_turns_into_words_is_printing(
    watching: Watching, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = list(range(200_000))
    whole = watching.step(lambda: print("all of them", numbers, sep=": "))
    assert 0.9 * whole < watching.seconds()["printing"] < whole
    assert capsys.readouterr().out.startswith("all of them: [0, 1, 2")


def test_a_print_that_a_class_has_as_its_own_prints_what_it_is_given(
    watching: Watching, capsys: pytest.CaptureFixture[str]
) -> None:
    class Trainer:
        log = print

    assert pickle.loads(pickle.dumps(print)) is print
    watching.step(lambda: Trainer().log("loss", 0.5))
    assert capsys.readouterr().out == "loss 0.5\n"


def test_a_print_in_a_traced_function_still_speaks_once_a_trace(
    watching: Watching, capsys: pytest.CaptureFixture[str]
) -> None:
    @tf.function
    def traced(x: object) -> object:
        print("traced")
        return x

    for _ in range(3):
        watching.step(lambda: traced(tf.ones([2])))
    assert capsys.readouterr().out == "traced\n"


def test_a_step_without_any_of_it_books_nothing(watching: Watching) -> None:
    watching.step(lambda: tf.reduce_sum(tf.ones([4])))
    assert watching.counter("drawings") == 0 and watching.seconds() == {}


def test_checks_of_all_numbers_are_booked_while_they_are_switched_on(watching: Watching) -> None:
    batch = tf.ones([4])
    tf.debugging.enable_check_numerics()
    watching.step(lambda: batch * 2.0)
    tf.debugging.disable_check_numerics()
    assert watching.seconds()["checking all numbers"] > 0
    watching.step(lambda: batch * 2.0)
    assert watching.seconds() == {}


def test_stopping_the_profiler_is_booked(watching: Watching, tmp_path: Path) -> None:
    tf.profiler.experimental.start(str(tmp_path))
    whole = watching.step(tf.profiler.experimental.stop)
    assert watching.seconds()["the profiler"] > 0.9 * whole
