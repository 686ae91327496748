"""The objects probe against TensorFlow's own counts; what is missing is said. Tier: make test."""

from __future__ import annotations

import gc
import math
import time
from types import ModuleType
from typing import Any

import pytest

from labkit.measure.memory.objects import COUNTED, ObjectsProbe
from labkit.measure.patches.group import PrivateName
from tests.measure.owned_clock import OwnedClock
from tests.measure.watching import numbers_of

tf: ModuleType = pytest.importorskip("tensorflow")
keras: ModuleType = pytest.importorskip("keras")
tensorflow_context: ModuleType = pytest.importorskip("tensorflow.python.eager.context")


def read(probe: ObjectsProbe) -> dict[str, float]:
    return dict(zip((column.name for column in probe.columns), numbers_of(probe), strict=True))


def made_probe(**settings: Any) -> ObjectsProbe:
    return ObjectsProbe(time.perf_counter, **settings)


def test_no_private_name_is_missing() -> None:
    probe = made_probe()
    read(probe)
    assert probe.missing == []


@pytest.mark.parametrize("column", COUNTED)
def test_a_missing_private_name_is_said_and_only_its_column_is_unmeasured(
    monkeypatch: pytest.MonkeyPatch, column: str
) -> None:
    gone = PrivateName(COUNTED[column].module, "", "not_there")
    monkeypatch.setitem(COUNTED, column, gone)
    probe = made_probe()
    for _ in range(2):
        unmeasured = [name for name, value in read(probe).items() if math.isnan(value)]
        assert unmeasured == [column]
    assert probe.missing == [str(gone)]


def test_each_py_function_called_eagerly_is_one_more() -> None:
    probe = made_probe()
    before = read(probe)["python_functions"]
    for _ in range(3):
        tf.py_function(abs, [tf.constant(-1.0)], tf.float32)
    assert read(probe)["python_functions"] == before + 3


def test_a_traced_function_is_in_the_runtime_and_calling_it_again_adds_none() -> None:
    probe = made_probe()
    double = tf.function(lambda x: x * 2.0)
    one = tf.constant(1.0)
    gc.collect()  # or functions of other tests go meanwhile
    before = read(probe)["runtime_functions"]
    double(one)
    traced = read(probe)["runtime_functions"]
    double(one)
    assert before < traced == read(probe)["runtime_functions"]
    names = tensorflow_context.context().list_function_names()
    assert traced == len(names)
    assert double.get_concrete_function(one).name.decode() in names


def test_keras_names_are_counted_and_cleared() -> None:
    keras.utils.clear_session()
    probe = made_probe()
    assert read(probe)["keras_names"] == 0
    keras.layers.Dense(1), keras.layers.Dense(1)
    assert read(probe)["keras_names"] == 2
    keras.utils.clear_session()
    assert read(probe)["keras_names"] == 0


def test_live_tensors_are_those_alive() -> None:
    before = read(made_probe())["live_tensors"]
    held = [tf.zeros([1]) for _ in range(5)]
    assert read(made_probe())["live_tensors"] == before + 5
    del held
    assert read(made_probe())["live_tensors"] == before


def test_live_tensors_are_counted_rarely_enough_to_take_three_percent_of_the_time() -> None:
    clock = OwnedClock()
    asked = []

    def objects(_types: object) -> tuple[list[object], int]:
        clock.pass_ms(30)
        asked.append(1)
        return [], 0

    probe = ObjectsProbe(clock, objects)
    for _ in range(100):
        read(probe)
        clock.pass_ms(100)
    assert len(asked) == 10
