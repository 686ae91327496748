"""The steps of a run: one row of numbers a step, kept column by column, and what a column means."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, overload

from labkit.record.errors import LabkitError
from labkit.record.plain_text import one_line

Kind = Literal["clock", "place", "counter", "machine"]
MOST_LETTERS = 100


@dataclass(frozen=True)
class Column:
    """One number recorded at every step.

    Args:
        name: The column's identifier, for example ``"graph_ops"``.
        title: What a learner reads beside it, for example ``"ops in the graph"``.
        unit: ``"s"``, ``"bytes"``, or what is counted, for example ``"ops"``.
        kind: ``"clock"`` times the step itself; ``"place"`` is the part of the step's seconds
            spent in one group of patched functions, and a row of the ledger; ``"counter"`` counts
            something of the loop; ``"machine"`` is about the computer rather than the loop.
    """

    name: str
    title: str
    unit: str
    kind: Kind

    @property
    def shown(self) -> Column:
        """The same with a title and a unit that can be shown, of 100 letters at most."""
        title, unit = (one_line(text, MOST_LETTERS) for text in (self.title, self.unit))
        return replace(self, title=title, unit=unit)


@dataclass(frozen=True)
class Step:
    """One call of the loop's body.

    Args:
        index: Its place in the run, from 0.
        start_seconds: When it began, in seconds since recording began.
        seconds: How long the body took.
        evidence: The other columns of this step, by name.
    """

    index: int
    start_seconds: float
    seconds: float
    evidence: Mapping[str, float]


class Steps(Sequence[Step]):
    """All steps of a run, in order; a sequence of `Step` that is stored as columns.

    Every run has the columns ``start_seconds`` and ``seconds``; the others depend on the probes.
    A value that was not measured at a step is NaN.

    Args:
        columns: Numbers by column name, all of one length.

    Raises:
        LabkitError: If a column is missing or the lengths differ.
    """

    def __init__(self, columns: Mapping[str, Iterable[float]]) -> None:
        self._columns = {name: array("d", values) for name, values in columns.items()}
        for needed in ("start_seconds", "seconds"):
            if needed not in self._columns:
                raise LabkitError(
                    f"The steps lack the column {needed!r}; "
                    "every run has start_seconds and seconds."
                )
        lengths = {name: len(values) for name, values in self._columns.items()}
        if len(set(lengths.values())) > 1:
            raise LabkitError(f"The columns of a run must have one length, not {lengths}.")

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names, in the order they were recorded."""
        return tuple(self._columns)

    @property
    def seconds(self) -> array[float]:
        """The step times, in seconds."""
        return self._columns["seconds"]

    def column(self, name: str) -> array[float]:
        """Return one column.

        Raises:
            LabkitError: If this run did not record it; the sentence lists what it did record.
        """
        try:
            return self._columns[name]
        except KeyError:
            if not len(self):
                raise LabkitError(
                    f"There is no column {name!r}, for this run has no step; "
                    "its state.reason says why."
                ) from None
            raise LabkitError(
                f"This run has no column {name!r}; it recorded: {', '.join(self._columns)}."
            ) from None

    def __len__(self) -> int:
        return len(self._columns["seconds"])

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> Steps: ...
    def __getitem__(self, index: int | slice) -> Step | Steps:
        if isinstance(index, slice):
            return Steps({name: values[index] for name, values in self._columns.items()})
        place = range(len(self))[index]
        row = {name: values[place] for name, values in self._columns.items()}
        return Step(place, row.pop("start_seconds"), row.pop("seconds"), row)

    def __iter__(self) -> Iterator[Step]:
        return (self[index] for index in range(len(self)))

    def __eq__(self, other: object) -> bool:
        # NaN differs from itself, so equality is about the stored bytes: a run that was saved and
        # loaded again must equal the one that was saved.
        if not isinstance(other, Steps):
            return NotImplemented
        return self.names == other.names and all(
            self._columns[name].tobytes() == other._columns[name].tobytes() for name in self.names
        )

    __hash__ = None  # type: ignore[assignment]  # large and compared by value

    def __repr__(self) -> str:
        return f"Steps({len(self)} steps of {', '.join(self._columns)})"
