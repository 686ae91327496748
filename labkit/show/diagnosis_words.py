"""A diagnosis in sentences: memory, shares, and what is said where no cause could be proved.

Plain values in, plain text out; it decides nothing and knows no place where it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping

from labkit.record import UNEXPLAINED, Diagnosis, Finding, Judgement, Memory, Run, quantity
from labkit.show import words
from labkit.show.background import Background
from labkit.show.machine import machine

KINDS: Mapping[str, str] = {
    "growth": "makes the steps longer",
    "spikes": "makes the spikes",
    "cost": "costs the same at every step",
    "memory": "keeps memory",
}
SHARES: Mapping[str, str] = {"growth": "of the growth", "spikes": "of the spikes",
                             "cost": "of the step"}  # fmt: skip
NO_CAUSE = "no cause found for the slowdown"
HEALTHY = "healthy: nothing found that should be changed"
MOST_HIDDEN = 0.25
MOST_NAMED = 4
MOST_LINES = 3
STACKS = "stack/"


def done(run: Run, looked_at: int) -> str:
    """Return how many steps were done, and how many of them were left out.

    Args:
        run: Without its closely looked at steps.
        looked_at: How many those were.
    """
    told = quantity.steps(len(run.steps) + looked_at)
    return f"{told}, {looked_at:,} of them looked at closely and not judged" if looked_at else told


def ended_badly(run: Run, looked_at: int) -> str:
    """Return how a run ended that did not end by itself, else nothing; arguments as `done`."""
    if run.state.completed or not run.state.ended:
        return ""
    return words.state(run.state, len(run.steps) + looked_at)


def late(steps: int) -> str:
    """Return what is said of steps that got slower at the end of a run's time; of none, nothing.

    Args:
        steps: How many came after those that were judged.
    """
    if not steps:
        return ""
    return (
        f"the last {quantity.steps(steps)} are not judged: they got slower, too late to be sure; "
        "give the loop more time (--seconds, in Python seconds=)"
    )


def machine_line(diagnosis: Diagnosis, *, chart: bool) -> str:
    """Return what the machine did to the steps; empty if nothing.

    Args:
        diagnosis: What was made of a run.
        chart: Whether a chart stands beside the line.
    """
    return machine([Judgement((), (diagnosis.verdict,), diagnosis.ledger)], chart=chart)


def memory(value: Memory) -> str:
    """Return the memory verdict as a sentence that names the first few things that rise."""
    if not value.known:
        return "memory: not known, what is kept was counted too seldom; do more steps"
    if value.label == "flat":
        return "memory: flat"
    size = f", {quantity.size(value.bytes_per_step)} a step" if value.bytes_per_step >= 1 else ""
    named = ", ".join(value.grows[:MOST_NAMED])
    if (more := len(value.grows) - MOST_NAMED) > 0:
        named += f" and {more:,} more"
    return f"memory: leaking{size}" + (f"; rising to the end: {named}" if named else "")


def not_measured(run: Run) -> str:
    """Return what no row of the ledger can hold, because this TensorFlow lacks it; else nothing."""
    missing = run.environment.get("not_measured")
    return f"not measured here: {missing}" if missing else ""


def share(finding: Finding) -> str:
    """Return ``98 % of the growth``; of memory nothing, for it has no whole to be a part of."""
    if finding.kind not in SHARES:
        return ""
    return f"{round(100 * finding.share)} % {SHARES[finding.kind]}"


def unexplained(diagnosis: Diagnosis) -> bool:
    """Tell whether the steps got slower and nothing is named that made them slower."""
    growth = any(finding.kind == "growth" for finding in diagnosis.findings)
    return diagnosis.verdict.slower and not growth


def healthy(run: Run, diagnosis: Diagnosis, background: Background) -> bool:
    """Tell whether a loop may be called healthy: it was seen long enough, and nothing is wrong.

    Args:
        run: What was diagnosed.
        diagnosis: What was made of it.
        background: What the caller knows besides.
    """
    verdict = diagnosis.verdict
    sure = verdict.label not in ("too_short", "unsteady") and not verdict.slower
    # Where the machine or noise could hide that much, the verdict asks for another run.
    sure = sure and (verdict.smallest_growth or 0.0) <= MOST_HIDDEN
    sound = (run.state.completed or not run.state.ended) and not background.late_steps
    kept = diagnosis.memory.label != "flat" or not diagnosis.memory.known
    return sure and sound and not diagnosis.findings and not kept


def what_would_tell(run: Run, diagnosis: Diagnosis, background: Background) -> list[str]:
    """Return what is known of a slowdown that has no cause yet, and how to learn more.

    Args:
        run: What was diagnosed.
        diagnosis: What was made of it.
        background: What the caller knows besides.
    """
    said = [
        f"{quantity.duration(seconds)} a step more than at first: {line}"
        for line, seconds in background.slower_lines[:MOST_LINES]
    ]
    rows = {row.place: row.share for row in diagnosis.ledger.rows}
    rest = rows.pop(UNEXPLAINED, 0.0)
    place = max(rows, key=lambda name: rows[name], default="")
    if rest >= 0.5:
        said.append(f"{round(100 * rest)} % of the growth is at none of the measured places")
    elif place and rows[place] > 0:
        said.append(
            f"{round(100 * rows[place])} % of the growth is at the place '{place}', and no counter "
            "that was read says why; look at what the step does there"
        )
    if not any(name.startswith(STACKS) for name in run.evidence):
        said.append(
            "no line of code was timed; install pyinstrument, and the lines that take longer are "
            "named"
        )
    if diagnosis.verdict.machine_detail:
        said.append("the machine was busy with something else; run it again when it is quiet")
    said.append("run it longer: a cause that is too small to be proved now may stand out then")
    return said
