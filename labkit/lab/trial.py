"""The claims on trial in a notebook: each claim's experiment is run here, and ruled on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from labkit.bench.bench import Bench
from labkit.causes import SLUGS, load
from labkit.claims import SOURCES, Claim, Play, Tried, every_claim, load_claim, trials
from labkit.lab.kernel import bench
from labkit.lab.lab import run_limits, split_settings
from labkit.lab.play import wait_for
from labkit.lab.trial_curves import curves
from labkit.record import Run
from labkit.record.whole_file import write_whole
from labkit.show.markup import Markup, element, table
from labkit.show.page import page, view
from labkit.show.shown import Shown

TITLE = "The claims on trial"
# What is asked first stands first: on a narrow page the last two must be scrolled to.
TITLES = ("claim", "ruling", "measured", "experiment", "what the source says")


@dataclass(frozen=True)
class Trial(Shown):
    """Claims and the rulings on them; a notebook shows them as a table by itself."""

    tried: tuple[Tried, ...]

    @property
    def stopped(self) -> bool:
        """Whether the trial was stopped before its end."""
        return any(each.stopped for each in self.tried)

    def lines(self) -> list[str]:
        """Return each claim with its ruling and what was measured."""
        return [line for each in self.tried for line in told(each)]

    def as_json(self) -> dict[str, object]:
        """Return the rulings as plain dictionaries and lists, for ``--json``."""
        return {"claims": [_as_json(each) for each in self.tried]}

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
        """Return the table, the curves behind it, and the sources' titles."""
        yield self._table()
        yield from map(curves, self.tried)
        used = sorted({each.claim.source for each in self.tried})
        told = (element("li", f'Source {number}: "{SOURCES[number]}"') for number in used)
        yield element("p", "The sources:")
        yield element("ul", *told)

    def _table(self) -> Markup:
        return table(
            "What each source says, and what was measured here",
            TITLES,
            map(_row, self.tried),
            prose=True,
        )

    def html(self) -> str:
        """Return table, curves and sources as a piece of a page."""
        return view(*self._parts())


def told(each: Tried) -> list[str]:
    """Return a claim with its ruling and what was measured, a line each."""
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
    fair = f"{claim.says} {claim.fair}".strip()
    return (
        f"{claim.id} {claim.title}",
        element("b", str(ruling)),
        measured,
        claim.experiment,
        fair,
    )


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
                "verdict": each.played.verdict(name).as_json() if len(run.steps) else None,
            }
            for name, run in each.played.runs.items()
        },
    }


def trial(
    *ids: str, on: Bench | None = None, tell: Callable[[Tried], object] | None = None
) -> Trial:
    """Run the experiments of some claims, or of all, and rule on each.

    Args:
        ids: Of the claims, e.g. ``"1.3"``; none tries all, which takes some minutes.
        on: The bench to run them on; by default this kernel's.
        tell: Called with each claim once it is ruled on; all of them take minutes.

    Raises:
        ChoiceError: If there is no such claim; the sentence lists them.
    """
    claims: Sequence[Claim] = [load_claim(id) for id in ids] or every_claim()
    done = []
    for each in trials(claims, lambda play, title: _run(play, title, on or bench())):
        done.append(each)
        if tell is not None:
            tell(each)
    return Trial(tuple(done))


def _run(play: Play, title: str, on: Bench) -> Run:
    source = play.source
    if source not in SLUGS:
        loops = resources.files("labkit.claims").joinpath("loops")
        source = str(loops.joinpath(f"{source}.py"))
    toggles, sizes = split_settings(load(source), play.settings)
    session = on.start(
        source, toggles=toggles, sizes=sizes, steps=play.steps, limits=run_limits(play.seconds)
    )
    return wait_for(session, title)
