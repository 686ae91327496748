"""Runs and what was made of them: one HTML file to read or attach, and a view in a notebook."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from labkit.record import Diagnosis, LabkitError
from labkit.record.plain_text import one_line
from labkit.record.saving.whole_file import write_whole
from labkit.show import words
from labkit.show.charts.chart_pieces import CURVES
from labkit.show.charts.fits import fits
from labkit.show.charts.series import Series, find_series, resident_memory
from labkit.show.charts.step_chart import legend, step_chart
from labkit.show.markup import Markup, element, folded, joined, table
from labkit.show.page import page, view, written_by
from labkit.show.report import finding_sections, headline, record_sections
from labkit.show.report.cause_words import lanes_of
from labkit.show.report.loop_words import loop_titles
from labkit.show.thinning import read_curve
from labkit.show.titles import counter_title
from labkit.show.verdict.machine import machine

PAGE_LEVEL, VIEW_LEVEL = 1, 3
MOST_LANES = 2
HEADING = ("where", "verdict")


def save_report(
    diagnoses: Sequence[Diagnosis],
    path: str | os.PathLike[str],
    *,
    lanes: Sequence[str] = (),
    replace: bool = True,
) -> Path:
    """Write runs as one HTML file, whole or not at all, and return the file.

    Args:
        diagnoses: What is said of one run or more.
        path: Where.
        lanes: The evidence columns to draw, most telling first, where no cause of ours says so.
        replace: Whether a file of that name is replaced; else the next free name is taken.

    Raises:
        LabkitError: If it cannot be written there, or there is no run.
    """
    target = Path(path)
    if replace and target.is_dir():
        raise LabkitError(
            f"{str(target)!r} is a folder; give the name of a file, e.g. "
            f"{str(target / 'report.html')!r}."
        )
    text = report_html(diagnoses, lanes)
    return write_whole(target, text.encode(), "The report", replace=replace)


def report_html(diagnoses: Sequence[Diagnosis], lanes: Sequence[str] = ()) -> str:
    """Return runs as the text of one HTML file.

    Args:
        diagnoses: What is said of one run or more, in progress or finished.
        lanes: As for `save_report`.

    Raises:
        LabkitError: If there is none.
    """
    if not diagnoses:
        raise LabkitError("There is no run to report; give a run, or a file that labkit saved.")
    if len(diagnoses) == 1:
        (diagnosis,) = diagnoses
        title = one_line(diagnosis.run.title)
        parts = [_whole(diagnosis, title, PAGE_LEVEL, lanes)]
    else:
        loops = loop_titles(diagnoses)
        title = one_line(diagnoses[0].run.title) if loops else f"{len(diagnoses)} runs"
        named = list(zip(diagnoses, loops or _names(diagnoses), strict=True))
        what = "loops" if loops else "runs"
        rows = [(name, headline.place(each), _in_a_line(each)) for each, name in named]
        parts = [
            element("h1", title, class_="lk-title"),
            Markup() if loops else _together(named),
            element("section", table(f"The {what} at a glance:", (what[:-1], *HEADING), rows,
                                     prose=True)),
            *(element("section", _whole(each, name, PAGE_LEVEL + 1, lanes))
              for each, name in named),
        ]  # fmt: skip
    return page(f"{title}: labkit report", *parts, written_by())


def view_html(diagnosis: Diagnosis) -> str:
    """Return a diagnosis as a piece of HTML for a notebook's output."""
    recorded = (
        record_sections.recorded(diagnosis, VIEW_LEVEL + 1),
        record_sections.happened(diagnosis.judged, VIEW_LEVEL + 1),
    )
    said = _said(diagnosis, one_line(diagnosis.run.title), VIEW_LEVEL)
    return view(said, folded("what was recorded", *recorded))


def _whole(diagnosis: Diagnosis, title: str, level: int, lanes: Sequence[str]) -> Markup:
    """Return all that is known of one run, under a heading."""
    return joined([
        _said(diagnosis, title, level, lanes),
        record_sections.recorded(diagnosis, level + 1),
        record_sections.happened(diagnosis.judged, level + 1),
        record_sections.step_times(diagnosis, level + 1),
    ])  # fmt: skip


def _said(diagnosis: Diagnosis, title: str, level: int, lanes: Sequence[str] = ()) -> Markup:
    return joined([
        headline.headline(diagnosis, title, level),
        record_sections.traceback(diagnosis.run),
        headline.figures(diagnosis),
        _chart(diagnosis, lanes),
        finding_sections.findings(diagnosis, level + 1),
        finding_sections.ledger(diagnosis, level + 1),
        finding_sections.memory(diagnosis, level + 1),
    ])  # fmt: skip


def _chart(diagnosis: Diagnosis, lanes: Sequence[str]) -> Markup:
    run = diagnosis.judged
    if len(run.steps) < 2:
        return Markup()
    counters, fitted = _counters(diagnosis, lanes), fits(diagnosis)
    alt = words.alt_text(
        run.title,
        len(run.steps),
        (*words.judgement(diagnosis), machine([diagnosis])),
        ledger_line=words.judged_ledger(diagnosis, run.columns),
        evidence_lines=[f"{one_line(series.title)}: {series.said}" for series in counters],
        events=run.events,
    )
    drawn = step_chart([read_curve(run)], alt, fits=[fitted], counters=counters, events=run.events)
    return element("figure", drawn, element("figcaption", legend(run, fitted)))


def _counters(diagnosis: Diagnosis, lanes: Sequence[str]) -> list[Series]:
    """Return what to draw below the curve: what rises, or what the cause's lab shows."""
    run = diagnosis.judged
    if diagnosis.examined:
        resident = resident_memory(run)
        kept = find_series(run, diagnosis.memory.grows)[:MOST_LANES]
        found = [replace(series, title=counter_title(series.name)) for series in kept]
        return found if resident is None else [*found, resident]
    return find_series(run, lanes_of(run.cause) or lanes)[:MOST_LANES]


def _names(diagnoses: Sequence[Diagnosis]) -> tuple[str, ...]:
    # It brings matplotlib, which one run can do without.
    from labkit.show.charts.figure import run_labels

    return run_labels([each.run for each in diagnoses])


def _in_a_line(diagnosis: Diagnosis) -> str:
    told = words.judgement(diagnosis) if len(diagnosis.run.steps) else ()
    return " ".join(filter(None, [headline.how_it_ended(diagnosis), *told]))


def _together(named: Sequence[tuple[Diagnosis, str]]) -> Markup:
    """Draw the curves over each other; empty where they are too many, or of several causes."""
    drawn = [(each, name) for each, name in named if len(each.run.steps) > 1]
    if not 2 <= len(drawn) <= len(CURVES) or len({each.run.cause for each, _ in drawn}) > 1:
        return Markup()
    alt = " ".join(
        f"{name}: {words.run_alt_text(each.run, each, lanes_of(each.run.cause))}"
        for each, name in drawn
    )
    curves = [read_curve(each.run) for each, _ in drawn]
    fitted = [fits(each) for each, _ in drawn]
    return element(
        "figure", step_chart(curves, alt, fits=fitted, names=[name for _, name in drawn])
    )
