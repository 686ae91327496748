"""Runs side by side: the figure, how they compare in a sentence, the verdicts as a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from labkit.causes import SLUGS, load
from labkit.diagnosis import judgement, recorded_machine
from labkit.record import Diagnosis, LabkitError, Run
from labkit.record.verdict import Throttling
from labkit.show import words
from labkit.show.machine import machine
from labkit.show.markup import element, joined
from labkit.show.page import Shown
from labkit.show.ratio import sentence
from labkit.show.throttling_words import clocks_words
from labkit.stats import clocks_apart, doubt_between, undisturbed
from labkit.stats.ratio import Ratio, ratio

if TYPE_CHECKING:
    from labkit.show.charts.picture import Picture

MOST_RUNS = 5
MOST_LANES = 2
LEFT = "text-align:left"


@dataclass(frozen=True)
class Comparison(Shown):
    """Some runs to look at together; a notebook shows picture, sentences and table by itself.

    ``ratios`` has the sentences as data: for each run after the first its `Ratio` to the first,
    with ``ratio``, ``low``, ``high`` and ``different``.

    Args:
        runs: One to five runs.
    """

    runs: tuple[Run, ...]

    @cached_property
    def judgements(self) -> tuple[Diagnosis, ...]:
        """What can be said of each run."""
        return tuple(judgement(run) for run in self.runs)

    @cached_property
    def ratios(self) -> tuple[Ratio | None, ...]:
        """How long a step of each later run takes, over a step of the first run.

        One for each run but the first; None where one of the two has no step at all.
        """
        first, *others = (seconds_to_compare(each) for each in self.judgements)
        found: list[Ratio | None] = []
        for place, other in enumerate(others, start=1):
            if not len(first) or not len(other):
                found.append(None)
                continue
            doubt = self._doubt(place)
            value = ratio(first, other, doubt=doubt)
            # At a lower clock a run may take longer, and none takes less time.
            lower = self._clock_lower_by(place)
            if value.different and value.ratio and lower * math.log(value.ratio) > 0:
                value = ratio(first, other, doubt=doubt + abs(lower))
            found.append(self._at_step(value, place))
        return tuple(found)

    def _at_step(self, value: Ratio, place: int) -> Ratio:
        """Name the step of the runs: of each some steps were disturbed and left out."""
        if value.at_step is None:
            return value
        stretches = [self.judgements[each].stretch for each in (0, place)]
        first, other = (stretch.end - stretch.start for stretch in stretches)
        return replace(value, at_step=None if first == other else min(first, other))

    def _doubt(self, place: int) -> float:
        """Return the difference to the first run that the machine may have made."""
        told = []
        for said in (self.judgements[0], self.judgements[place]):
            run, stretch = said.judged, said.stretch
            machine = recorded_machine(run)
            if machine is None:
                return 0.0
            seconds = np.asarray(run.steps.seconds[stretch.start : stretch.end])
            told.append((seconds, machine.between(stretch.start, stretch.end)))
        return doubt_between((told[0], told[1]), float(np.median(told[0][0])))

    def _clocks(self, place: int) -> Throttling | None:
        """Return how the graphics card's clock differs from the first run's."""
        cards = []
        for said in (self.judgements[0], self.judgements[place]):
            machine, stretch = recorded_machine(said.judged), said.stretch
            if machine is None or machine.card is None:
                return None
            cards.append(machine.card.between(stretch.start, stretch.end))
        return clocks_apart(*cards)

    def _clock_lower_by(self, place: int) -> float:
        """Return by how much it is lower than in the first run, as a difference of logarithms."""
        found = self._clocks(place)
        return 0.0 if found is None else math.log(found.first_mhz / found.last_mhz)

    @cached_property
    def picture(self) -> Picture:
        """The curves over each other, with the evidence under them."""
        from labkit.show.charts.figure import draw_runs

        drawn = [run for run in self.runs if len(run.steps)]
        if not drawn:
            raise LabkitError("None of these runs has a step to draw; run them again.")
        return draw_runs(drawn, lanes=telling_lanes(drawn))

    def sentences(self) -> list[str]:
        """Return how each later run compares with the first, a sentence each."""
        names = [
            _compared_name(name, judged)
            for name, judged in zip(self._names(), self.judgements, strict=True)
        ]
        return [
            sentence(value, names[0], name)
            for value, name in zip(self.ratios, names[1:], strict=True)
            if value is not None
        ]

    def lines(self) -> list[str]:
        """Return how the runs compare, of each its verdict, its ledger, or how it failed, and last
        what the machine did, once for all of them.
        """
        told = (f"{name}: {line}" for name, line in self._table())
        return [*self.sentences(), *told, *self._machine()]

    def _machine(self) -> list[str]:
        names = self._names()
        line = machine(self.judgements, names)
        apart = ((self._clocks(place), names[place]) for place in range(1, len(names)))
        clocks = [clocks_words(found, names[0], name) for found, name in apart if found]
        return [*([line] if line else []), *clocks]

    def _names(self) -> tuple[str, ...]:
        from labkit.show.charts.figure import run_labels

        return run_labels(self.runs)

    def _table(self) -> list[tuple[str, str]]:
        rows = []
        for name, run, judged in zip(self._names(), self.runs, self.judgements, strict=True):
            if not run.state.completed:
                rows.append((name, words.state(run.state, len(run.steps))))
            rows += [(name, line) for line in words.judgement(judged)]
            if judged.ledger.rows:
                rows.append((name, words.judged_ledger(judged, run.columns)))
        return rows

    def html(self) -> str:
        """Return picture, sentences and verdicts as a piece of a page."""
        rows = (
            element("tr", element("th", name, scope="row", style=LEFT),
                    element("td", told, style=LEFT))
            for name, told in self._table()
        )  # fmt: skip
        drawn = any(len(run.steps) for run in self.runs)
        return joined([
            *([self.picture.as_html()] if drawn else []),
            *(element("p", element("b", line)) for line in self.sentences()),
            element("table", *rows),
            *(element("p", line) for line in self._machine()),
        ])  # fmt: skip


def seconds_to_compare(said: Diagnosis) -> Sequence[float]:
    """Return the step times that stand for a run when it is compared; empty where it has none.

    Without the steps that were looked at closely. Corrected for what other programs took of the
    processors, and for the machine's drift, where that was recorded.
    """
    run, stretch = said.judged, said.stretch
    seconds = run.steps.seconds[stretch.start : stretch.end]
    machine = recorded_machine(run)
    if machine is None or not seconds:
        return seconds
    return list(map(float, undisturbed(seconds, machine.between(stretch.start, stretch.end))))


def _compared_name(name: str, judged: Diagnosis) -> str:
    if len(judged.stretches) == 1:
        return name
    stretch = judged.stretch
    return f"{name}, steps {stretch.start:,}-{stretch.end - 1:,}"


def telling_lanes(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the evidence to draw: the cause's first lanes that move in any of the runs.

    Where none moves, the first one shows just that.
    """
    lanes = next((load(run.cause).lanes for run in runs if run.cause in SLUGS), ())
    moving = [name for name in lanes if any(_moves(run, name) for run in runs)]
    return tuple(moving[:MOST_LANES]) or lanes[:1]


def _moves(run: Run, name: str) -> bool:
    # Without the first step: the picture leaves it out, and would show an empty lane.
    values = set(run.steps.column(name)[1:]) if name in run.steps.names else set()
    return len(values) > 1


def compare(*runs: Run) -> Comparison:
    """Show runs side by side: curves, evidence, verdicts, and how long a step of one takes over one
    of another.

    Args:
        runs: One to five runs; each is compared with the first.

    Returns:
        The comparison; its ``ratios`` are the figures of its sentences.

    Raises:
        LabkitError: If there are none or too many, or one is not a run.
    """
    for run in runs:
        if not isinstance(run, Run):
            raise LabkitError(
                f"{run!r:.60} is not a run; give what lk.run, lab.play or lk.load_run returned."
            )
    if not 1 <= len(runs) <= MOST_RUNS:
        raise LabkitError(
            f"{len(runs)} runs cannot be compared in one picture; give 1 to {MOST_RUNS}."
        )
    return Comparison(tuple(runs))


def present(comparison: Comparison) -> None:
    """Show a comparison: as a picture where a notebook can, else as lines."""
    try:
        from IPython.display import display
    except ImportError:
        print(comparison)
    else:
        display(comparison)  # type: ignore[no-untyped-call, unused-ignore]
