"""The eager probe against ops that are counted by hand. Tier: make test."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from labkit.measure import eager
from labkit.measure.choke import PrivateName
from labkit.measure.eager import EagerProbe
from labkit.measure.places import Places
from labkit.measure.probe import StepProbe

tf: ModuleType = pytest.importorskip("tensorflow")


@pytest.fixture
def places() -> Places:
    return Places(time.perf_counter)


@pytest.fixture
def probe(places: Places) -> Iterator[EagerProbe]:
    made = EagerProbe(places)
    yield made
    made.close()


def measured(places: Places, probe: EagerProbe, body: Callable[[], object]) -> tuple[float, float]:
    """Return the ops counted and the seconds booked while the body ran."""
    assert isinstance(probe, StepProbe)
    probe.begin()
    places.begin()
    body()
    ops, row = [0.0], [0.0] * len(places.columns)
    probe.read(ops, 0)
    places.read(row, 0)
    return ops[0], sum(row)


def test_no_private_name_is_missing_in_this_tensorflow(probe: EagerProbe) -> None:
    assert probe.missing == []


def test_a_missing_private_name_is_reported_and_the_other_still_counts(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = PrivateName("tensorflow.python.pywrap_tfe", "", "_not_there", "lost", "a lost place")
    monkeypatch.setattr(eager, "CHOKE_POINTS", (eager.CHOKE_POINTS[0], gone))
    probe = EagerProbe(places)
    tensor = tf.ones([4])
    ops, _ = measured(places, probe, lambda: tensor + tensor)
    probe.close()
    assert probe.missing == ["tensorflow.python.pywrap_tfe._not_there"]
    assert ops == 1


def test_each_eager_op_is_counted_once(places: Places, probe: EagerProbe) -> None:
    tensor = tf.ones([8, 8])
    ops, seconds = measured(
        places, probe, lambda: [tf.reduce_sum(tf.matmul(tensor, tensor) * tensor) for _ in range(5)]
    )
    # A sum over all axes asks for the axes first: range is made of Python numbers, no op.
    assert ops % 5 == 0 and 3 * 5 <= ops <= 4 * 5
    assert seconds > 0


def test_a_traced_function_is_one_op_however_much_it_does(
    places: Places, probe: EagerProbe
) -> None:
    @tf.function
    def many(tensor: object) -> object:
        for _ in range(20):
            tensor = tensor * 2.0  # type: ignore[operator]
        return tensor

    tensor = tf.ones([4])
    many(tensor)
    assert measured(places, probe, lambda: many(tensor))[0] == 1


def test_nearly_all_the_time_of_a_heavy_op_is_booked(places: Places, probe: EagerProbe) -> None:
    tensor = tf.ones([700, 700])
    shares = []
    for _ in range(5):
        began = time.perf_counter()
        _, booked = measured(places, probe, lambda: [tf.matmul(tensor, tensor) for _ in range(5)])
        shares.append(booked / (time.perf_counter() - began))
    # Whoever takes the processor between two ops takes a share of one try, seldom of all.
    assert max(shares) > 0.8 and all(share < 1 for share in shares)


def test_an_op_within_another_place_stays_with_that_place(
    places: Places, probe: EagerProbe
) -> None:
    other = places.add("other", "another place")
    tensor = tf.ones([4])

    def body() -> None:
        places.enter(other)
        tf.add(tensor, tensor)
        places.leave()

    ops, _ = measured(places, probe, body)
    row = [0.0] * len(places.columns)
    places.read(row, 0)
    booked = {c.title: s for c, s in zip(places.columns, row, strict=True)}
    assert ops == 1
    assert booked["running ops"] == 0 < booked["another place"]


def test_an_op_that_fails_closes_its_place_and_is_not_counted(
    places: Places, probe: EagerProbe
) -> None:
    def body() -> None:
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))

    measured(places, probe, lambda: tf.ones([2, 3]))
    fill = measured(places, probe, lambda: [tf.ones([2, 3]) for _ in range(2)])[0]
    assert measured(places, probe, body)[0] == fill
    assert not places.busy


def test_python_without_ops_and_ops_of_other_threads_stay_out(
    places: Places, probe: EagerProbe
) -> None:
    tensor = tf.ones([64, 64])
    assert measured(places, probe, lambda: sum(range(10_000))) == (0, 0)

    def elsewhere() -> None:
        thread = threading.Thread(target=lambda: tf.matmul(tensor, tensor))
        thread.start()
        thread.join()

    assert measured(places, probe, elsewhere) == (0, 0)


def test_building_a_graph_runs_no_op(places: Places, probe: EagerProbe) -> None:
    def body() -> None:
        with tf.Graph().as_default():
            tf.add(tf.ones([2]), 1.0)

    assert measured(places, probe, body) == (0, 0)


def test_closing_gives_tensorflow_its_own_functions_back(places: Places) -> None:
    owners = [name.find() for name in eager.CHOKE_POINTS]
    names = [name.attribute for name in eager.CHOKE_POINTS]
    before = [getattr(owner, name) for owner, name in zip(owners, names, strict=True)]
    probe = EagerProbe(places)
    hooked = [getattr(owner, name) for owner, name in zip(owners, names, strict=True)]
    assert all(new is not old for new, old in zip(hooked, before, strict=True))
    probe.close()
    assert [getattr(o, n) for o, n in zip(owners, names, strict=True)] == before
