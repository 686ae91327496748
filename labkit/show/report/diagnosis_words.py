"""A diagnosis in sentences: memory, shares, and what is said where no cause could be proved.

Plain values in, plain text out; it decides nothing and knows no place where it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping

from labkit.record import UNEXPLAINED, Diagnosis, Finding, Memory, Run, quantity
from labkit.record.diagnosis import Doubt, Unclear
from labkit.show.titles import counter_title, titled

KINDS: Mapping[str, str] = {
    "growth": "makes the steps longer",
    "between": "makes what is done between the steps longer",
    "spikes": "makes the spikes",
    "cost": "costs the same at every step",
    "memory": "keeps memory",
}
SHARES: Mapping[str, str] = {
    "growth": "of the growth",
    "between": "of its growth",
    "spikes": "of the spikes",
    "cost": "of the step",
}
UNCLEAR: Mapping[Unclear, str] = {
    "filling": "it rises, and a store with a bound is still filling",
    "heavier": "it rises, and the entries of a store that is full get larger and larger",
    "given": "it rises, and each step is given more than the one before",
    "stairs": "it rises in few stairs, each larger than the one before",
}
CLEARER: Mapping[Unclear, str] = {
    "filling": "run until the store is full, or make its bound smaller",
    "heavier": "limit how large an entry may get, or run until the entries no longer grow",
    "given": "run it with batches of one size",
    "stairs": "look what takes twice the room whenever it is full, or run longer",
}
NO_CAUSE = "no cause found for the slowdown"
IDLE = (
    "TensorFlow did no work in the second half of the steps: look whether the data are where the "
    "loop looks for them, whether they are enough, and whether another process does the work"
)
HEALTHY = "healthy: nothing found that should be changed"
MOST_HIDDEN = 0.25
MOST_NAMED = 4
MOST_LINES = 3
STACKS = "stack/"


def looked_at(steps: int) -> str:
    """Return what is said of steps that were looked at closely; of none, nothing."""
    return f"left out: {quantity.steps(steps)} that labkit looked at closely" if steps else ""


def late(steps: int) -> str:
    """Return what is said of steps that got slower at the end of a run's time; of none, nothing.

    Args:
        steps: How many came after those that were judged.
    """
    if not steps:
        return ""
    return (
        f"the last {quantity.steps(steps)} are not judged: they got slower too late to be sure; "
        "give the loop more time (--seconds, in Python seconds=)"
    )


def doubt(value: Doubt) -> str:
    """Return what is said of what lies between the steps, where nobody can tell if it grows."""
    first, last = quantity.duration(value.first), quantity.duration(value.last)
    return (
        f"what lies between the steps takes {100 * value.share:.0f} % of the time and went from "
        f"about {first} to {last} in {value.times} times, which is too seldom to be sure"
    )


def memory(value: Memory) -> str:
    """Return the memory verdict as a sentence that names the first few things that rise."""
    if value.unclear:
        return f"memory: unknown ({UNCLEAR[value.unclear]}); {CLEARER[value.unclear]}"
    if not value.known:
        return "memory: unknown (too few samples); run longer"
    if value.label == "flat":
        return "memory: flat"
    size = f", {quantity.size(value.bytes_per_step)} per step" if value.bytes_per_step >= 1 else ""
    named = ", ".join(map(counter_title, value.grows[:MOST_NAMED]))
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
    return diagnosis.examined and diagnosis.verdict.slower and not growth


def healthy(diagnosis: Diagnosis) -> bool:
    """Tell whether a loop may be called healthy: it was seen long enough, and nothing is wrong."""
    verdict, state = diagnosis.verdict, diagnosis.run.state
    sure = (
        diagnosis.examined and verdict.label not in ("too_short", "unsteady") and not verdict.slower
    )
    # Where the machine or noise could hide that much, the verdict asks for another run.
    sure = sure and (verdict.smallest_growth or 0.0) <= MOST_HIDDEN
    # A reason of a run that was done to its end is what nobody watched.
    sound = (state.completed and not state.reason) or not state.ended
    sound = sound and not diagnosis.late_steps and not diagnosis.idle
    sound = sound and verdict.spike_growth <= MOST_HIDDEN and diagnosis.between is None
    kept = diagnosis.memory.label != "flat" or not diagnosis.memory.known
    return sure and sound and not diagnosis.findings and not kept


def what_would_tell(diagnosis: Diagnosis) -> list[str]:
    """Return what is known of a slowdown that has no cause yet, and how to learn more."""
    said = [
        f"{quantity.duration(seconds)} per step more than at first: {line}"
        for line, seconds in diagnosis.slower_lines[:MOST_LINES]
    ]
    ledger = titled(diagnosis.ledger, diagnosis.judged.columns)
    rows = {row.place: row.share for row in ledger.rows}
    rest = rows.pop(UNEXPLAINED, 0.0)
    place = max(rows, key=lambda name: rows[name], default="")
    if rest >= 0.5:
        said.append(f"{round(100 * rest)} % of the growth is outside the instrumented code")
    elif place and rows[place] > 0:
        said.append(
            f"{round(100 * rows[place])} % of the growth is in '{place}', and no counter explains "
            "it; look at what the step does there"
        )
    if not any(name.startswith(STACKS) for name in diagnosis.run.evidence):
        said.append(
            "no line of code was timed; install pyinstrument to learn which lines take longer"
        )
    if diagnosis.verdict.throttling is not None:
        said.append("the graphics card did not keep its clock; rerun when it does")
    elif diagnosis.verdict.disturbed:
        said.append("the machine was busy with other programs; rerun on an idle machine")
    said.append("run it longer: a cause too small to be proved now may show then")
    return said
