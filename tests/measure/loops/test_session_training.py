"""What a session trains is known by the ops that it must run, in a run or in a callable.

Tier: make test.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest
import tensorflow as tf

from labkit.measure.clock.events import Events
from labkit.measure.clock.timers import Timers
from labkit.measure.loops.training import TrainingProbe
from tests.measure.watching import context_of

v1 = tf.compat.v1


@pytest.fixture
def probe() -> Iterator[TrainingProbe]:
    made = TrainingProbe(context_of(Timers(lambda: 0.0), Events(), tf), lambda: False)
    try:
        yield made
    finally:
        made.close()


def counted(probe: TrainingProbe) -> float:
    return float(probe.values[probe.first])


@pytest.fixture
def model() -> Iterator[tuple[Any, Any, Any]]:
    """Return a session, a variable of its graph, and a loss."""
    with tf.Graph().as_default():
        weight = v1.get_variable("weight", initializer=tf.ones([4, 2]))
        loss = tf.reduce_sum(tf.gather(weight, [0, 1]) ** 2)
        with v1.Session() as session:
            session.run(weight.initializer)
            yield session, weight, loss


def test_a_gradient_that_is_applied_by_an_assignment_trains(
    probe: TrainingProbe, model: tuple[Any, Any, Any]
) -> None:
    """Recorded: 3,000 such trainings within `exec` were not mentioned, and the gate passed."""
    session, weight, loss = model
    slope = tf.convert_to_tensor(v1.gradients(loss, weight)[0])
    session.run(weight.assign(weight - 0.1 * slope))
    assert counted(probe) == 1
    session.make_callable(slope)()  # for an update in NumPy
    assert counted(probe) == 2


def test_a_gradient_within_name_scopes_trains(
    probe: TrainingProbe, model: tuple[Any, Any, Any]
) -> None:
    session, weight, loss = model
    for scope in ("train", "one/two"):
        with tf.name_scope(scope):
            session.run(v1.gradients(loss, weight)[0].values)
    assert counted(probe) == 2


def test_who_looks_at_the_loss_or_sets_a_variable_does_not_train(
    probe: TrainingProbe, model: tuple[Any, Any, Any]
) -> None:
    session, weight, loss = model
    with tf.name_scope("my_gradients"):  # only named so
        session.run([loss + 1.0, weight.assign(tf.zeros([4, 2]))])
    assert counted(probe) == 0


def test_a_callable_returns_what_it_did_whatever_is_fetched(
    probe: TrainingProbe, model: tuple[Any, Any, Any]
) -> None:
    """Recorded: `make_callable` raised TypeError of a sparse tensor, and that of a gradient."""
    session, weight, loss = model
    sparse = tf.sparse.from_dense([[1.0, 0.0], [0.0, 2.0]])
    assert session.make_callable(sparse)().values.tolist() == [1.0, 2.0]
    ragged = tf.ragged.constant([[1], [2, 3]])
    assert session.make_callable({"a": ragged})()["a"].to_list() == [[1], [2, 3]]
    assert counted(probe) == 0
    slices = v1.gradients(loss, weight)[0]
    assert session.make_callable(slices)().indices.tolist() == [0, 1]
    assert counted(probe) == 1


def test_what_a_session_cannot_fetch_is_told_as_by_itself(
    probe: TrainingProbe, model: tuple[Any, Any, Any]
) -> None:
    session, *_ = model
    with pytest.raises(TypeError, match="has invalid type"):
        session.make_callable([object()])
    with pytest.raises(ValueError, match="nothing"):
        session.make_callable("nothing")


def test_calls_of_callables_are_work_of_the_thread_that_is_watched_and_of_no_other(
    probe: TrainingProbe, model: tuple[Any, Any, Any]
) -> None:
    """Recorded: of a loop that trains by a callable alone no step was found."""
    session, _, loss = model
    call = session.make_callable(loss)
    call()
    assert probe.callable_runs == 1
    thread = Thread(target=call)
    thread.start()
    thread.join()
    assert probe.callable_runs == 1
