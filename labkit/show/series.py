"""Numbers of a run over its steps, whether they were read at every step or now and then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from labkit.record import Run, quantity

MOST_VALUES = 240
KEPT = "kept/"
RESIDENT = "resident_bytes"


@dataclass(frozen=True)
class Series:
    """One counter over the steps, thinned; its first and its last reading are always there.

    Args:
        title: What a reader calls it.
        unit: ``"bytes"``, or what is counted; may be empty.
        steps: At which steps it was read; at least two.
        values: What was read, as many.
    """

    title: str
    unit: str
    steps: tuple[int, ...]
    values: tuple[float, ...]

    @property
    def ends(self) -> tuple[str, str]:
        """The first value and the last, each with its unit."""
        first, last = self.values[0], self.values[-1]
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

    def per_step(self, shown_share: float = 1.0) -> str:
        """By how much it rises a step on the average.

        Args:
            shown_share: Which share of the steps that were done is on show. It rose in the others
                as well.
        """
        steps = max(1, self.steps[-1] - self.steps[0]) / shown_share
        rise = (self.values[-1] - self.values[0]) / steps
        sign = "+" if rise > 0 else ""
        return f"{sign}{quantity.quantity(float(f'{rise:.3g}'), self.unit)}"


def find_series(run: Run, wanted: Iterable[str], titles: Mapping[str, str]) -> list[Series]:
    """Return the counters that a diagnosis speaks of, in its order; unknown ones are left out.

    Args:
        run: What was recorded.
        wanted: What the diagnosis calls them.
        titles: What it calls the counters that were read now and then, by name.
    """
    found: dict[str, Series] = {}
    for series in _every(run, titles):
        found.setdefault(series.title, series)
    return [found[name] for name in dict.fromkeys(wanted) if name in found]


def resident_memory(run: Run) -> Series | None:
    """Return the memory of the process over the steps, where it was recorded."""
    if RESIDENT not in run.steps.names:
        return None
    values = run.steps.column(RESIDENT)
    return _series("resident memory", "bytes", range(len(values)), values)


def _every(run: Run, titles: Mapping[str, str]) -> Iterator[Series]:
    for column in run.column_of_kind("counter"):
        if column.name not in run.steps.names:
            continue
        values = run.steps.column(column.name)
        for title in dict.fromkeys((column.title, titles.get(column.name, column.title))):
            if found := _series(title, column.shown.unit, range(len(values)), values):
                yield found
    for name, pairs in run.evidence.items():
        title = titles.get(name, name.removeprefix(KEPT))
        unit = "bytes" if name.endswith("_bytes") else ""
        steps, read = [step for step, _ in pairs], [value for _, value in pairs]
        if found := _series(title, unit, steps, read):
            yield found


def _series(title: str, unit: str, steps: Sequence[int], values: Sequence[float]) -> Series | None:
    """Thin what was read; None where there are not two readings."""
    at, read = np.asarray(steps), np.asarray(values, dtype=np.float64)
    finite = np.isfinite(read)
    at, read = at[finite], read[finite]
    if len(read) < 2:
        return None
    chosen = np.unique(np.linspace(0, len(read) - 1, min(len(read), MOST_VALUES)).astype(int))
    return Series(title, unit, tuple(at[chosen].tolist()), tuple(read[chosen].tolist()))
