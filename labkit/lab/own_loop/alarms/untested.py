"""What a loop was not tested for, and why."""

from __future__ import annotations

from collections.abc import Iterable

from labkit.lab.own_loop.alarms.alarm import MOST_HIDDEN_GROWTH
from labkit.record import Diagnosis, Verdict
from labkit.show.report.diagnosis_words import CLEARER, IDLE, UNCLEAR, doubt
from labkit.show.verdict.glance import MOST_OF_TIME


def untested(diagnosis: Diagnosis, kinds: Iterable[str]) -> tuple[str, ...]:
    """Return the alarms that a loop could not raise: too short, too unsteady, or nothing to do."""
    if diagnosis.idle:
        return tuple(kinds)
    known = {
        "slowdown": diagnosis.verdict.decided
        and not _hidden(diagnosis.verdict)
        and not _rising(diagnosis.verdict)
        and diagnosis.between is None,
        "leaking": diagnosis.memory.known,
    }
    return tuple(kind for kind in kinds if not known[kind])


def _hidden(verdict: Verdict) -> bool:
    """Tell whether a growth that nobody would let pass may be there unseen."""
    return not verdict.slower and (verdict.smallest_growth or 0.0) > MOST_HIDDEN_GROWTH


def _rising(verdict: Verdict) -> bool:
    """Tell whether most of the time lies in spikes that get longer, too few to be sure of it."""
    doubled = verdict.spikes is not None and verdict.spikes.rising >= MOST_HIDDEN_GROWTH
    return doubled and (verdict.spike_share or 0.0) > MOST_OF_TIME


def untested_sentence(diagnosis: Diagnosis) -> str:
    """Return why it could not be told of a loop whether it raises an alarm, and what would help."""
    verdict = diagnosis.verdict
    if diagnosis.idle:
        return IDLE
    if _rising(verdict):
        return (
            f"{verdict.spike_share:.0%} of the time lies in a few steps that take longer each "
            "time; let it make more steps"
        )
    if verdict.label == "too_short" or (verdict.decided and not _hidden(verdict)):
        if diagnosis.between is not None:
            return f"{doubt(diagnosis.between)}; let it make more epochs"
        if why := diagnosis.memory.unclear:
            return f"of its memory, {UNCLEAR[why]}; {CLEARER[why]}"
        return "the run was too short; let it make more steps"
    return "its step times vary too much; let it make more steps, or run it on an idle machine"
