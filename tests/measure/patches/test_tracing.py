"""The tracing probe against tf.function's own counter. Tier: make test."""

from __future__ import annotations

import threading
import time
from types import ModuleType
from typing import Any

import pytest

from labkit.measure.clock.events import Events
from labkit.measure.clock.timers import Timers
from labkit.measure.patches import tracing
from labkit.measure.patches.group import Group, PrivateName
from labkit.measure.patches.tracing import TracingProbe

tf: ModuleType = pytest.importorskip("tensorflow")


class Watched:
    """A probe with timers and a list of events, closed at the end of the ``with`` block."""

    def __init__(self) -> None:
        self.timers = Timers(time.perf_counter)
        self.events = Events()
        self.probe = TracingProbe(self.timers, self.events)

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *_error: object) -> None:
        self.probe.close()

    def begin(self) -> None:
        self.probe.begin()
        self.timers.begin()

    @property
    def traces(self) -> float:
        return self._read()[0]

    @property
    def comparisons(self) -> float:
        return self._read()[1]

    def _read(self) -> list[float]:
        row = [0.0, 0.0]
        self.probe.read(row, 0)
        return row

    def seconds(self) -> dict[str, float]:
        row = [0.0] * len(self.timers.columns)
        self.timers.read(row, 0)
        return {column.title: each for column, each in zip(self.timers.columns, row, strict=True)}


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
def test_traces_are_counted_as_tf_function_counts_them(calls: list[Any], relax: bool) -> None:
    traced = function(reduce_retracing=relax)
    with Watched() as watched:
        for call in calls:
            traced(*call)
        assert watched.traces == traced.experimental_get_tracing_count() > 0


def test_the_traces_of_all_functions_add_up_also_nested_ones() -> None:
    inner, other = function(), function()
    outer = tf.function(lambda x: inner(x, 1) + inner(x, 2))
    with Watched() as watched:
        outer(tf.ones([2]))
        other(tf.ones([2]), 1)
        each = (inner, outer, other)
        assert watched.traces == sum(one.experimental_get_tracing_count() for one in each) == 4


def test_a_function_that_makes_its_variable_is_counted_as_tensorflow_does() -> None:
    made: list[Any] = []

    @tf.function
    def counted(x: Any) -> Any:
        if not made:
            made.append(tf.Variable(1.0))
        return x * made[0]

    with Watched() as watched:
        counted(tf.ones([2]))
        assert watched.traces == counted.experimental_get_tracing_count() == 2


def test_each_trace_is_an_event_with_the_name_of_its_function() -> None:
    @tf.function
    def my_train_step(x: Any) -> Any:
        return x + 1

    with Watched() as watched:
        my_train_step(1)
        my_train_step(2)
        my_train_step(2)
    happened = watched.events.take()
    assert [each.kind for each in happened] == ["trace", "trace"]
    assert happened[1].text == "traced my_train_step, trace 2"
    assert happened[1].detail["function"] == "my_train_step"


def test_a_new_number_is_compared_with_every_trace_and_a_tensor_is_not() -> None:
    traced = function()
    x = tf.ones([2])
    with Watched() as watched:
        seen = []
        for number in range(5):
            watched.begin()
            traced(x, number)
            seen.append(watched.comparisons)
        assert seen == [0, 1, 2, 3, 4]
        traced(x, tf.constant(1))
        seen = []
        for number in range(5):
            watched.begin()
            traced(x, tf.constant(number))
            seen.append(watched.comparisons)
        assert len(set(seen)) == 1


def test_dispatch_tracing_and_running_are_booked_apart_and_within_the_step() -> None:
    traced = function()
    x = tf.ones([2])
    traced(x, 0)
    with Watched() as watched:
        watched.begin()
        began = time.perf_counter()
        traced(x, 1)
        whole = time.perf_counter() - began
        seconds = watched.seconds()
    assert set(seconds) == {"function call", "function dispatch", "function run", "tracing"}
    assert all(each > 0 for each in seconds.values())
    assert sum(seconds.values()) < whole


def test_a_call_that_finds_its_trace_books_no_tracing() -> None:
    traced = function()
    x = tf.ones([2])
    traced(x, 1)
    with Watched() as watched:
        watched.begin()
        traced(x, 1)
        assert watched.seconds()["tracing"] == 0
        assert watched.traces == 0
        assert watched.events.take() == []


def test_eager_ops_and_graphs_leave_the_counters_alone() -> None:
    with Watched() as watched:
        watched.begin()
        tf.matmul(tf.ones([2, 2]), tf.ones([2, 2]))
        with tf.Graph().as_default():
            tf.add(1.0, 2.0)
        assert (watched.traces, watched.comparisons) == (0, 0)
        assert not any(watched.seconds().values())


def test_a_trace_that_fails_is_none() -> None:
    def refuse(_x: Any) -> None:
        raise ValueError("no")

    traced = tf.function(refuse)
    with Watched() as watched:
        with pytest.raises(ValueError, match="no"):
            traced(tf.ones([2]))
        assert watched.traces == traced.experimental_get_tracing_count() == 0
        assert watched.events.take() == []
        assert not watched.timers.busy


def test_calls_on_another_thread_are_not_timed() -> None:
    traced = function()
    with Watched() as watched:
        watched.begin()
        thread = threading.Thread(target=traced, args=(tf.ones([2]), 1))
        thread.start()
        thread.join()
        assert not any(watched.seconds().values())
        assert watched.comparisons == 0
        assert watched.traces == 1


def test_without_its_counting_points_the_counters_are_unknown_and_not_zero(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tracing, "KEPT", Group(None, {"no.such.module": ("trace",)}))
    monkeypatch.setattr(tracing, "COMPARISONS", (PrivateName("no.such.module", "", "equal"),))
    with Watched() as watched:
        function()(tf.ones([2]), 1)
        assert watched.traces != watched.traces
        assert watched.comparisons != watched.comparisons
