"""The tracing probe against tf.function's own counter. Tier: make test."""

from __future__ import annotations

import math
import threading
from types import ModuleType
from typing import Any

import pytest

from labkit.measure.patches.function import tracing
from labkit.measure.patches.group import Group, PrivateName
from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")
PROBES = ("tracing",)


def function(**options: Any) -> Any:
    return tf.function(lambda x, k: x * tf.cast(k, tf.float32), **options)


ARGUMENTS = {
    "numbers": [(tf.ones([2]), 1), (tf.ones([2]), 2), (tf.ones([2]), 1)],
    "tensors": [(tf.ones([2]), tf.constant(1)), (tf.ones([2]), tf.constant(2))],
    "shapes": [(tf.ones([n]), 1) for n in (1, 2, 3, 4)],
    "kinds": [(tf.ones([2]), 1), (tf.ones([2]), 1.0), (tf.ones([2]), True)],
}


@pytest.mark.parametrize("calls", ARGUMENTS.values(), ids=ARGUMENTS.keys())
@pytest.mark.parametrize("relax", [False, True])
def test_traces_are_counted_as_tf_function_counts_them(
    watching: Watching, calls: list[Any], relax: bool
) -> None:
    traced = function(reduce_retracing=relax)
    for call in calls:
        traced(*call)
    assert watching.counter("traces") == traced.experimental_get_tracing_count() > 0


def test_the_traces_of_all_functions_add_up_also_nested_ones(watching: Watching) -> None:
    inner, other = function(), function()
    outer = tf.function(lambda x: inner(x, 1) + inner(x, 2))
    outer(tf.ones([2]))
    other(tf.ones([2]), 1)
    traces = sum(each.experimental_get_tracing_count() for each in (inner, outer, other))
    assert watching.counter("traces") == traces == 4


def test_a_function_that_makes_its_variable_is_counted_as_tensorflow_does(
    watching: Watching,
) -> None:
    made: list[Any] = []

    @tf.function
    def counted(x: Any) -> Any:
        if not made:
            made.append(tf.Variable(1.0))
        return x * made[0]

    counted(tf.ones([2]))
    assert watching.counter("traces") == counted.experimental_get_tracing_count() == 2


def test_each_trace_is_an_event_with_the_name_of_its_function(watching: Watching) -> None:
    @tf.function
    def my_train_step(x: Any) -> Any:
        return x + 1

    my_train_step(1)
    my_train_step(2)
    my_train_step(2)
    happened = watching.events.take()
    assert [each.kind for each in happened] == ["trace", "trace"]
    assert happened[1].text == "traced my_train_step, trace 2"
    assert happened[1].detail["function"] == "my_train_step"


def test_a_new_number_is_compared_with_every_trace_and_a_tensor_is_not(watching: Watching) -> None:
    traced = function()
    x = tf.ones([2])
    seen = []
    for number in range(5):
        watching.begin()
        traced(x, number)
        seen.append(watching.counter("comparisons"))
    assert seen == [0, 1, 2, 3, 4]
    traced(x, tf.constant(1))
    seen = []
    for number in range(5):
        watching.begin()
        traced(x, tf.constant(number))
        seen.append(watching.counter("comparisons"))
    assert len(set(seen)) == 1


def test_dispatch_tracing_and_running_are_booked_apart_and_within_the_step(
    watching: Watching,
) -> None:
    traced = function()
    x = tf.ones([2])
    traced(x, 0)
    whole = watching.step(lambda: traced(x, 1))
    seconds = watching.seconds()
    assert set(seconds) == {"function call", "function dispatch", "function run", "tracing"}
    assert sum(seconds.values()) < whole


def test_a_call_that_finds_its_trace_books_no_tracing(watching: Watching) -> None:
    traced = function()
    x = tf.ones([2])
    traced(x, 1)
    watching.events.take()
    watching.step(lambda: traced(x, 1))
    assert "tracing" not in watching.seconds()
    assert watching.counter("traces") == 1
    assert watching.events.take() == []


def test_eager_ops_and_graphs_leave_the_counters_alone(watching: Watching) -> None:
    watching.begin()
    tf.matmul(tf.ones([2, 2]), tf.ones([2, 2]))
    with tf.Graph().as_default():
        tf.add(1.0, 2.0)
    assert (watching.counter("traces"), watching.counter("comparisons")) == (0, 0)
    assert watching.seconds() == {}


def test_a_trace_that_fails_is_none(watching: Watching) -> None:
    def refuse(_x: Any) -> None:
        raise ValueError("no")

    traced = tf.function(refuse)
    with pytest.raises(ValueError, match="no"):
        traced(tf.ones([2]))
    assert watching.counter("traces") == traced.experimental_get_tracing_count() == 0
    assert watching.events.take() == []
    assert not watching.timers.busy


def test_calls_on_another_thread_are_not_timed(watching: Watching) -> None:
    traced = function()
    watching.begin()
    thread = threading.Thread(target=traced, args=(tf.ones([2]), 1))
    thread.start()
    thread.join()
    assert watching.seconds() == {}
    assert watching.counter("comparisons") == 0
    assert watching.counter("traces") == 1


def test_without_its_counting_points_the_counters_are_unknown_and_not_zero(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tracing, "KEPT", Group(None, {"no.such.module": ("trace",)}))
    monkeypatch.setattr(tracing, "COMPARISONS", (PrivateName("no.such.module", "", "equal"),))
    with Watching("tracing") as watching:
        function()(tf.ones([2]), 1)
        assert math.isnan(watching.counter("traces"))
        assert math.isnan(watching.counter("comparisons"))
