"""The picking probe against picks that are counted by hand. Tier: make test."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")
PROBES = ("picking", "eager")
PICKING = "picking elements from tensors"


def picked(watching: Watching, body: Callable[[], object]) -> float:
    """Return how many elements were picked while the body ran."""
    watching.step(body)
    return watching.counter("elements_picked")


def test_each_pick_from_a_tensor_but_the_first_is_counted(watching: Watching) -> None:
    labels = tf.range(20)
    assert picked(watching, lambda: [labels[place] for place in range(20)]) == 19


def test_going_through_a_tensor_picks_each_of_its_elements(watching: Watching) -> None:
    prices = tf.ones([30])
    assert picked(watching, lambda: [float(price) for price in prices]) == 29


def test_the_rows_of_a_table_are_picks_and_so_are_their_numbers(watching: Watching) -> None:
    table = tf.ones([8, 4])
    # 7 rows, and 3 numbers of each of the 8.
    assert picked(watching, lambda: [[float(one) for one in row] for row in table]) == 7 + 24


def test_the_op_of_a_pick_is_booked_with_it(watching: Watching) -> None:
    labels, others = tf.range(50), tf.range(50)
    for tensor in (labels, others):  # what is new to TensorFlow takes longer
        watching.step(lambda tensor=tensor: [tensor[place] for place in range(50)])
    seconds = watching.seconds()
    assert seconds[PICKING] > 5 * seconds["running ops"]  # of the first pick alone


def test_slices_and_one_element_of_each_tensor_are_no_picks(watching: Watching) -> None:
    data = tf.ones([64, 4])
    assert picked(watching, lambda: [data[at : at + 8] for at in range(8)]) == 0
    assert picked(watching, lambda: [tf.ones([3])[0] for _ in range(20)]) == 0
    assert picked(watching, lambda: [data.numpy()[at] for at in range(20)]) == 0


def test_an_index_that_is_none_is_told_as_by_tensorflow(watching: Watching) -> None:
    table = tf.ones([4, 3])

    def step() -> None:
        assert float(table.__getitem__(slice_spec=1)[0]) == 1.0
        assert table[..., 0].shape == (4,) and table[None, 1].shape == (1, 3)
        with pytest.raises(TypeError):
            table["a"]
        with pytest.raises(tf.errors.InvalidArgumentError):
            table[9]

    watching.step(step)


def test_what_is_picked_while_a_function_is_traced_takes_no_time_of_its_own(
    watching: Watching,
) -> None:
    @tf.function
    def total(values: object) -> object:
        return sum(values[place] for place in range(8))  # type: ignore[index]

    watching.step(lambda: total(tf.ones([8])))
    watching.step(lambda: total(tf.ones([8])))
    assert watching.counter("elements_picked") == 0
    assert PICKING not in watching.seconds()
