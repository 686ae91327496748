"""What was counted inside one step of a run: how many things were there, new, and gone through.

Numbers of the run and nothing else: a step that was not counted has no picture. Knows nothing of
drawing; the panel and `labkit.show.inside.step_dots` draw it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labkit.cause.mechanism import FULL_COLLECTION, Mechanism
from labkit.record import Column, Event, Run, quantity

MOST_DOTS = 240
OLDEST_GENERATION = 2
# Where only every tenth or hundredth step goes through the items, the latest of those is told.
LOOKED_BACK = 200
UNCOUNTED = "what it goes through is not counted"


@dataclass(frozen=True)
class InsideStep:
    """One step, in dots of so many things each.

    Args:
        title: Which step.
        dots: The things that were there when it ended.
        new: By how many they are more than a step before; these stand at the end.
        walked: How many of them it went through.
        backwards: Whether it began with the newest.
        lines: What the dots, the new ones and those gone through are, in words.
        caption: What happens, in a few words.
    """

    title: str
    dots: int
    new: int
    walked: int
    backwards: bool
    lines: tuple[str, str, str]
    caption: str


# Returns steps start to end - 1 of a column.
Read = Callable[[str, int, int], NDArray[np.float64]]


def inside_run(mechanism: Mechanism, run: Run) -> InsideStep | None:
    """Return the latest step of a run that tells something.

    Args:
        mechanism: What to look for.
        run: The run.
    """

    def read(name: str, start: int, end: int) -> NDArray[np.float64]:
        return np.asarray(run.steps.column(name)[start:end])

    return inside_step(mechanism, run.columns, read, len(run.steps), run.events)


def inside_step(
    mechanism: Mechanism, columns: Collection[Column], read: Read, count: int,
    events: Sequence[Event] = (),
) -> InsideStep | None:  # fmt: skip
    """Return the latest step since the last flip that went through something, else the latest.

    Args:
        mechanism: What to look for.
        columns: What was recorded.
        read: Returns a part of a column.
        count: How many steps there are.
        events: What happened in them.

    Returns:
        None where the things were not counted.
    """
    known = {column.name: column for column in columns}
    if mechanism.items not in known or count < 2:
        return None
    flipped = max((event.step for event in events if event.kind == "toggle"), default=0)
    start = max(flipped, count - LOOKED_BACK, 1)
    if start >= count:
        start = count - 1
    items = read(mechanism.items, start - 1, count)
    walked, seconds = _walks(mechanism, known, read, start, items[1:], events)
    if mechanism.when_new and len(walked) == len(items) - 1:
        walked = np.where(np.diff(items) > 0, walked, 0)
    if len(items) < 2 or len(walked) != len(items) - 1:
        return None  # the run grows while it is read
    through = np.flatnonzero(walked)
    at = int(through[-1]) if len(through) else len(walked) - 1
    here = float(items[at + 1])
    if not math.isfinite(here) or here < 0:
        return None
    before = float(items[at])
    new = max(0.0, here - before) if math.isfinite(before) else 0.0
    counted = _is_counted(mechanism, known, read, start, count)
    rests = counted and not walked[at]
    each = _of_each(here)
    unit = known[mechanism.items].unit
    spent = f", {quantity.duration(float(seconds[at]))}" if walked[at] and seconds[at] > 0 else ""
    return InsideStep(
        title=f"inside step {start + at:,}",
        dots=math.ceil(here / each),
        new=math.ceil(min(new, here) / each),
        walked=math.ceil(min(float(walked[at]), here) / each),
        backwards=mechanism.backwards,
        lines=(
            f"{quantity.quantity(here, unit)}" + (f"; a dot is {each:,}" if each > 1 else ""),
            f"{new:,.0f} new in this step" if new else "none new in this step",
            (_gone_through(mechanism, float(walked[at]), here) if counted else UNCOUNTED) + spent,
        ),
        caption=mechanism.rest if rests else mechanism.caption,
    )


def _walks(
    mechanism: Mechanism, known: dict[str, Column], read: Read, start: int,
    items: NDArray[np.float64], events: Sequence[Event],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:  # fmt: skip
    """Return how many items each step went through, and the seconds of that where known."""
    walked, seconds = np.zeros(len(items)), np.zeros(len(items))
    for name in mechanism.walked:
        if name == FULL_COLLECTION:
            for event in events:
                full = event.kind == "gc" and event.detail.get("generation") == OLDEST_GENERATION
                if full and start <= event.step < start + len(items):
                    walked[event.step - start] = items[event.step - start]
        elif name in known:
            values = np.nan_to_num(read(name, start, start + len(items)))[: len(items)]
            if len(values) < len(items):
                return walked[:0], seconds
            if known[name].kind == "place":
                seconds += values
                walked = np.maximum(walked, np.where(values > 0, items, 0))
            else:
                walked = np.maximum(walked, np.minimum(values, items))
    return np.nan_to_num(walked), seconds


def _is_counted(
    mechanism: Mechanism, known: dict[str, Column], read: Read, start: int, end: int
) -> bool:
    """Tell whether anything says how many items a step goes through.

    A probe may have found no name of TensorFlow's to count by, and a loop may count only at times.
    """
    return any(
        name == FULL_COLLECTION
        or (name in known and bool(np.isfinite(read(name, start, end)).any()))
        for name in mechanism.walked
    )


def _gone_through(mechanism: Mechanism, walked: float, here: float) -> str:
    if not walked:
        return f"none {mechanism.done}"
    return f"{'all' if walked >= here else f'{walked:,.0f}'} {mechanism.done}"


def _of_each(count: float) -> int:
    """Return how many things a dot stands for: 1, 2, 5, 10, 20, ..."""
    ten = 1
    while True:
        for nice in (1, 2, 5):
            if count <= nice * ten * MOST_DOTS:
                return nice * ten
        ten *= 10
