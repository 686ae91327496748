"""What all checks of values share: numbers to try, and what the card makes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf

FLOATS = (tf.float32, tf.float64, tf.float16, tf.bfloat16)
NUMBERS = (*FLOATS, tf.int64)
# What a device may differ by: some units in the last place, as float64 is what is compared with.
ERRORS = {"float32": 2e-6, "float64": 1e-12, "float16": 2e-3, "bfloat16": 1.6e-2}
# With none, one and several dimensions, and with nothing in it.
SHAPES = ((), (1,), (7,), (0,), (2, 0, 3), (3, 5), (2, 3, 4))
# Two that broadcast together.
PAIRS = (
    ((), ()), ((4,), ()), ((), (4,)), ((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (1, 4)),
    ((2, 1, 4), (3, 1)), ((0,), (1,)), ((2, 0), (2, 1)), ((1,), (5,)), ((2, 3, 1, 2), (3, 4, 1)),
)  # fmt: skip


def card() -> Any:
    """Return the device, with nothing left to the processor where the card has no kernel."""
    tf.config.set_soft_device_placement(False)
    return tf.device("/GPU:0")


def drawn(shape: tuple[int, ...], dtype: Any, low: float = -3, high: float = 3) -> Any:
    """Return numbers between two limits, the same each time."""
    seed = np.random.default_rng(sum(shape) + len(shape))
    numbers = seed.uniform(low, high, shape)
    if dtype == tf.bool:
        numbers = numbers > 0
    elif dtype.is_integer:
        numbers = np.trunc(numbers)
    with tf.device("/CPU:0"):
        return tf.cast(tf.constant(numbers), dtype)


def numbers_of(tensor: Any) -> Any:
    """Return a tensor's numbers as NumPy computes with them."""
    array = tensor.numpy()
    return array.astype(np.float64) if tensor.dtype.is_floating else array


def same(got: Any, expected: Any, what: str) -> None:
    """See that a result lies on the card and is what NumPy says."""
    assert got.device.endswith("/device:GPU:0"), f"{what}: on {got.device}"
    expected = np.asarray(expected)
    assert tuple(got.shape) == expected.shape, f"{what}: {got.shape}, not {expected.shape}"
    error = ERRORS.get(got.dtype.name, 0)
    np.testing.assert_allclose(
        numbers_of(got), expected, rtol=error, atol=error, err_msg=f"{what} {got.dtype.name}"
    )


def each(dtypes: tuple[Any, ...], check: Callable[[Any], None]) -> None:
    """Try one kind of op with each type on the card."""
    with card(), np.errstate(all="ignore"):
        for dtype in dtypes:
            check(dtype)


def raw(name: str, **arguments: Any) -> Any:
    """Call an op by its name."""
    return getattr(tf.raw_ops, name)(**arguments)


def shapes_of(dtype: Any, low: float, high: float) -> Iterator[Any]:
    """Return arrays of every shape."""
    for shape in SHAPES:
        yield drawn(shape, dtype, low, high)
