"""The probe of the input pipeline against batches that are counted by hand. Tier: make test."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tests.causes.curves import assert_clock
from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")
PROBES = ("input_pipeline",)


def booked(watching: Watching, body: Callable[[], object]) -> dict[str, float]:
    """Return elements taken and seconds recorded, where there are any, while the body ran."""
    whole = watching.step(body)
    spent = watching.seconds()
    assert sum(spent.values()) <= whole
    return {"elements": watching.counter("elements"), **spent}


@pytest.mark.parametrize("take", [next, lambda feed: feed.get_next()])
def test_each_element_is_counted_once_however_it_is_asked_for(
    watching: Watching, take: Callable[[object], object]
) -> None:
    iterator = iter(tf.data.Dataset.range(10))
    found = booked(watching, lambda: [take(iterator) for _ in range(4)])
    assert found["elements"] == 4
    assert set(found) == {"elements", "waiting for data"}


def test_building_is_booked_apart_from_waiting(watching: Watching) -> None:
    def build() -> object:
        return iter(tf.data.Dataset.from_tensor_slices([1.0, 2.0]).map(tf.sin).skip(1).batch(1))

    found = booked(watching, build)
    assert set(found) == {"elements", "building the input"} and found["elements"] == 0


def test_what_is_skipped_is_paid_for_while_waiting(watching: Watching) -> None:
    def seconds(skipped: int) -> float:
        iterator = iter(tf.data.Dataset.range(10**6).map(lambda n: n + 1).skip(skipped))
        found = booked(watching, lambda: next(iterator))
        assert found["elements"] == 1
        return found["waiting for data"]

    long, short = seconds(50_000), seconds(0)
    assert_clock(long > 10 * short, long, short)


def test_the_end_of_the_data_is_no_element(watching: Watching) -> None:
    iterator = iter(tf.data.Dataset.range(0))
    assert booked(watching, lambda: next(iterator, None))["elements"] == 0


def test_a_function_that_is_traced_takes_nothing(watching: Watching) -> None:
    iterator = iter(tf.data.Dataset.range(5))
    taker = tf.function(lambda: next(iterator))
    found = booked(watching, taker.get_concrete_function)
    assert found["elements"] == 0


def test_a_loop_without_a_dataset_is_left_alone(watching: Watching) -> None:
    found = booked(watching, lambda: [tf.constant(n) for n in iter(range(5))])
    assert found == {"elements": 0}


def test_an_iterator_is_counted_when_it_is_made_and_never_again(watching: Watching) -> None:
    dataset = tf.data.Dataset.range(10)
    iterators: list[object] = []
    watching.step(lambda: iterators.append(iter(dataset)))
    assert watching.counter("iterators") == 1
    watching.step(lambda: [next(iterators[0]) for _ in range(3)])
    assert watching.counter("iterators") == 1
    watching.step(lambda: [next(iter(dataset)) for _ in range(3)])
    assert watching.counter("iterators") == 4
