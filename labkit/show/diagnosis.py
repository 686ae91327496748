"""A diagnosis for a terminal: what happened, why, how it is proved, and what to change."""

from __future__ import annotations

import textwrap

from labkit.record import Diagnosis, Finding, Run
from labkit.record.plain_text import one_line
from labkit.show import diagnosis_words, words
from labkit.show.background import Background
from labkit.show.cause_words import cause_words

WIDTH = 100
NOTHING_MORE = Background()


def diagnosis_lines(
    run: Run, diagnosis: Diagnosis, background: Background = NOTHING_MORE
) -> list[str]:
    """Return a diagnosis as lines for a terminal, the traceback of a loop that raised first.

    Args:
        run: What was diagnosed, without its closely looked at steps.
        diagnosis: What was made of it.
        background: What the caller knows besides.
    """
    lines = words.traceback(run.state.traceback).splitlines()
    looked_at = background.looked_at
    lines.append(f"{one_line(run.title, words.MOST_TITLE)}: {diagnosis_words.done(run, looked_at)}")
    if ended := diagnosis_words.ended_badly(run, looked_at):
        lines.append(f"  {ended}")
    if not len(run.steps):
        return lines
    lines.append(f"  {words.verdict(diagnosis.verdict)}")
    told = [
        diagnosis_words.late(background.late_steps),
        diagnosis_words.machine_line(diagnosis, chart=False),
        diagnosis_words.memory(diagnosis.memory),
        words.ledger(diagnosis.ledger, run.columns),
        diagnosis_words.not_measured(run),
    ]
    lines += [f"  {line}" for line in told if line]
    if diagnosis_words.healthy(run, diagnosis, background):
        return [*lines, f"  {diagnosis_words.HEALTHY}"]
    for place, finding in enumerate(diagnosis.findings, start=1):
        lines += ["", *_finding(place, finding, background)]
    if diagnosis_words.unexplained(diagnosis):
        lines += ["", *_no_cause(run, diagnosis, background)]
    return lines


def _finding(place: int, finding: Finding, background: Background) -> list[str]:
    called = cause_words(finding.cause)
    head = f"{called.title}: {diagnosis_words.KINDS[finding.kind]}"
    if share := diagnosis_words.share(finding):
        head += f" ({share})"
    lines = _wrapped(head, f"{place}. ")
    lines += _wrapped(called.meaning) + _wrapped(finding.proof)
    if finding.fix:
        lines += ["   The smallest fix:", ""]
        lines += [f"       {line}".rstrip() for line in finding.fix.splitlines()]
        lines.append("")
    if lab := background.labs.get(finding.cause):
        lines.append(f"   The lab that teaches it: notebooks/{lab}")
    return lines if lines[-1] else lines[:-1]


def _no_cause(run: Run, diagnosis: Diagnosis, background: Background) -> list[str]:
    lines = [f"{diagnosis_words.NO_CAUSE}:"]
    for line in diagnosis_words.what_would_tell(run, diagnosis, background):
        lines += _wrapped(line, "- ")
    return lines


def _wrapped(text: str, start: str = "") -> list[str]:
    """Break a sentence into lines; what the reader wrote, such as a path, stays whole."""
    return textwrap.wrap(
        text, WIDTH, initial_indent=start or "   ", subsequent_indent=" " * (len(start) or 3),
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
