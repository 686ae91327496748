"""What was new at a trace is told from TensorFlow's own types of the arguments. Tier: make test."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from labkit.measure.patches.function.trace_reason import NewTrace, reason_of_trace
from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")


def reasons(*calls: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Call one tf.function with each of some arguments; return why each trace came about."""
    with Watching("tracing") as watched:

        @tf.function
        def train_step(batch: Any, rate: Any) -> Any:
            return batch

        for arguments in calls:
            train_step(*arguments)
        traces = [event for event in watched.events.take() if event.kind == "trace"]
    return [tuple(each.detail[n] for n in ("reason", "argument", "was", "now")) for each in traces]


def test_a_new_value_of_pythons_is_told_with_both_values() -> None:
    batch = tf.ones([2])
    assert reasons((batch, 0.5), (batch, 0.25), (batch, 0.25)) == [
        ("first", "", "", ""),
        ("value", "rate", "0.5", "0.25"),
    ]


def test_a_new_shape_and_a_new_type_of_a_tensor_are_told_apart() -> None:
    calls = ((tf.ones([2]), 1), (tf.ones([3]), 1), (tf.ones([3], tf.int32), 1))
    assert reasons(*calls) == [
        ("first", "", "", ""),
        ("shape", "batch", "float32(2,)", "float32(3,)"),
        ("dtype", "batch", "float32(3,)", "int32(3,)"),
    ]


def test_a_new_object_is_told() -> None:
    class Model:
        pass

    one, other = Model(), Model()
    found = reasons((tf.ones([2]), one), (tf.ones([2]), other))
    assert [each[:2] for each in found] == [("first", ""), ("object", "rate")]


def test_another_tensorflow_tells_nothing_and_breaks_nothing() -> None:
    assert reason_of_trace(object()) == NewTrace("other")
