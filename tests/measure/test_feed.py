"""The feed probe against batches that are counted by hand. Tier: make test."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from labkit.measure import feed
from labkit.measure.choke import PrivateName
from labkit.measure.feed import FeedProbe
from labkit.measure.places import Places
from tests.causes.curves import assert_clock, measured

tf: ModuleType = pytest.importorskip("tensorflow")


@pytest.fixture
def places() -> Places:
    return Places(time.perf_counter)


@pytest.fixture
def probe(places: Places) -> Iterator[FeedProbe]:
    made = FeedProbe(tf, places)
    yield made
    made.close()


def booked(places: Places, probe: FeedProbe, body: Callable[[], object]) -> dict[str, float]:
    """Return elements taken and seconds booked, by column, while the body ran."""
    probe.begin()
    places.begin()
    began = time.perf_counter()
    body()
    whole = time.perf_counter() - began
    elements, row = [0.0], [0.0] * len(places.columns)
    probe.read(elements, 0)
    places.read(row, 0)
    spent = {column.title: seconds for column, seconds in zip(places.columns, row, strict=True)}
    assert sum(spent.values()) <= whole
    return {"elements": elements[0], **spent}


def test_no_name_is_missing_in_this_tensorflow(probe: FeedProbe) -> None:
    assert probe.missing == []


def test_a_missing_name_is_reported_and_the_rest_still_counts(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = PrivateName(
        "tensorflow.python.data.ops.iterator_ops", "OwnedIterator", "_gone", "x", "x"
    )
    monkeypatch.setattr(feed, "OPENING", (gone,))
    probe = FeedProbe(tf, places)
    found = booked(places, probe, lambda: list(tf.data.Dataset.range(3)))
    probe.close()
    assert probe.missing == ["tensorflow.python.data.ops.iterator_ops.OwnedIterator._gone"]
    assert found["elements"] == 3


@pytest.mark.parametrize("take", [next, lambda feed: feed.get_next()])
def test_each_element_is_counted_once_however_it_is_asked_for(
    places: Places, probe: FeedProbe, take: Callable[[object], object]
) -> None:
    iterator = iter(tf.data.Dataset.range(10))
    found = booked(places, probe, lambda: [take(iterator) for _ in range(4)])
    assert found["elements"] == 4
    assert found["waiting for data"] > 0 and found["building the input"] == 0


def test_building_is_booked_apart_from_waiting(places: Places, probe: FeedProbe) -> None:
    def build() -> object:
        return iter(tf.data.Dataset.from_tensor_slices([1.0, 2.0]).map(tf.sin).skip(1).batch(1))

    found = booked(places, probe, build)
    assert found["building the input"] > 0
    assert found["waiting for data"] == 0 and found["elements"] == 0


@measured
def test_what_is_skipped_is_paid_for_while_waiting(places: Places, probe: FeedProbe) -> None:
    def seconds(skipped: int) -> float:
        iterator = iter(tf.data.Dataset.range(10**6).map(lambda n: n + 1).skip(skipped))
        found = booked(places, probe, lambda: next(iterator))
        assert found["elements"] == 1
        return found["waiting for data"]

    long, short = seconds(50_000), seconds(0)
    assert_clock(long > 10 * short, long, short)


def test_the_end_of_the_data_is_no_element(places: Places, probe: FeedProbe) -> None:
    iterator = iter(tf.data.Dataset.range(0))
    assert booked(places, probe, lambda: next(iterator, None))["elements"] == 0


def test_a_function_that_is_traced_takes_nothing(places: Places, probe: FeedProbe) -> None:
    iterator = iter(tf.data.Dataset.range(5))
    taker = tf.function(lambda: next(iterator))
    found = booked(places, probe, taker.get_concrete_function)
    assert found["elements"] == 0


def test_a_loop_without_a_dataset_is_left_alone(places: Places, probe: FeedProbe) -> None:
    found = booked(places, probe, lambda: [tf.constant(n) for n in iter(range(5))])
    assert set(found.values()) == {0.0}


def test_closing_gives_tensorflow_its_own_functions_back(places: Places) -> None:
    from tensorflow.python.data.ops.iterator_ops import OwnedIterator

    before = (OwnedIterator._next_internal, vars(tf.data.Dataset)["range"], tf.data.Dataset.map)
    probe = FeedProbe(tf, places)
    assert OwnedIterator._next_internal is not before[0]
    probe.close()
    after = (OwnedIterator._next_internal, vars(tf.data.Dataset)["range"], tf.data.Dataset.map)
    assert after == before
