"""What is asked of TensorFlow's runtime and of an eager tensor by names it keeps to itself.

The names are those of TensorFlow 2.19-2.21 (``python/eager/context.py``, ``pywrap_tensor.cc``),
used here and nowhere else. What is public of a tensor (``shape``, ``dtype``, ``numpy``) makes
objects that would then be counted, or waits for the device. Where a name or a value is missing,
the answer is None.
"""

from __future__ import annotations

from typing import Any

# For a test: each supported version must have them.
NAMES = ("_num_elements", "_datatype_enum", "_shape_tuple", "_numpy_internal")
# TensorFlow's numbers for int32 and int64 (``core/framework/types.proto``).
WHOLE = (3, 9)


def is_up(context: Any) -> bool:
    """Tell whether TensorFlow's runtime has been set up, without setting it up.

    Where the name is missing it counts as not up: to ask it for more would set it up, before the
    loop has made its settings.

    Args:
        context: What ``tensorflow.python.eager.context.context()`` returns.
    """
    return bool(getattr(context, "_initialized", False))


def elements(tensor: Any) -> int | None:
    """Return how many numbers a tensor has; None for one whose op failed on its way."""
    try:
        return int(tensor._num_elements())
    except Exception:  # whatever the failed op raised comes out here
        return None


def type_number(tensor: Any) -> int | None:
    """Return TensorFlow's number for the type of a tensor's values."""
    try:
        return int(tensor._datatype_enum())
    except Exception:
        return None


def whole_number(tensor: Any) -> int | None:
    """Return the one whole number that a tensor in the processor's memory is; None of all others.

    Of another device it would have to be fetched, and what the device does be waited for.
    """
    try:
        if type_number(tensor) not in WHOLE or tensor._shape_tuple() != ():
            return None
        return int(tensor._numpy_internal()) if ":CPU:" in tensor.backing_device else None
    except Exception:  # whatever the failed op raised comes out here
        return None


def sizes(tensor: Any) -> tuple[int, ...] | None:
    """Return a tensor's sizes, one a dimension."""
    try:
        return tuple(tensor._shape_tuple())
    except Exception:
        return None
