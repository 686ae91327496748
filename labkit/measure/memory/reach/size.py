"""Size: the bytes of an array's and of an eager tensor's values."""

from __future__ import annotations

from typing import Any

import numpy as np

from labkit.measure.memory.tensors import elements


def owned_bytes(array: Any) -> float:
    """Return the bytes of the array that owns an array's data.

    Args:
        array: Exactly a NumPy array, and of no class derived from it.
    """
    return float(owner(array).nbytes)


def owner(array: Any) -> Any:
    """Return the array that an array is a view of, itself where it is none."""
    while type(array.base) is np.ndarray:
        array = array.base
    return array


def tensor_bytes(tensor: Any) -> float | None:
    """Return the bytes of an eager tensor's values; None where its op failed.

    Args:
        tensor: Exactly an eager tensor, and of no class derived from it.
    """
    count = elements(tensor)
    # A type is a public name, and one that a failed op does not touch.
    return None if count is None else float(count) * float(tensor.dtype.size or 0)
