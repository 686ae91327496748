"""Runs side by side: the figure, the verdicts as a table, the sentence."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from labkit.causes import SLUGS, load
from labkit.diagnosis import judgement
from labkit.record import Judgement, LabkitError, Run
from labkit.show import words

if TYPE_CHECKING:
    from labkit.show.figure import Picture

MOST_RUNS = 5
MOST_LANES = 2


@dataclass(frozen=True)
class Comparison:
    """Some runs to look at together; a notebook shows picture and table by itself.

    Args:
        runs: One to five runs.
    """

    runs: tuple[Run, ...]

    @cached_property
    def judgements(self) -> tuple[Judgement, ...]:
        """What can be said of each run."""
        return tuple(judgement(run) for run in self.runs)

    @cached_property
    def picture(self) -> Picture:
        """The curves over each other, with the evidence under them."""
        from labkit.show.figure import draw_runs

        drawn = [run for run in self.runs if len(run.steps)]
        if not drawn:
            raise LabkitError("None of these runs has a step to draw; run them again.")
        return draw_runs(drawn, lanes=telling_lanes(drawn))

    def lines(self) -> list[str]:
        """Return a line a run: its toggles, its verdict, its ledger, or how it failed."""
        return [f"{name}: {told}" for name, told in self._table()]

    def _table(self) -> list[tuple[str, str]]:
        from labkit.show.figure import run_labels

        rows = []
        for name, run, judged in zip(
            run_labels(self.runs), self.runs, self.judgements, strict=True
        ):
            if not run.state.completed:
                rows.append((name, words.state(run.state, len(run.steps))))
            rows += [(name, line) for line in words.judgement(judged)]
            if judged.ledger.rows:
                rows.append((name, words.judged_ledger(judged, run.columns)))
        return rows

    def _repr_mimebundle_(self, **_keywords: Any) -> dict[str, str]:
        plain = "\n".join(self.lines())
        table = "".join(
            f"<tr><th scope='row' style='text-align:left'>{html.escape(name)}</th>"
            f"<td style='text-align:left'>{html.escape(told)}</td></tr>"
            for name, told in self._table()
        )
        picture = self.picture.as_html() if any(len(run.steps) for run in self.runs) else ""
        return {"text/plain": plain, "text/html": f"{picture}<table>{table}</table>"}


def telling_lanes(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the evidence to draw: the cause's first lanes that move in any of the runs.

    Where none moves, the first one shows just that.
    """
    lanes = next((load(run.cause).lanes for run in runs if run.cause in SLUGS), ())
    moving = [name for name in lanes if any(_moves(run, name) for run in runs)]
    return tuple(moving[:MOST_LANES]) or lanes[:1]


def _moves(run: Run, name: str) -> bool:
    values = set(run.steps.column(name)) if name in run.steps.names else set()
    return len(values) > 1


def compare(*runs: Run) -> Comparison:
    """Show runs side by side: curves, evidence, verdicts.

    Args:
        runs: One to five runs.

    Raises:
        LabkitError: If there are none or too many.
    """
    if not 1 <= len(runs) <= MOST_RUNS:
        raise LabkitError(
            f"{len(runs)} runs cannot be compared in one picture; give 1 to {MOST_RUNS}."
        )
    return Comparison(tuple(runs))


def present(comparison: Comparison) -> None:
    """Show a comparison: as a picture where a notebook can, else as lines."""
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        print("\n".join(comparison.lines()))
        return
    if get_ipython() is None:  # type: ignore[no-untyped-call, unused-ignore]
        print("\n".join(comparison.lines()))
    else:
        display(comparison)  # type: ignore[no-untyped-call, unused-ignore]
