"""Numbers of a run over its steps, whether they were read at every step or now and then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labkit.record import Run, quantity
from labkit.show.titles import counter_title

RESIDENT = "resident_bytes"


@dataclass(frozen=True, eq=False)
class Series:
    """One counter over the steps, all its readings.

    Args:
        name: The counter.
        title: What a reader calls it.
        unit: ``"bytes"``, or what is counted; may be empty.
        steps: At which steps it was read; at least two.
        values: What was read, as many.
    """

    name: str
    title: str
    unit: str
    steps: NDArray[Any]
    values: NDArray[np.float64]

    @property
    def ends(self) -> tuple[str, str]:
        """The first value and the last, each with its unit."""
        first, last = float(self.values[0]), float(self.values[-1])
        return quantity.quantity(first, self.unit), quantity.quantity(last, self.unit)

    @property
    def said(self) -> str:
        """``18 to 1,518 ops``, the unit once."""
        first, last = self.ends
        if first == last:
            return first
        number, space, unit = first.rpartition(" ")
        once = bool(space) and unit == last.rpartition(" ")[2]
        return f"{number if once else first} to {last}"


def find_series(run: Run, wanted: Iterable[str]) -> list[Series]:
    """Return some counters in the order of their names; unknown ones are left out.

    Args:
        run: What was recorded.
        wanted: Their names.
    """
    found: dict[str, Series | None] = dict.fromkeys(wanted)
    for name, title, unit, steps, values in _readings(run):
        if name in found and found[name] is None:
            found[name] = _series(name, title, unit, steps, values)
    return [series for series in found.values() if series is not None]


def resident_memory(run: Run) -> Series | None:
    """Return the memory of the process over the steps, where it was recorded."""
    if RESIDENT not in run.steps.names:
        return None
    values = run.steps.column(RESIDENT)
    return _series(RESIDENT, "resident memory", "bytes", range(len(values)), values)


def _readings(run: Run) -> Iterator[tuple[str, str, str, ArrayLike, ArrayLike]]:
    """Yield name, title, unit, steps and values of all that is counted."""
    for column in run.column_of_kind("counter"):
        if column.name not in run.steps.names:
            continue
        values = run.steps.column(column.name)
        yield column.name, column.title, column.shown.unit, range(len(values)), values
    for name, pairs in run.evidence.items():
        unit = "bytes" if name.endswith("_bytes") else ""
        steps, read = [step for step, _ in pairs], [value for _, value in pairs]
        yield name, counter_title(name), unit, steps, read


def _series(name: str, title: str, unit: str, steps: ArrayLike, values: ArrayLike) -> Series | None:
    """Return what was read; None where there are not two readings."""
    at, read = np.asarray(steps), np.asarray(values, dtype=np.float64)
    finite = np.isfinite(read)
    if finite.sum() < 2:
        return None
    return Series(name, title, unit, at[finite], read[finite])
