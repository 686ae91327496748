"""The probe of the input pipeline against batches that are counted by hand. Tier: make test."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from labkit.measure.clock.timers import Timers
from labkit.measure.patches.input_pipeline import InputProbe
from tests.causes.curves import assert_clock

tf: ModuleType = pytest.importorskip("tensorflow")


@pytest.fixture
def timers() -> Timers:
    return Timers(time.perf_counter)


@pytest.fixture
def probe(timers: Timers) -> Iterator[InputProbe]:
    made = InputProbe(tf, timers)
    yield made
    made.close()


def booked(timers: Timers, probe: InputProbe, body: Callable[[], object]) -> dict[str, float]:
    """Return elements taken and seconds recorded, by column, while the body ran."""
    probe.begin()
    timers.begin()
    began = time.perf_counter()
    body()
    whole = time.perf_counter() - began
    elements, row = [0.0], [0.0] * len(timers.columns)
    probe.read(elements, 0)
    timers.read(row, 0)
    spent = {column.title: seconds for column, seconds in zip(timers.columns, row, strict=True)}
    assert sum(spent.values()) <= whole
    return {"elements": elements[0], **spent}


@pytest.mark.parametrize("take", [next, lambda feed: feed.get_next()])
def test_each_element_is_counted_once_however_it_is_asked_for(
    timers: Timers, probe: InputProbe, take: Callable[[object], object]
) -> None:
    iterator = iter(tf.data.Dataset.range(10))
    found = booked(timers, probe, lambda: [take(iterator) for _ in range(4)])
    assert found["elements"] == 4
    assert found["waiting for data"] > 0 and found["building the input"] == 0


def test_building_is_booked_apart_from_waiting(timers: Timers, probe: InputProbe) -> None:
    def build() -> object:
        return iter(tf.data.Dataset.from_tensor_slices([1.0, 2.0]).map(tf.sin).skip(1).batch(1))

    found = booked(timers, probe, build)
    assert found["building the input"] > 0
    assert found["waiting for data"] == 0 and found["elements"] == 0


def test_what_is_skipped_is_paid_for_while_waiting(timers: Timers, probe: InputProbe) -> None:
    def seconds(skipped: int) -> float:
        iterator = iter(tf.data.Dataset.range(10**6).map(lambda n: n + 1).skip(skipped))
        found = booked(timers, probe, lambda: next(iterator))
        assert found["elements"] == 1
        return found["waiting for data"]

    long, short = seconds(50_000), seconds(0)
    assert_clock(long > 10 * short, long, short)


def test_the_end_of_the_data_is_no_element(timers: Timers, probe: InputProbe) -> None:
    iterator = iter(tf.data.Dataset.range(0))
    assert booked(timers, probe, lambda: next(iterator, None))["elements"] == 0


def test_a_function_that_is_traced_takes_nothing(timers: Timers, probe: InputProbe) -> None:
    iterator = iter(tf.data.Dataset.range(5))
    taker = tf.function(lambda: next(iterator))
    found = booked(timers, probe, taker.get_concrete_function)
    assert found["elements"] == 0


def test_a_loop_without_a_dataset_is_left_alone(timers: Timers, probe: InputProbe) -> None:
    found = booked(timers, probe, lambda: [tf.constant(n) for n in iter(range(5))])
    assert set(found.values()) == {0.0}
