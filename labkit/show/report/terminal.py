"""A diagnosis for a terminal: what happened, why, how it is proved, and what to change."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from labkit.causes import SLUGS, load
from labkit.record import Column, Diagnosis, Finding, Run
from labkit.show import words
from labkit.show.report import diagnosis_words
from labkit.show.report.cause_words import cause_words, lab_of, lanes_of
from labkit.show.report.fixes import fix_code
from labkit.show.report.loop_words import line_words, loop_line, traced_words
from labkit.show.report.proof_words import proof_words
from labkit.show.verdict.machine import machine

WIDTH = 100


def diagnosis_lines(diagnosis: Diagnosis) -> list[str]:
    """Return a diagnosis as lines for a terminal, the traceback of a loop that raised first.

    Where causes were looked for they are told with their proofs, else the counters that moved.
    """
    run = diagnosis.judged
    lines = words.traceback(run.state.traceback).splitlines()
    lines.append(words.title(run.title, run.toggles))
    lines.append(f"  {words.state(run.state, len(diagnosis.run.steps))}")
    if diagnosis.loop is not None:
        lines.append(f"  {loop_line(diagnosis.loop, diagnosis.entries)}")
    if not len(run.steps):
        return lines
    told = [
        diagnosis_words.looked_at(diagnosis.looked_at),
        *words.judgement(diagnosis),
        diagnosis_words.late(diagnosis.late_steps),
        diagnosis_words.doubt(diagnosis.between) if diagnosis.between else "",
        machine([diagnosis], chart=False),
        diagnosis_words.memory(diagnosis.memory) if diagnosis.examined else "",
        diagnosis_words.IDLE if diagnosis.idle else "",
        words.judged_ledger(diagnosis, run.columns),
        words.happened(run.events),
        str(run.environment.get("no_gpu") or ""),
        diagnosis_words.not_measured(run),
        *([] if diagnosis.examined else evidence_lines(run)),
        diagnosis_words.HEALTHY if diagnosis_words.healthy(diagnosis) else "",
    ]
    lines += [f"  {line}" for line in told if line]
    for place, finding in enumerate(diagnosis.findings, start=1):
        lines += ["", *_finding(place, finding, run.columns)]
    if diagnosis_words.unexplained(diagnosis):
        lines += ["", *_no_cause(diagnosis)]
    return lines


def lab_lines(run: Run) -> list[str]:
    """Return what a cause of ours is about, and the lab that teaches it; of others nothing."""
    if run.cause not in SLUGS:
        return []
    cause = load(run.cause)
    stands = ((toggle, run.toggles.get(toggle.name, toggle.default)) for toggle in cause.toggles)
    as_usual = all(toggle.word(value) == toggle.default for toggle, value in stands)
    shows = "What this loop shows" if as_usual else "With the usual toggles this loop shows"
    about = _wrapped(f"{shows}: {cause.summary}", "  ")
    return [*about, f"  The lab that teaches it: notebooks/{cause.notebook}"]


def evidence_lines(run: Run) -> list[str]:
    """Return a line for each counter that moved, and for those its lab shows in any case."""
    shown = lanes_of(run.cause)
    lines = []
    for column in run.columns:
        values = run.steps.column(column.name)
        # Not measured is NaN, which is unlike itself.
        moved = column.kind == "counter" and values[0] != values[-1] and values[0] == values[0]
        if moved or (column.name in shown and column.kind in ("counter", "machine")):
            lines.append(words.evidence(column, values[0], values[-1]))
    return lines


def _finding(place: int, finding: Finding, columns: Iterable[Column]) -> list[str]:
    called = cause_words(finding.cause)
    head = f"{called.title}: {diagnosis_words.KINDS[finding.kind]}"
    if share := diagnosis_words.share(finding):
        head += f" ({share})"
    lines = _wrapped(head, f"{place}. ")
    if finding.line is not None:
        lines.append(f"   {line_words(finding.line)}")
    if finding.traced is not None:
        lines += _wrapped(traced_words(finding.traced))
    lines += _wrapped(called.meaning) + _wrapped(proof_words(finding.proof, columns))
    if fix := fix_code(finding):
        lines += ["   The smallest fix:", ""]
        lines += [f"       {line}".rstrip() for line in fix.splitlines()]
        lines.append("")
    if lab := lab_of(finding.cause):
        lines.append(f"   The lab that teaches it: notebooks/{lab}")
    return lines if lines[-1] else lines[:-1]


def _no_cause(diagnosis: Diagnosis) -> list[str]:
    lines = [f"{diagnosis_words.NO_CAUSE}:"]
    for line in diagnosis_words.what_would_tell(diagnosis):
        lines += _wrapped(line, "- ")
    return lines


def _wrapped(text: str, start: str = "") -> list[str]:
    """Break a sentence into lines; what the reader wrote, such as a path, stays whole."""
    return textwrap.wrap(
        text, WIDTH, initial_indent=start or "   ", subsequent_indent=" " * (len(start) or 3),
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
