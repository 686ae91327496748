"""The rewriting probe against TensorFlow's own graphs, and what it must not count."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from labkit.measure.clock.events import Events
from labkit.measure.patches.function.rewriting import RewritingProbe
from tests.measure.alone import said_alone
from tests.measure.watching import numbers_of

tf: ModuleType = pytest.importorskip("tensorflow")


@pytest.fixture
def probe() -> Iterator[RewritingProbe]:
    made = RewritingProbe(Events())
    yield made
    made.close()
    tf.config.optimizer.set_experimental_options(
        {"disable_meta_optimizer": False, "arithmetic_optimization": True}
    )


def there_and_back(matrix: Any) -> Any:
    for _ in range(6):
        matrix = tf.transpose(tf.transpose(matrix))
    return tf.reduce_sum(matrix)


def counted(probe: RewritingProbe, function: Any) -> tuple[float, float]:
    """Return nodes written and left in a step that calls the function once."""
    probe.begin()
    function(tf.ones([3, 3]))
    written, left = numbers_of(probe)
    return written, left


def test_the_nodes_written_are_those_of_the_traced_graph(probe: RewritingProbe) -> None:
    function = tf.function(there_and_back)
    # One node more than the traced graph has: the one that hands the result back.
    traced = len(function.get_concrete_function(tf.ones([3, 3])).graph.get_operations())
    written, left = counted(probe, function)
    assert written == traced + 1
    assert 0 < left < 10 < written


def test_what_is_prepared_already_is_not_counted_again(probe: RewritingProbe) -> None:
    function = tf.function(there_and_back)
    counted(probe, function)
    assert counted(probe, function) == (0, 0)


def test_without_grappler_nothing_is_taken_away(probe: RewritingProbe) -> None:
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    written, left = counted(probe, tf.function(there_and_back))
    assert left == written > 20


def test_changed_options_prepare_a_function_anew_and_trace_nothing(probe: RewritingProbe) -> None:
    function = tf.function(there_and_back)
    written, left = counted(probe, function)
    tf.config.optimizer.set_experimental_options({"arithmetic_optimization": False})
    assert counted(probe, function)[0] == written
    assert function.experimental_get_tracing_count() == 1
    assert left < 10


def test_each_preparation_is_told_once(probe: RewritingProbe) -> None:
    events = Events()
    told = RewritingProbe(events)
    function = tf.function(there_and_back)
    written, left = counted(told, function)
    counted(told, function)
    told.close()
    happened = events.take()
    assert [each.kind for each in happened] == ["rewrite"]
    assert happened[0].detail == {"written": written, "left": left}


def test_a_closed_probe_leaves_tensorflow_keeping_nothing() -> None:
    from tensorflow.python.eager import context

    probe = RewritingProbe(Events())
    counted(probe, tf.function(there_and_back))
    probe.close()
    tf.function(there_and_back)(tf.ones([3, 3]))
    kept = context.context().export_run_metadata()
    assert kept is None or not kept.function_graphs


@pytest.mark.full
def test_making_the_probe_does_not_start_tensorflows_runtime() -> None:
    program = (
        "from tensorflow.python.eager import context\n"
        "from labkit.measure.clock.events import Events\n"
        "from labkit.measure.patches.function.rewriting import RewritingProbe\n"
        "started = lambda: context.context()._context_handle is not None\n"
        "probe = RewritingProbe(Events())\n"
        "made = started()\n"
        "probe.begin()\n"
        "print(made, started())\n"
    )
    assert said_alone(program) == ["False True"]
