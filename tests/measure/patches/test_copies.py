"""The copies probe against bytes that are known by hand. Tier: make test."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import ModuleType

import numpy as np
import pytest

from labkit.measure.clock.timers import Timers
from labkit.measure.patches.copies import CopiesProbe

tf: ModuleType = pytest.importorskip("tensorflow")

ARRAY = np.ones([256, 4], "float32")


@pytest.fixture
def timers() -> Timers:
    return Timers(time.perf_counter)


@pytest.fixture
def probe(timers: Timers) -> Iterator[CopiesProbe]:
    made = CopiesProbe(timers)
    yield made
    made.close()


def bytes_of(probe: CopiesProbe, body: Callable[[], object]) -> tuple[float, float]:
    """Return the bytes copied out and in while the body ran."""
    probe.begin()
    body()
    row = [0.0, 0.0]
    probe.read(row, 0)
    return row[0], row[1]


def test_out_and_in_are_counted_to_the_byte(probe: CopiesProbe) -> None:
    tensor = tf.constant(ARRAY)
    assert bytes_of(probe, tensor.numpy) == (4096, 0)
    assert bytes_of(probe, lambda: tf.constant(ARRAY)) == (0, 4096)
    assert bytes_of(probe, lambda: tf.convert_to_tensor(ARRAY)) == (0, 4096)
    assert bytes_of(probe, lambda: tf.matmul(ARRAY, ARRAY, transpose_a=True)) == (0, 2 * 4096)


def test_a_loss_that_is_read_is_four_bytes(probe: CopiesProbe) -> None:
    loss = tf.constant(1.5)
    assert bytes_of(probe, lambda: float(loss)) == (4, 0)


def test_what_stays_in_tensorflow_is_no_copy(probe: CopiesProbe) -> None:
    tensor = tf.constant(ARRAY)
    assert bytes_of(probe, lambda: tf.constant(tensor) + tensor * 2.0) == (0, 0)


def test_asarray_on_a_cpu_is_no_copy_and_is_not_counted(probe: CopiesProbe) -> None:
    tensor = tf.constant(ARRAY)
    seen: list[np.ndarray] = []
    with tf.device("CPU:0"):
        assert bytes_of(probe, lambda: seen.append(np.asarray(tensor))) == (0, 0)
    assert np.shares_memory(seen[0], np.asarray(tensor)) and not seen[0].flags.writeable
    assert not np.shares_memory(tensor.numpy(), np.asarray(tensor))


def test_an_array_goes_in_as_a_copy(probe: CopiesProbe) -> None:
    array = ARRAY.copy()
    tensor = tf.constant(array)
    array[:] = 7
    assert float(tf.reduce_max(tensor)) == 1


def test_the_copys_time_is_booked_once_and_within_the_step(
    timers: Timers, probe: CopiesProbe
) -> None:
    tensor = tf.ones([1_000_000])
    timers.begin()
    began = time.perf_counter()
    tensor.numpy()
    whole = time.perf_counter() - began
    row = [0.0] * len(timers.columns)
    timers.read(row, 0)
    assert [column.title for column in timers.columns] == ["copies to and from the device"]
    assert 0.5 * whole < row[0] < whole
