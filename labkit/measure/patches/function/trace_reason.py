"""Why a tf.function was traced once more: which argument was new, and in what.

Read from TensorFlow's own types of the arguments (``core/function/polymorphism/function_type.py``
and ``core/function/trace_type/default_types.py``, TensorFlow 2.19-2.21): an argument of Python's is
a literal there, a tensor has shape and dtype, and any other object is itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from labkit.record.proof import TraceReason

TRACES = "_primary"  # of a FunctionCache, private
MOST_LETTERS = 40


@dataclass(frozen=True)
class NewTrace:
    """What differs between a trace and the one before it of the same tf.function.

    Args:
        reason: ``first`` for the first trace of a function; else what is new: a ``value`` of
            Python's, a ``shape``, a ``dtype``, an ``object``, or something else (``other``).
        argument: The name of the first argument that is new; empty where none is.
        was: What it was.
        now: What it is.
    """

    reason: TraceReason
    argument: str = ""
    was: str = ""
    now: str = ""


def reason_of_trace(cache: Any) -> NewTrace:
    """Return why a tf.function was traced that has just been.

    Args:
        cache: TensorFlow's cache of all its traces, in their order.
    """
    traces = getattr(cache, TRACES, None)
    if not isinstance(traces, dict):  # of another TensorFlow
        return NewTrace("other")
    # Of each the context and the types of its arguments.
    last = [types for _, types in islice(reversed(traces), 2)]
    return NewTrace("first") if len(last) < 2 else _difference(last[1], last[0])


def _difference(before: Any, now: Any) -> NewTrace:
    earlier, later = (getattr(each, "parameters", {}) for each in (before, now))
    for name, parameter in later.items():
        if name not in earlier:
            return NewTrace("other", str(name))
        was, new = (each.annotation for each in (earlier[name], parameter))
        if was != new:
            return NewTrace(_kind(was, new), str(name), _written(was), _written(new))
    return NewTrace("other")


def _kind(was: Any, now: Any) -> TraceReason:
    if type(now).__name__ == "Literal":
        return "value"
    if type(now).__name__ == "Weakref":
        return "object"
    if hasattr(was, "shape") and hasattr(now, "shape"):
        return "shape" if was.shape != now.shape else "dtype"
    return "other"


def _written(kind: Any) -> str:
    """Return a value as Python writes it, or the shape or type of a tensor."""
    if type(kind).__name__ == "Literal":
        text = repr(kind.value)
    elif hasattr(kind, "shape"):
        text = f"{kind.dtype.name}{kind.shape}"
    else:
        text = type(kind).__name__
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}..."
