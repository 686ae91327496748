"""Alarms: what a test fails on, and when one is believed.

One loop in some fifty is called slower by chance, and more on a machine that others use as well. So
an alarm counts only if it is raised again by fresh loops, each made anew: what the machine did
meanwhile does not begin again with the loop, and what the loop does to itself does.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain

from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.lab.own_loop.request import LOOPS
from labkit.record import Diagnosis, Verdict
from labkit.show.report.diagnosis_words import CLEARER, IDLE, UNCLEAR, doubt
from labkit.show.titles import counter_title
from labkit.show.verdict.glance import MOST_OF_TIME

# Spikes that get longer each time, too few to be sure of: a doubt, and no failure. One healthy loop
# in twenty raises it where it has four of them, and so one in 8,000 three times in a row.
RISING = "rising_spikes"
# A test in which a doubling could go unnoticed has tested nothing. (The headline calls no level
# flat, and no loop is called healthy, where less could.)
MOST_HIDDEN_GROWTH = 1.0
# In a sentence; the diagnosis has them all.
NAMED = 3
NO_SUCH_LOOP = "it did not come to that loop again"


@dataclass(frozen=True)
class Alarm:
    """One thing that a loop does and should not.

    Args:
        kind: One of `KINDS`, or `RISING`; a level that jumps up is a ``slowdown``, too, and so is
            what takes longer between the steps, or in spikes that get twice as long.
        counter: What rises for ever, where the loop leaks: it must be the same in every loop.
        place: Which loop of a script, as ``train.py:61``: it must be the same in every run.
    """

    kind: str
    counter: str = ""
    place: str = ""


def alarms(said: Diagnosed, kinds: Iterable[str], growth: float = 0.0) -> frozenset[Alarm]:
    """Return what a diagnosis raises an alarm for.

    Args:
        said: Of one loop, or of all loops of a script.
        kinds: Which alarms are wanted.
        growth: Less than this is no slowdown; 0.5 is +50 %.
    """
    every = frozenset(chain.from_iterable(_alarms(each, growth) for each in said.every))
    return frozenset(each for each in every if each.kind in kinds)


def _alarms(diagnosis: Diagnosis, growth: float) -> set[Alarm]:
    verdict, memory, place = diagnosis.verdict, diagnosis.memory, place_of(diagnosis)
    raised = set()
    between = any(finding.kind == "between" for finding in diagnosis.findings)
    between |= verdict.spike_growth >= max(growth, MOST_HIDDEN_GROWTH)
    if between or (verdict.slower and (verdict.growth or 0.0) >= growth):
        raised.add(Alarm("slowdown", place=place))
    longer = verdict.spikes.rising if verdict.spikes else 0.0
    if max(longer, verdict.spike_growth) >= max(growth, MOST_HIDDEN_GROWTH):
        raised.add(Alarm(RISING, place=place))
    if memory.label == "leaking":
        raised.update(Alarm("leaking", counter, place) for counter in memory.grows)
    return raised


def place_of(diagnosis: Diagnosis) -> str:
    """Return which loop of a script it is of, as ``train.py:61``; empty of a loop alone."""
    loop = diagnosis.loop
    return "" if loop is None else f"{os.path.basename(loop.file)}:{loop.line}"


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


@dataclass(frozen=True)
class Confirmed:
    """What came of asking fresh loops.

    Args:
        said: The last diagnosis of a loop that came to its end, or of one that nobody asked before.
        raised: The alarms that every one has raised.
        failed: A fresh run that failed, or in which the loop in question did not come or was too
            short, so that nothing was confirmed: a script may not find the world as it was before.
        dropped: What the first loop raised, and a later one did not.
        stopped: Whether no fresh loop was asked any more, for somebody had it stopped.
    """

    said: Diagnosed
    raised: frozenset[Alarm]
    failed: Diagnosed | None = None
    dropped: frozenset[Alarm] = frozenset()
    stopped: bool = False


def confirmed(
    diagnose: Callable[[], Diagnosed],
    kinds: Iterable[str],
    growth: float = 0.0,
    stopped: Callable[[], bool] = bool,
    keep: Callable[[Diagnosed], object] = lambda _: None,
) -> Confirmed:
    """Return the last diagnosis that was made, and the alarms that every one has raised.

    Args:
        diagnose: Makes a fresh loop and diagnoses it. A loop that raises no alarm, or fails, is the
            last.
        kinds: Which alarms are wanted.
        growth: Less than this is no slowdown.
        stopped: Tells whether somebody wants it to end. A fresh run of a script writes its files
            anew, and would be cut short.
        keep: Called with what a fresh run is to confirm, before that begins.
    """
    wanted = tuple(kinds)
    said = diagnose()
    left = first = alarms(said, wanted, growth)
    unconfirmed: Confirmed | None = None
    for _ in range(LOOPS - 1):
        if not left or not said.run.state.completed:
            break
        keep(said)
        if stopped():
            return Confirmed(said, frozenset(), stopped=True)
        again = diagnose()
        if not again.run.state.completed or not len(again.run.steps):
            return Confirmed(said, frozenset(), again)
        again_raised = left & alarms(again, wanted, growth)
        if any(_unanswered(each, again) for each in left - again_raised):
            unconfirmed = Confirmed(said, frozenset(), again, dropped=first)
        left = again_raised
        if unconfirmed is not None and not left:
            return unconfirmed
        said = again
    return Confirmed(said, left, dropped=first - left)


def _unanswered(alarm: Alarm, again: Diagnosed) -> bool:
    """Tell whether a fresh run could not raise an alarm, and so did not refute it.

    A training that finds its own checkpoint passes its loop over, or does a few steps of it.
    """
    loops = [each for each in again.every if place_of(each) == alarm.place]
    kind = "slowdown" if alarm.kind == RISING else alarm.kind
    return all(untested(each, [kind]) for each in loops)


def why_unconfirmed(said: Diagnosed, again: Diagnosed, kinds: Iterable[str]) -> str:
    """Return why a fresh run did not confirm what was said, without a full stop.

    Args:
        said: What was to be confirmed.
        again: Of the fresh run.
        kinds: Which alarms were wanted.
    """
    state = again.run.state
    if not state.completed or not len(again.run.steps):
        return (state.reason or (NO_SUCH_LOOP if state.completed else state.name)).rstrip(".")
    places = {each.place for each in alarms(said, kinds) if _unanswered(each, again)}
    found = (each for each in again.every if place_of(each) in places)
    return next(map(untested_sentence, found), NO_SUCH_LOOP)


def alarm_sentence(raised: Iterable[Alarm], said: Diagnosed) -> str:
    """Return the alarms in words, as in ``it slows down and leaks (files, threads)``.

    Args:
        raised: One alarm or more.
        said: Of the last loop; it has the counters in order, the most telling first.
    """
    every = frozenset(raised)
    leaks = {each.counter for each in every if each.kind == "leaking"}
    grows = dict.fromkeys(chain.from_iterable(each.memory.grows for each in said.every))
    counters = [counter_title(name) for name in grows if name in leaks]
    parts = ["slows down"] if any(each.kind == "slowdown" for each in every) else []
    if leaks:
        more = f" and {len(counters) - NAMED} more" if len(counters) > NAMED else ""
        parts.append(f"leaks ({', '.join(counters[:NAMED])}{more})")
    return f"it {' and '.join(parts)}"
