"""Registries count what is entered, and rest otherwise. Tier: make test."""

from __future__ import annotations

import logging
from types import ModuleType
from typing import Any

import pytest

from labkit.measure.memory.registries import KEPT_BY, Registries
from labkit.measure.patches.group import PrivateName

tf: ModuleType = pytest.importorskip("tensorflow")
keras: ModuleType = pytest.importorskip("keras")


def grown(before: dict[str, float], made: Registries) -> dict[str, float]:
    after = made.entries()
    return {name: after[name] - before[name] for name in after if after[name] != before[name]}


def test_a_py_function_called_eagerly_stays() -> None:
    made = Registries()
    tf.constant(1.0)
    before = made.entries()
    tf.py_function(abs, [tf.constant(-1.0)], tf.float32)
    assert grown(before, made)["py_functions"] == 1


def test_a_gradient_and_a_figure_are_each_one_entry() -> None:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    made = Registries()
    before = made.entries()
    tf.RegisterGradient("AGradientOfThisTest")(lambda op, grad: grad)
    pyplot.figure()
    assert grown(before, made) == {"gradient_registry": 1, "figures": 1}
    pyplot.close("all")
    assert grown(before, made) == {"gradient_registry": 1}


def test_keras_names_are_entries_until_cleared() -> None:
    made = Registries()
    keras.utils.clear_session()
    before = made.entries()["keras_state"]
    keras.layers.Dense(1), keras.layers.ReLU()
    assert made.entries()["keras_state"] > before
    keras.utils.clear_session()
    assert made.entries()["keras_state"] == before


def test_a_loop_that_only_computes_enters_nothing() -> None:
    made = Registries()
    tf.zeros([3]) + 1.0
    before = made.entries()
    for _ in range(20):
        tf.zeros([3]) + 1.0
    assert grown(before, made) == {}


@pytest.mark.parametrize("name", KEPT_BY)
def test_a_missing_private_name_is_said_once_and_only_its_count_is_left_out(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    import matplotlib.pyplot  # noqa: F401  # a registry nobody has loaded is empty, not missing

    gone = PrivateName(KEPT_BY[name].module, "", "not_there")
    monkeypatch.setitem(KEPT_BY, name, gone)
    made = Registries()
    for _ in range(2):
        assert sorted(made.entries()) == sorted(set(KEPT_BY) - {name})
    assert made.missing == [str(gone)]


def test_handlers_of_a_logger_without_a_name_are_counted_for_as_long_as_they_live() -> None:
    made = Registries()
    before = made.entries()
    logger = logging.Logger("tests.nowhere")
    for _ in range(3):
        logger.addHandler(logging.StreamHandler())
    assert grown(before, made) == {"log_handlers": 3}
    del logger
    assert grown(before, made) == {}


def test_a_handler_of_many_loggers_counts_once_for_each() -> None:
    made, shared = Registries(), logging.NullHandler()
    before = made.entries()
    names = [f"tests.shared.{number}" for number in range(3)]
    for name in names:
        logging.getLogger(name).addHandler(shared)
    assert grown(before, made) == {"log_handlers": 2}  # alive before, and had no place
    for name in names:
        logging.getLogger(name).removeHandler(shared)
    assert grown(before, made) == {}


def test_a_logger_of_the_readers_own_class_is_not_asked() -> None:
    class Loud(logging.Logger):
        def __getattribute__(self, name: str) -> Any:
            if name == "handlers" and armed:
                raise AssertionError("asked for its handlers")
            return super().__getattribute__(name)

    armed: list[int] = []
    logging.root.manager.loggerDict["tests.loud"] = Loud("tests.loud")
    armed.append(1)
    try:
        assert Registries().entries()["log_handlers"] >= 0
    finally:
        del logging.root.manager.loggerDict["tests.loud"]
