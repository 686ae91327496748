"""The copies probe against bytes that are known by hand. Tier: make test."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from tests.measure.watching import Watching

tf: ModuleType = pytest.importorskip("tensorflow")
PROBES = ("copies",)
ARRAY = np.ones([256, 4], "float32")


def bytes_of(watching: Watching, body: Callable[[], object]) -> tuple[float, float]:
    """Return the bytes copied out and in while the body ran."""
    watching.step(body)
    return watching.counter("bytes_out"), watching.counter("bytes_in")


def test_out_and_in_are_counted_to_the_byte(watching: Watching) -> None:
    tensor = tf.constant(ARRAY)
    assert bytes_of(watching, tensor.numpy) == (4096, 0)
    assert bytes_of(watching, lambda: tf.constant(ARRAY)) == (0, 4096)
    assert bytes_of(watching, lambda: tf.convert_to_tensor(ARRAY)) == (0, 4096)
    assert bytes_of(watching, lambda: tf.matmul(ARRAY, ARRAY, transpose_a=True)) == (0, 2 * 4096)


def test_a_loss_that_is_read_is_four_bytes(watching: Watching) -> None:
    loss = tf.constant(1.5)
    assert bytes_of(watching, lambda: float(loss)) == (4, 0)


def test_what_stays_in_tensorflow_is_no_copy(watching: Watching) -> None:
    tensor = tf.constant(ARRAY)
    assert bytes_of(watching, lambda: tf.constant(tensor) + tensor * 2.0) == (0, 0)


def test_asarray_on_a_cpu_is_no_copy_and_is_not_counted(watching: Watching) -> None:
    tensor = tf.constant(ARRAY)
    seen: list[np.ndarray] = []
    with tf.device("CPU:0"):
        assert bytes_of(watching, lambda: seen.append(np.asarray(tensor))) == (0, 0)
    assert np.shares_memory(seen[0], np.asarray(tensor)) and not seen[0].flags.writeable
    assert not np.shares_memory(tensor.numpy(), np.asarray(tensor))


def test_the_copys_time_is_booked_once_and_within_the_step(watching: Watching) -> None:
    copy, shares = tf.ones([1_000_000]).numpy, []
    for _ in range(3):  # another program may run within one of them
        whole = watching.step(copy)
        ((place, seconds),) = watching.seconds().items()
        assert place == "copies to and from the device"
        shares.append(seconds / whole)
    assert max(shares) > 0.5 and all(share < 1 for share in shares)
