"""Why it happened, as pieces of a page: the causes, where the growth went, what is kept.

A piece that has nothing to say is empty. The same pieces make the report and the notebook's view.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from labkit.record import UNEXPLAINED, Column, Diagnosis, Finding, LedgerRow, quantity
from labkit.record.plain_text import one_line
from labkit.show import words
from labkit.show.bars import bars
from labkit.show.charts.series import find_series
from labkit.show.charts.step_parts import step_parts
from labkit.show.markup import Markup, element, escaped, joined, table
from labkit.show.report import diagnosis_words
from labkit.show.report.cause_words import cause_words, lab_of
from labkit.show.report.fixes import fix_code
from labkit.show.report.loop_words import line_words, traced_words
from labkit.show.report.proof_words import proof_words
from labkit.show.titles import counter_title, titled
from labkit.show.verdict.verdict_words import scale_of

MOST_LINES = 8
MOST_RISING = 12
COMMENT = re.compile(r"(?:^|\s{2,})(# .*)$")


def findings(diagnosis: Diagnosis, level: int) -> Markup:
    """Return the causes with proof and fix, or what would tell; empty where all is well."""
    columns = diagnosis.judged.columns
    parts = [_finding(finding, columns, level + 1) for finding in diagnosis.findings]
    if len(diagnosis.judged.steps) and diagnosis_words.unexplained(diagnosis):
        parts.append(_no_cause(diagnosis))
    if not parts:
        return Markup()
    title = "Why, and what to change" if diagnosis.findings else "Why"
    return element("section", element(f"h{level}", title), *parts)


def _finding(finding: Finding, columns: Iterable[Column], level: int) -> Markup:
    called = cause_words(finding.cause)
    kind = element("span", diagnosis_words.KINDS[finding.kind], class_="lk-kind")
    share = diagnosis_words.share(finding)
    told = [kind, " ", element("span", share, class_="lk-share")] if share else [kind]
    parts = [
        element(f"h{level}", called.title, " ", *told),
        element("p", element("code", line_words(finding.line))) if finding.line else Markup(),
        element("p", traced_words(finding.traced)) if finding.traced else Markup(),
        element("p", called.meaning, class_="lk-meaning") if called.meaning else Markup(),
        element("p", element("strong", "Evidence. "), proof_words(finding.proof, columns)),
    ]
    if fix := fix_code(finding):
        parts.append(element("p", element("strong", "The smallest fix:")))
        parts.append(element("pre", element("code", _code(fix))))
    if lab := lab_of(finding.cause):
        where = element("code", f"notebooks/{lab}")
        parts.append(element("p", "The lab that teaches it: ", where, class_="lk-lab"))
    return element("article", *parts, class_="lk-finding")


def _code(fix: str) -> Markup:
    """Return code with its comments set back; a ``#`` within quotes is no comment."""
    lines: list[Markup] = []
    for line in fix.splitlines():
        found = COMMENT.search(line)
        before = line[: found.start(1)] if found else line
        if found and not set(before) & {"'", '"'}:
            comment = element("span", found[1], class_="lk-comment")
            lines.append(joined([escaped(before), comment]))
        else:
            lines.append(escaped(line))
    return Markup("\n".join(lines))


def _no_cause(diagnosis: Diagnosis) -> Markup:
    known = diagnosis_words.what_would_tell(diagnosis)
    said = f"{diagnosis_words.NO_CAUSE}. What is known, and what to try next:"
    return joined([
        element("p", said[:1].upper() + said[1:]),
        element("ul", *(element("li", line) for line in known)),
    ])  # fmt: skip


def ledger(diagnosis: Diagnosis, level: int) -> Markup:
    """Return where the growth went, as a table that adds up; empty where nothing grew."""
    grown = diagnosis.ledger.growth_seconds
    # Of several stretches the line says of which steps the table is.
    line = words.judged_ledger(diagnosis) if len(diagnosis.stretches) > 1 else ""
    if not diagnosis.ledger.rows:
        return Markup()
    unit = scale_of(grown)[1]
    heading: tuple[str, ...] = ("operation", f"{unit} longer", f"95 % CI, {unit}", "share")
    named = titled(diagnosis.ledger, diagnosis.judged.columns)
    rows: list[tuple[str, ...]] = [
        (one_line(row.place), _in_unit_of(grown, row.seconds), _bounds(grown, row), _bar(row.share))
        for row in _telling(named.rows)
    ]
    if not any(row[2] for row in rows):
        heading = (*heading[:2], *heading[3:])
        rows = [(*row[:2], *row[3:]) for row in rows]
    caption = f"A step takes {quantity.duration(grown)} longer at the end than at the start:"
    return element(
        "section",
        element(f"h{level}", "Where it went"),
        element("p", line) if line else Markup(),
        parts_picture(diagnosis),
        table(caption, heading, rows),
        _slower_lines(diagnosis, grown),
    )


def parts_picture(diagnosis: Diagnosis) -> Markup:
    """Return what a step consists of at the start of a growth and at its end, as a picture."""
    parts = bars(diagnosis.ledger, diagnosis.judged.columns)
    told = (
        f"{part.title} from {quantity.duration(part.first_seconds)} "
        f"to {quantity.duration(part.last_seconds)}"
        for part in parts
    )
    alt = f"What a step takes at the start and at the end: {'; '.join(told)}."
    return step_parts(parts, alt)


def _slower_lines(diagnosis: Diagnosis, grown: float) -> Markup:
    if not diagnosis.slower_lines:
        return Markup()
    rows = (
        (one_line(line), _in_unit_of(grown, seconds))
        for line, seconds in diagnosis.slower_lines[:MOST_LINES]
    )
    caption = "Lines that take longer at the end than at the start, from samples of the stack:"
    return table(caption, ("line", f"{scale_of(grown)[1]} longer"), rows)


def _in_unit_of(grown: float, seconds: float) -> str:
    """Write seconds in the unit of the whole growth, so that a column can be read downwards."""
    scale, _ = scale_of(grown)
    places = 0 if grown * scale >= 100 else 1 if grown * scale >= 10 else 2
    return f"{round(seconds * scale, places) + 0.0:,.{places}f}"  # no -0.00


def _bounds(grown: float, row: LedgerRow) -> str:
    if row.low is None or row.high is None:
        return ""
    return f"{_in_unit_of(grown, row.low)} to {_in_unit_of(grown, row.high)}"


def _telling(rows: Iterable[LedgerRow]) -> list[LedgerRow]:
    """Return the rows worth a line; what holds next to nothing is added up in one."""
    large: list[LedgerRow] = []
    small: list[LedgerRow] = []
    rest: list[LedgerRow] = []
    for row in rows:
        if row.place == UNEXPLAINED:
            rest.append(row)
        else:
            (small if abs(row.share) < words.SMALL_SHARE else large).append(row)
    if small:
        name = small[0].place if len(small) == 1 else f"{len(small)} other timed operations"
        seconds, share = sum(row.seconds for row in small), sum(row.share for row in small)
        large.append(LedgerRow(name, seconds, share))
    return large + rest


def _bar(share: float) -> Markup:
    width = max(0.0, min(100.0, 100 * share))
    bar = element("i", style=f"width:{width:.0f}%", aria_hidden="true")
    said = element("b", f"{round(100 * share)} %")
    return element("span", said, element("span", bar, class_="lk-bar"), class_="lk-barred")


def memory(diagnosis: Diagnosis, level: int) -> Markup:
    """Return what rises to the end, with its figures; empty where memory is flat."""
    run, grows = diagnosis.judged, diagnosis.memory.grows
    if diagnosis.memory.label == "flat" or not grows:
        return Markup()
    # The proof has the same figures: a counter's first steps, in which caches fill, are in neither.
    known = {each.name: each for each in diagnosis.memory.rises}
    units = {each.name: each.unit for each in find_series(run, grows)}
    rows: list[tuple[str, ...]] = []
    for name in grows[:MOST_RISING]:
        figures = ("", "", "")
        if rise := known.get(name):
            unit = units.get(name, "bytes" if name.endswith("_bytes") else "")
            first, last, risen = (
                quantity.quantity(each, unit)
                for each in (rise.first, rise.last, float(f"{rise.per_step:.3g}"))
            )
            figures = first, last, f"+{risen}"
        rows.append((one_line(counter_title(name)), *figures))
    more = len(grows) - MOST_RISING
    return element(
        "section",
        element(f"h{level}", "What is kept"),
        table("What rises to the end of the run:", ("what", "first", "last", "per step"), rows),
        element("p", f"and {more:,} more") if more > 0 else Markup(),
    )
