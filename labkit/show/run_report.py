"""Runs as one HTML file: curves, verdicts, ledgers, and where they were recorded."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from labkit.cause import Toggle
from labkit.record import Diagnosis, Judgement, LabkitError, Memory, Run, Verdict
from labkit.record.plain_text import one_line
from labkit.record.whole_file import write_whole
from labkit.show import finding_sections, headline, record_sections, words
from labkit.show.background import Background
from labkit.show.curve import SVG_POINTS, curve_of
from labkit.show.machine import machine
from labkit.show.markup import Markup, element, joined, table
from labkit.show.page import page, written_by
from labkit.show.series import find_series
from labkit.show.step_chart import legend, step_chart
from labkit.show.svg import LOOKS, curves_svg

NOTHING_MORE = Background()
MOST_LANES = 2
HEADING = ("run", "where", "verdict")


@dataclass(frozen=True)
class Reported:
    """A run with what is said of it.

    Args:
        run: In progress or finished.
        judgement: A verdict for each of its stretches, and the ledger.
        toggles: The declared toggles, where known.
        lanes: The evidence columns to draw, most telling first.
    """

    run: Run
    judgement: Judgement
    toggles: tuple[Toggle, ...] = ()
    lanes: tuple[str, ...] = ()


def save_report(reported: Sequence[Reported], path: str | os.PathLike[str]) -> Path:
    """Write runs as one HTML file, whole or not at all, and return the file.

    Args:
        reported: One run or more.
        path: Where; a file of that name is replaced.

    Raises:
        LabkitError: If it cannot be written there, or there is no run.
    """
    target = Path(path)
    if target.is_dir():
        raise LabkitError(
            f"{str(target)!r} is a folder; give the name of a file, e.g. report.html."
        )
    write_whole(target, runs_html(reported).encode(), "The report")
    return target


def runs_html(reported: Sequence[Reported]) -> str:
    """Return runs as the text of one HTML file.

    Args:
        reported: One run or more.

    Raises:
        LabkitError: If there is none.
    """
    if not reported:
        raise LabkitError("There is no run to report; give a run, or a file that labkit saved.")
    if len(reported) == 1:
        title = one_line(reported[0].run.title)
        return page(f"{title}: labkit report", _section(reported[0], title, 1), written_by())
    names = _names([each.run for each in reported])
    title = f"{len(reported)} runs"
    return page(
        f"{title}: labkit report",
        element("h1", title, class_="lk-title"),
        _together(reported, names),
        _summary(reported, names),
        *(_section(each, name, 2) for each, name in zip(reported, names, strict=True)),
        written_by(),
    )


def _names(runs: Sequence[Run]) -> tuple[str, ...]:
    from labkit.show.figure import run_labels  # it brings matplotlib, which one run can do without

    return run_labels(runs)


def _summary(reported: Sequence[Reported], names: Sequence[str]) -> Markup:
    rows = [
        (name, headline.place(each.run), _said(each))
        for each, name in zip(reported, names, strict=True)
    ]
    return element("section", table("The runs at a glance:", HEADING, rows, prose=True))


def _said(each: Reported) -> str:
    told = words.judgement(each.judgement, each.toggles) if len(each.run.steps) else ()
    return " ".join([*([_ended(each.run)] if _ended(each.run) else []), *told])


def _ended(run: Run) -> str:
    """Return how a run ended that did not end by itself, or goes on; else nothing."""
    return "" if run.state.completed else words.state(run.state, len(run.steps))


def _together(reported: Sequence[Reported], names: Sequence[str]) -> Markup:
    """Draw the curves over each other; empty where they are too many, or of several causes."""
    drawn = [(each, name) for each, name in zip(reported, names, strict=True)
             if len(each.run.steps) > 1]  # fmt: skip
    if not 2 <= len(drawn) <= len(LOOKS) or len({each.run.cause for each, _ in drawn}) > 1:
        return Markup()
    curves = [curve_of(np.asarray(each.run.steps.seconds) * 1e3, SVG_POINTS) for each, _ in drawn]
    alt = " ".join(
        f"{name}: {words.run_alt_text(each.run, each.judgement, each.lanes)}"
        for each, name in drawn
    )
    legend_rows = (
        element("li", Markup(_swatch(place)), " ", name) for place, (_, name) in enumerate(drawn)
    )
    caption = element("figcaption", element("ul", *legend_rows))
    return element("figure", Markup(curves_svg(curves, alt)), caption)


def _swatch(place: int) -> str:
    colour, dashes = LOOKS[place]
    return (
        '<svg width="34" height="8" aria-hidden="true"><path d="M0 4H34" fill="none" '
        f'stroke="{colour}" stroke-width="2.2" stroke-dasharray="{dashes}"/></svg>'
    )


def _section(each: Reported, title: str, level: int) -> Markup:
    """Return all that is known of one run, under a heading."""
    run, judged, below = each.run, each.judgement, level + 1
    toggles = words.toggle_values(run.toggles, each.toggles)
    ended, mood = _ended(run), "lk-error" if run.state.ended else "lk-place"
    return element(
        "section",
        element(
            "header",
            element(f"h{level}", title, class_="lk-title"),
            element("p", headline.place(run), class_="lk-place"),
            class_="lk-head",
        ),
        element("p", toggles, class_="lk-place") if toggles else Markup(),
        element("p", ended, class_=mood) if ended else Markup(),
        record_sections.traceback(run),
        _verdict(each),
        _chart(each),
        _ledger(judged, below),
        record_sections.recorded(run, NOTHING_MORE, below),
        record_sections.happened(run, below),
        record_sections.step_times(run, _carrier(judged), below),
    )


def _verdict(each: Reported) -> Markup:
    if not len(each.run.steps):
        return Markup()
    main = each.judgement.main
    mood = "alarming" if main.slower else "fine" if main.label in ("flat", "warmup") else "open"
    lines = (element("p", line) for line in words.judgement(each.judgement, each.toggles))
    told = machine([each.judgement])
    return joined([
        element("div", *lines, class_=f"lk-verdict lk-{mood}"),
        element("p", told, class_="lk-machine") if told else Markup(),
    ])  # fmt: skip


def _chart(each: Reported) -> Markup:
    run, judged = each.run, each.judgement
    if len(run.steps) < 2:
        return Markup()
    titles = [column.title for lane in each.lanes for column in run.columns if column.name == lane]
    counters = find_series(run, titles, {})[:MOST_LANES]
    verdict = _drawn(judged)
    drawn = step_chart(run, verdict, words.run_alt_text(run, judged, each.lanes), counters)
    return element("figure", drawn, element("figcaption", legend(run, verdict)))


def _drawn(judged: Judgement) -> Verdict:
    """Return the verdict to draw: steps in a verdict count from the start of its stretch."""
    main = judged.main
    if len(judged.stretches) <= 1:
        return main
    return replace(main, warmup_steps=0, first_seconds=None, last_seconds=None)


def _ledger(judged: Judgement, level: int) -> Markup:
    if len(judged.stretches) <= 1:
        return finding_sections.ledger(_carrier(judged), NOTHING_MORE, level)
    said = words.judged_ledger(judged)  # it says of which steps
    return joined([
        element("p", said) if said else Markup(),
        finding_sections.ledger(_carrier(judged), NOTHING_MORE, level),
    ])  # fmt: skip


def _carrier(judged: Judgement) -> Diagnosis:
    """Return what the pieces of a diagnosis read of it; nobody judged the memory."""
    return Diagnosis(judged.main, Memory("flat", 0.0), judged.ledger)
