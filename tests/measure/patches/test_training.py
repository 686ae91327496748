"""Keras trainings: callbacks, adapters and compiling, against what the callbacks saw. make test."""

from __future__ import annotations

import time
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from labkit.measure.patches.function.compiling import KERAS_KIND
from labkit.measure.patches.timed_functions import TRAINING
from tests.measure.watching import Watching

pytestmark = pytest.mark.in_turn

tf: ModuleType = pytest.importorskip("tensorflow")
PROBES = ("training", "keras_functions", "tracing", "eager")
FITTING, CALLBACKS, COMPILING = (group.place[1] for group in TRAINING.groups[:3])
DATA = np.ones([32, 4], np.float32)


@pytest.fixture
def model() -> Any:
    made = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    made.compile("sgd", "mse")
    made.fit(DATA, DATA[:, :1], verbose=0)
    return made


def test_the_time_of_a_callback_is_the_callbacks(watching: Watching, model: Any) -> None:
    spent: list[float] = []

    class Slow(tf.keras.callbacks.Callback):  # type: ignore[name-defined, misc]
        def on_train_batch_end(self, batch: int, logs: object = None) -> None:
            began = time.perf_counter()
            sum(range(200_000))
            spent.append(time.perf_counter() - began)

    fit = lambda **more: model.fit(DATA, DATA[:, :1], batch_size=8, verbose=0, **more)  # noqa: E731
    watching.step(lambda: fit(callbacks=[Slow()]))
    slow = watching.seconds()
    assert len(spent) == 4 and sum(spent) < slow[CALLBACKS] < 1.5 * sum(spent)
    quick = []
    for _ in range(3):  # another program may run within one of them
        watching.step(fit)
        quick.append(watching.seconds()[CALLBACKS])
    assert min(quick) < 0.2 * sum(spent)


def test_fit_leaves_its_compiled_steps_to_their_own_place(watching: Watching, model: Any) -> None:
    whole = watching.step(lambda: model.fit(DATA, DATA[:, :1], batch_size=4, verbose=0))
    seconds = watching.seconds()
    assert seconds["function run"] > 0 and seconds[FITTING] > 0
    assert seconds["building the input"] > 0
    assert 0.9 * whole < sum(seconds.values()) < whole
    assert COMPILING not in seconds or seconds[COMPILING] < 0.05 * whole


def test_each_kind_of_call_is_counted_once(watching: Watching, model: Any) -> None:
    for call in (
        lambda: model.fit(DATA, DATA[:, :1], verbose=0),
        lambda: model.train_on_batch(DATA, DATA[:, :1]),
        lambda: model.predict(DATA, verbose=0),
        lambda: model.test_on_batch(DATA, DATA[:, :1]),
    ):
        before = watching.counter("keras_trainings")
        watching.step(call)
        assert watching.counter("keras_trainings") == before + 1


def test_compiling_anew_is_booked_as_that(watching: Watching, model: Any) -> None:
    watching.step(lambda: model.compile("sgd", "mse"))
    assert watching.seconds()[COMPILING] > 0


def test_a_plain_call_of_a_model_is_no_training(watching: Watching, model: Any) -> None:
    before = watching.counter("keras_trainings")
    watching.step(lambda: model(DATA))
    assert watching.counter("keras_trainings") == before
    assert not {FITTING, CALLBACKS, COMPILING} & set(watching.seconds())


def test_ops_run_eagerly_within_fit_are_booked_as_ops(watching: Watching) -> None:
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse", run_eagerly=True)
    fit = lambda: model.fit(DATA, DATA[:, :1], verbose=0)  # noqa: E731
    watching.step(fit)
    watching.step(fit)
    assert watching.seconds()["running ops"] > 0


@pytest.mark.parametrize("xla", [True, False])
def test_what_keras_makes_of_a_train_step_is_told_once(watching: Watching, xla: bool) -> None:
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse", jit_compile=xla)
    for _ in range(3):
        watching.step(lambda: model.fit(DATA, DATA[:, :1], verbose=0))
    assert _told_of_xla(watching) == [xla]


def test_a_choice_that_is_left_to_keras_is_told_as_it_came_out(watching: Watching) -> None:
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    watching.step(lambda: model.train_on_batch(DATA, DATA[:, :1]))
    chosen = bool(model.jit_compile)
    assert _told_of_xla(watching) == [chosen]
    # Compiled anew with the other choice, it is another function.
    model.compile("sgd", "mse", jit_compile=not chosen)
    watching.step(lambda: model.train_on_batch(DATA, DATA[:, :1]))
    assert _told_of_xla(watching) == [not chosen]


def _told_of_xla(watching: Watching) -> list[object]:
    return [event.detail["xla"] for event in watching.events.take() if event.kind == KERAS_KIND]
