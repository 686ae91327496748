"""A diagnosis as one HTML file to attach to a ticket, and as a view in a notebook."""

from __future__ import annotations

from labkit.record import Diagnosis, Run
from labkit.record.plain_text import one_line
from labkit.show import diagnosis_words, finding_sections, headline, record_sections, words
from labkit.show.background import Background
from labkit.show.markup import Markup, element, folded, joined
from labkit.show.page import page, view, written_by
from labkit.show.series import find_series, resident_memory
from labkit.show.step_chart import legend, step_chart

NOTHING_MORE = Background()
PAGE_LEVEL, VIEW_LEVEL = 1, 3


def report_html(run: Run, diagnosis: Diagnosis, background: Background = NOTHING_MORE) -> str:
    """Return a diagnosis as the text of one HTML file.

    Args:
        run: What was diagnosed, without its closely looked at steps.
        diagnosis: What was made of it.
        background: What the caller knows besides.
    """
    level = PAGE_LEVEL
    return page(
        f"{one_line(run.title)}: labkit diagnosis",
        _said(run, diagnosis, background, level),
        record_sections.recorded(run, background, level + 1),
        record_sections.happened(run, level + 1),
        record_sections.step_times(run, diagnosis, level + 1),
        written_by(),
    )


def view_html(run: Run, diagnosis: Diagnosis, background: Background = NOTHING_MORE) -> str:
    """Return a diagnosis as a piece of HTML for a notebook's output.

    Args:
        run: What was diagnosed, without its closely looked at steps.
        diagnosis: What was made of it.
        background: What the caller knows besides.
    """
    level = VIEW_LEVEL
    recorded = (
        record_sections.recorded(run, background, level + 1),
        record_sections.happened(run, level + 1),
    )
    return view(_said(run, diagnosis, background, level), folded("what was recorded", *recorded))


def _said(run: Run, diagnosis: Diagnosis, background: Background, level: int) -> Markup:
    return joined([
        headline.headline(run, diagnosis, level, background),
        record_sections.traceback(run),
        headline.figures(run, diagnosis),
        _chart(run, diagnosis, background),
        finding_sections.findings(run, diagnosis, background, level + 1),
        finding_sections.ledger(diagnosis, background, level + 1),
        finding_sections.memory(run, diagnosis, background, level + 1),
    ])  # fmt: skip


def _chart(run: Run, diagnosis: Diagnosis, background: Background) -> Markup:
    if len(run.steps) < 2:
        return Markup()
    counters = find_series(run, diagnosis.memory.grows, background.titles)[:2]
    if resident := resident_memory(run):
        counters.append(resident)
    alt = words.alt_text(
        run.title,
        len(run.steps),
        (words.verdict(diagnosis.verdict), diagnosis_words.machine_line(diagnosis, chart=True)),
        ledger_line=words.ledger(diagnosis.ledger, run.columns),
        evidence_lines=[f"{one_line(series.title)}: {series.said}" for series in counters],
        events=run.events,
    )
    drawn = step_chart(run, diagnosis.verdict, alt, counters)
    caption = element("figcaption", legend(run, diagnosis.verdict))
    return element("figure", drawn, caption)
