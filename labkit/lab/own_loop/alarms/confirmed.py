"""When an alarm is believed: where fresh loops raise it again.

One loop in some fifty is called slower by chance, and more on a machine that others use as well. So
an alarm counts only if it is raised again by fresh loops, each made anew: what the machine did
meanwhile does not begin again with the loop, and what the loop does to itself does. A script finds
the world as its last run has left it, so that a fresh run that is well need not refute the first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from labkit.lab.own_loop.alarms.alarm import MOST_HIDDEN_GROWTH, RISING, Alarm, alarms, place_of
from labkit.lab.own_loop.alarms.untested import untested, untested_sentence
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.lab.own_loop.request import LOOPS
from labkit.record import Diagnosis

NO_SUCH_LOOP = "it did not come to that loop again"
# A counter of what the run before has left in a folder of the script's own.
STAYING = "folder_files"
BEGAN_SLOW = (
    "it was as slow from its first step on as the run before at its end, so what makes it slow may "
    "have stayed, as files do; begin each run in an empty folder"
)
FILES_STAYED = (
    "the files of the run before were still there, so that no more came; begin each run in an "
    "empty folder"
)


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
        if any(_unanswered(each, said, again) for each in left - again_raised):
            unconfirmed = Confirmed(said, frozenset(), again, dropped=first)
        left = again_raised
        if unconfirmed is not None and not left:
            return unconfirmed
        said = again
    return Confirmed(said, left, dropped=first - left)


def _unanswered(alarm: Alarm, said: Diagnosed, again: Diagnosed) -> bool:
    """Tell whether a fresh run could not raise an alarm, and so did not refute it.

    A training that finds its own checkpoint passes its loop over, or does a few steps of it; one
    that finds the files of the run before may write over them, or go through them all at once.
    """
    loops = _loops(alarm, again)
    kind = "slowdown" if alarm.kind == RISING else alarm.kind
    if all(untested(each, [kind]) for each in loops):
        return True
    return alarm.counter == STAYING or _begins_slow(alarm, said, again)


def _begins_slow(alarm: Alarm, said: Diagnosed, again: Diagnosed) -> bool:
    """Tell whether a loop that got twice as slow is as slow from its first step in a fresh run."""
    if alarm.kind != "slowdown":
        return False
    before = [each.verdict for each in _loops(alarm, said)]
    after = [each.verdict.first_seconds for each in _loops(alarm, again)]
    levels = [
        math.sqrt(each.first_seconds * each.last_seconds)
        for each in before
        if (each.growth or 0.0) >= MOST_HIDDEN_GROWTH and each.first_seconds and each.last_seconds
    ]
    return bool(levels and after) and min(each or 0.0 for each in after) > max(levels)


def _loops(alarm: Alarm, said: Diagnosed) -> list[Diagnosis]:
    return [each for each in said.every if place_of(each) == alarm.place]


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
    raised = [each for each in alarms(said, kinds) if _unanswered(each, said, again)]
    if any(_begins_slow(each, said, again) for each in raised):
        return BEGAN_SLOW
    found = [loop for each in raised for loop in _loops(each, again)]
    unsure = [each for each in found if untested(each, kinds)]
    if found and not unsure:
        return FILES_STAYED
    return next(map(untested_sentence, unsure), NO_SUCH_LOOP)
