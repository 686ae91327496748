"""A series of step times: checked, and joined into fewer points where it is long.

It says nothing of what the times mean.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from labkit.record import LabkitError

Numbers: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]

MOST_POINTS = 500
# A nanosecond beside a year; the figures of more would overflow.
LONGEST_STEP_SECONDS = 1e9
LARGEST_RATIO = math.log(1e16)
BOOLS = frozenset({bool, np.bool_})


def read_seconds(seconds: Sequence[float] | Numbers) -> Numbers:
    """Return the step times as an array of shape (steps,), in seconds.

    Raises:
        LabkitError: If there are none, one is not a finite number above zero, or two are so far
            apart that they cannot be times of one loop.
    """
    rule = "give the seconds of each step as numbers above zero"
    try:
        raw = np.asarray(seconds)
        # Text such as "0.1" would turn into a number silently, and a bool into 0 or 1.
        if raw.dtype.kind not in "iuf" and raw.size:
            raise TypeError
        # Among numbers a bool has become a number by now.
        if not isinstance(seconds, np.ndarray) and not BOOLS.isdisjoint(map(type, seconds)):
            raise TypeError
        times = raw.astype(np.float64)
    except (TypeError, ValueError) as error:
        wrong = _first_not_a_number(seconds)
        raise LabkitError(f"{wrong} is not a number of seconds; {rule}.") from error
    if times.ndim != 1:
        raise LabkitError(
            f"The step times have {times.ndim} dimensions, not one; {rule}, one after the other."
        )
    if not times.size:
        raise LabkitError(f"There are no step times (0 steps); {rule}.")
    bad = np.flatnonzero(~(np.isfinite(times) & (times > 0)))
    if bad.size:
        where = int(bad[0])
        raise LabkitError(
            f"The time of step {where} is {times[where]} s, but a step takes a finite time above "
            f"zero; leave that step out or time it again."
        )
    shortest, longest = int(np.argmin(times)), int(np.argmax(times))
    if math.log(times[longest]) - math.log(times[shortest]) > LARGEST_RATIO:
        raise LabkitError(
            f"The time of step {longest} is {times[longest]} s and that of step {shortest} "
            f"{times[shortest]} s, but no loop has steps so different; give the times of one loop, "
            "all in seconds."
        )
    if times[longest] > LONGEST_STEP_SECONDS:
        raise LabkitError(
            f"The time of step {longest} is {times[longest]:g} s, but no step takes more than "
            f"{LONGEST_STEP_SECONDS:g} s, which is 32 years; give all times in seconds."
        )
    return times


def _first_not_a_number(seconds: object) -> str:
    """Name the first value that is not a number, for an error."""
    if isinstance(seconds, str) or not isinstance(seconds, Sequence | np.ndarray):
        return repr(seconds)[:60]
    for place, value in enumerate(seconds):
        if isinstance(value, bool) or not isinstance(value, int | float | np.number):
            return f"The time of step {place}, {value!r:.60},"
    return "One of the times"


def joined(values: Numbers) -> tuple[Numbers, int]:
    """Join neighbouring values into medians where there are very many.

    A verdict on 100,000 steps then costs what one on 500 costs, and a median of neighbours keeps
    the level where a mean would follow every outlier.

    Returns:
        The points, at most about 500, and how many values each stands for. Values at the end that
        fill no whole point join the last one.
    """
    width = max(1, math.ceil(len(values) / MOST_POINTS))
    if width == 1:
        return values, 1
    whole = len(values) // width
    points = np.median(values[: whole * width].reshape(whole, width), axis=1)
    points[-1] = np.median(values[(whole - 1) * width :])
    return points, width
