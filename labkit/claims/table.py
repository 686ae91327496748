"""The outcome of a trial as tables: each claim with its ruling, each example with what it did."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from labkit.claims.claim import SOURCES
from labkit.claims.example_table import (
    example_code,
    example_folded,
    example_json,
    example_lines,
    example_rows,
)
from labkit.claims.example_trial import ExampleTried
from labkit.claims.trial import Tried
from labkit.claims.words import whole
from labkit.diagnosis import judgement
from labkit.lab.json_output import verdict_json
from labkit.record.saving.whole_file import write_whole
from labkit.show.charts.chart_pieces import CURVES
from labkit.show.charts.fits import fits
from labkit.show.charts.step_chart import step_chart
from labkit.show.markup import Markup, element, folded, joined, table
from labkit.show.page import Shown, page, view
from labkit.show.thinning import read_curve

TITLE = "The claims on trial"
CAPTION = "What each source says, and what was measured here"
# Enough to see a curve's shape; a page of all claims stays small.
MOST_POINTS = 120
# No more columns than a notebook with its file browser open has room for.
TITLES = ("claim", "what the source says", "ruling", "measured")


@dataclass(frozen=True)
class Trial(Shown):
    """Claims and the rulings on them, and examples; a notebook shows them as tables by itself.

    Args:
        tried: What was tried, in order.
        missing: Ids of those that were to follow when the trial was stopped.
    """

    tried: tuple[Tried | ExampleTried, ...]
    missing: tuple[str, ...] = ()

    @property
    def stopped(self) -> bool:
        """Whether the trial was stopped before its end."""
        return bool(self.missing) or any(each.played.stopped for each in self.tried)

    def lines(self) -> list[str]:
        """Return each claim with its ruling, each example with what it did, and what is missing."""
        return [*(line for each in self.tried for line in told(each)), *self._left_out()]

    def _left_out(self) -> list[str]:
        if not self.missing:
            return []
        return [f"The trial was stopped; these are missing: {', '.join(self.missing)}."]

    def as_json(self) -> dict[str, object]:
        """Return the rulings as plain dictionaries and lists, for ``--json``."""
        told: dict[str, object] = {"claims": [_as_json(each) for each in self._claims]}
        if self._examples:
            told["examples"] = [example_json(each) for each in self._examples]
        if self.missing:
            told["missing"] = list(self.missing)
        return told

    def code(self) -> str:
        """Return the examples' loops, as they were posted in substance and repaired."""
        return "\n\n".join(map(example_code, self._examples))

    @property
    def _claims(self) -> list[Tried]:
        return [each for each in self.tried if isinstance(each, Tried)]

    @property
    def _examples(self) -> list[ExampleTried]:
        return [each for each in self.tried if isinstance(each, ExampleTried)]

    def save(self, path: str | os.PathLike[str], *, replace: bool = True) -> Path:
        """Write the table as one HTML file.

        Args:
            path: Where.
            replace: Whether a file of that name is replaced; else the next free name is taken.

        Returns:
            The file that was written.

        Raises:
            LabkitError: If the file cannot be written there.
        """
        text = page(TITLE, element("h1", TITLE), *self._parts())
        return write_whole(Path(path), text.encode(), "The table", replace=replace)

    def _parts(self) -> Iterator[Markup]:
        """Return the tables, the curves behind the claims, and the sources' titles.

        First what is missing: below a long table nobody would look for it.
        """
        yield from (element("p", element("b", line)) for line in self._left_out())
        if self._claims:
            yield table(CAPTION, TITLES, map(_row, self._claims), prose=True)
            yield from map(_curves, self._claims)
            used = sorted({each.claim.source for each in self._claims})
            named = (element("li", f'Source {number}: "{SOURCES[number]}"') for number in used)
            yield element("p", "The sources:")
            yield element("ul", *named)
        if self._examples:
            yield example_rows(self._examples)
            yield joined(map(example_folded, self._examples))

    def html(self) -> str:
        """Return tables, curves and sources as a piece of a page."""
        return view(*self._parts())


def told(each: Tried | ExampleTried) -> list[str]:
    """Return a claim with its ruling and what was measured, or an example, a line each."""
    if isinstance(each, ExampleTried):
        return example_lines(each)
    found = [
        f"{each.claim.id} {each.claim.title}: {each.ruling}",
        f"  {each.claim.says}",
        f"  {each.ruling.because}",
    ]
    if each.claim.fair:
        found.append(f"  To be fair: {each.claim.fair}")
    if each.ruling.to_decide:
        found.append(f"  To decide it: {each.ruling.to_decide}.")
    return found


def _row(each: Tried) -> tuple[str, ...]:
    claim, ruling = each.claim, each.ruling
    measured = ruling.because + (f" To decide it: {ruling.to_decide}." if ruling.to_decide else "")
    return (
        f"{claim.id} {claim.title}",
        f"{claim.says} {claim.fair}".strip(),
        element("b", str(ruling)),
        joined([
            element("p", measured),
            element("p", f"Experiment: {claim.experiment}", class_="lk-how"),
        ]),
    )  # fmt: skip


def _curves(tried: Tried) -> Markup:
    """Return the curves of a claim's runs, folded; a run without a step says how it failed."""
    claim, played = tried.claim, tried.played
    told = [f"{name}: {whole(played, name)}" for name in played.runs]
    drawn = [name for name, run in played.runs.items() if len(run.steps) > 1][: len(CURVES)]
    parts = []
    if drawn:
        shown = [read_curve(played.runs[name], MOST_POINTS) for name in drawn]
        told_of = [fits(judgement(played.runs[name])) for name in drawn]
        alt = f"{claim.id} {claim.title}. {'. '.join(told)}."
        parts.append(step_chart(shown, alt, fits=told_of, names=drawn))
    said = joined(element("li", line) for line in told)
    return folded(f"{claim.id} {claim.title}: its curves", *parts, element("ul", said))


def _as_json(each: Tried) -> dict[str, object]:
    claim, ruling = each.claim, each.ruling
    return {
        "id": claim.id,
        "title": claim.title,
        "source": SOURCES[claim.source],
        "says": claim.says,
        "experiment": claim.experiment,
        "ruling": ruling.name,
        "condition": ruling.condition,
        "because": ruling.because,
        "to_decide": ruling.to_decide,
        "fair": claim.fair,
        "runs": {
            name: {
                "state": run.state.name,
                "steps": len(run.steps),
                "verdict": verdict_json(each.played.verdict(name)) if len(run.steps) else None,
            }
            for name, run in each.played.runs.items()
        },
    }
