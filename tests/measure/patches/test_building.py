"""Making variables and building models, against what is there afterwards. Tier: make test."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")
PROBES = ("building",)
VARIABLES, MODELS = "making variables", "building models and optimizers"


def new_model() -> Any:
    return tf.keras.Sequential(
        [tf.keras.Input((4,)), tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)]
    )


def test_each_variable_made_is_counted(watching: Watching) -> None:
    watching.step(lambda: [tf.Variable(1.0) for _ in range(3)])
    assert watching.counter("variables_made") == 3
    assert set(watching.seconds()) == {VARIABLES}


def test_the_variables_of_a_model_are_counted_as_keras_has_them(watching: Watching) -> None:
    made: list[Any] = []
    whole = watching.step(lambda: made.append(new_model()))
    assert len(made[0].variables) == 4
    # Each layer that draws its start values at random has a seed of its own beside them.
    assert watching.counter("variables_made") in (4, 6)
    seconds = watching.seconds()
    assert sum(seconds.values()) > 0.7 * whole and {MODELS, VARIABLES} == set(seconds)


def test_an_optimizer_made_anew_makes_its_variables_anew(watching: Watching) -> None:
    model = new_model()
    for _ in range(2):
        before = watching.counter("variables_made")
        optimizer = tf.keras.optimizers.Adam()
        watching.step(lambda optimizer=optimizer: optimizer.build(model.trainable_variables))
        # Two for each of the model's; the count of steps and the learning rate.
        made = watching.counter("variables_made") - before
        assert made == len(optimizer.variables) == 2 * len(model.trainable_variables) + 2
        assert watching.seconds()[MODELS] > 0


def test_a_step_of_a_model_that_is_there_makes_nothing(watching: Watching) -> None:
    model = new_model()
    batch = tf.ones([2, 4])
    model(batch)
    before = watching.counter("variables_made")
    whole = watching.step(lambda: model(batch))
    assert watching.counter("variables_made") == before
    assert sum(watching.seconds().values()) < 0.3 * whole
