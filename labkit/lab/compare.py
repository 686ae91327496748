"""Runs side by side: the figure, how they compare in a sentence, the verdicts as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from labkit.causes import SLUGS, load
from labkit.diagnosis import judgement
from labkit.lab.run_ratios import clocks_between, run_ratios
from labkit.record import Diagnosis, LabkitError, Run
from labkit.show import words
from labkit.show.markup import element, joined
from labkit.show.page import Shown
from labkit.show.verdict import glance, ratio
from labkit.show.verdict.machine import machine
from labkit.show.verdict.throttling_words import clocks_words
from labkit.stats.ratio import Ratio

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
        return run_ratios(self.judgements)

    @property
    def headline(self) -> str:
        """What the picture shows, in a few words; of several later runs the one most apart."""
        if len(self.runs) == 1:
            return glance.headline(self.judgements[0])
        pairs = zip(self._names()[1:], self.ratios, strict=True)
        known = [(name, value) for name, value in pairs if value is not None]
        if not known:
            return ""
        name, value = max(known, key=lambda each: each[1].apart)
        most = "most apart, " if len(known) > 1 and value.apart else ""
        return f"{most}{name}: {ratio.headline(value)}"

    @cached_property
    def picture(self) -> Picture:
        """The curves over each other, with the evidence under them."""
        from labkit.show.charts.figure import draw_runs

        told = [said for said in self.judgements if len(said.run.steps)]
        if not told:
            raise LabkitError("None of these runs has a step to draw; run them again.")
        drawn = [said.run for said in told]
        return draw_runs(
            drawn, diagnoses=told, lanes=telling_lanes(drawn), headline=self.headline,
            colours=run_colours(drawn), captions=False,
        )  # fmt: skip

    def sentences(self) -> list[str]:
        """Return how each later run compares with the first, a sentence each."""
        names = [
            _compared_name(name, judged)
            for name, judged in zip(self._names(), self.judgements, strict=True)
        ]
        return [
            ratio.sentence(value, names[0], name)
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
        first, *others = self.judgements
        apart = zip((clocks_between(first, each) for each in others), names[1:], strict=True)
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
            *(element("p", line) for line in self.sentences()),
            element(
                "details", element("summary", "verdicts, and where the time went"),
                element("table", *rows),
            ),
            *(element("p", line) for line in self._machine()),
        ])  # fmt: skip


def _compared_name(name: str, judged: Diagnosis) -> str:
    if len(judged.stretches) == 1:
        return name
    stretch = judged.stretch
    return f"{name}, steps {stretch.start:,}-{stretch.end - 1:,}"


def run_colours(runs: Sequence[Run]) -> list[str]:
    """Return the colour of each run: one for a cause at work, one for it switched off.

    The same in every lab, whichever was run first; of other runs, and of a second one of a kind,
    those that are left.
    """
    from labkit.show.charts.picture import CAUSE_OFF, CAUSE_ON, COLOURS

    chosen = []
    for run in runs:
        main = load(run.cause).toggles[:1] if run.cause in SLUGS else ()
        usual = [each.word(run.toggles[each.name]) == each.default
                 for each in main if each.name in run.toggles]  # fmt: skip
        wanted = (CAUSE_ON if usual[0] else CAUSE_OFF) if usual else COLOURS[0]
        free = [each for each in (wanted, *COLOURS) if each not in chosen]
        chosen.append(free[0])
    return chosen


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
