"""Growth that came early: the first part of a long run, where the steps got slower and stayed so.

A diagnosis chooses itself how many steps it runs, and on a restless machine it runs thousands. A
store that was full after 600 of them, or a level that rose after 120, is then too small a part of
the run to show, and what is flat by now was not flat for the reader. A machine that was quicker for
a while at the start does the same, so the change must be large.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from labkit.diagnosis.judgement import judgement
from labkit.diagnosis.operator import Numbers
from labkit.diagnosis.stretch import part_of
from labkit.diagnosis.unsampled import recorded_steps, unsampled
from labkit.record import Judgement, Run, Verdict
from labkit.record.quantity import duration

SHORTEST = 300
LONGER = 3
# What comes after must be twice as long, and lie higher by this share of the change, nearly always.
LEAST_REST = 2
STAYS = 0.5
# Or, where the growth overshot, above this many times the start: copies that a store grew into took
# seven times as long at first, then, from memory that was used before, four times.
FAR_ABOVE = 2.0
NEARLY_ALWAYS = 0.9
PARTS = 20
# By so much of the growth the rest may lie off.
ALL_OF_IT = 0.25
# The lower end of the interval; a machine's own pace moves by 10 % and more for seconds.
LEAST_GROWTH = 0.25
MOST_DISTURBED = 0.1
QUIET = ("flat", "warmup", "spikes")
# A fit over the whole run lies below what was all over early; a loop that goes on growing has grown
# most by the end.
FAR_MORE = 1.5


@dataclass(frozen=True)
class Early:
    """The first part of a run, in which the steps got slower.

    Args:
        part: These steps, with those sampled among them.
        judgement: What was said of them, and that the rest stays like that.
        growing: As many of them as grew: what they counted rests once the growth is over.
    """

    part: Run
    judgement: Judgement
    growing: Run


def early_growth(run: Run, whole: Verdict) -> Early | None:
    """Return the first part of a run that got slower and stayed so, None where there is none.

    Of several lengths the shortest that has all of the growth in it, else the longest.

    Args:
        run: With its sampled steps.
        whole: What was said of all its steps without those. None is returned where that speaks of
            as large a growth; where it is unsteady or speaks of a speedup, all that follows must
            lie far above the start.

    Raises:
        LabkitError: If a recorded step time is not a finite number above zero.
    """
    seen = (whole.growth or 0.0) if whole.slower else 0.0
    least = max(LEAST_GROWTH, (1 + seen) ** FAR_MORE - 1)
    plain = unsampled(run)
    seconds = np.asarray(plain.steps.seconds)
    found = []
    for steps in _lengths(len(seconds)):
        judged = judgement(part_of(plain, 0, steps))
        said = judged.main
        if said.slower and (said.low or 0.0) >= least and _stays(seconds[steps:], said, whole):
            found.append((steps, judged))
    if not found:
        return None
    steps, judged = next((each for each in found if _over(seconds, *each)), found[-1])
    grown = _risen(seconds[:steps], judged.main)
    told = replace(judged, verdicts=(_told(judged, seconds, steps),))
    part, growing = (part_of(run, 0, recorded_steps(run, end)) for end in (steps, grown))
    return Early(part, told, growing)


def _lengths(steps: int) -> list[int]:
    """Return the lengths to look at, each three times the one before."""
    found = []
    length = SHORTEST
    while length * (1 + LEAST_REST) <= steps:
        found.append(length)
        length *= LONGER
    return found


def _stays(rest: Numbers, said: Verdict, whole: Verdict) -> bool:
    """Tell whether the steps after a growth lie above half of it nearly always, or far above."""
    medians = [np.median(part) for part in np.array_split(rest, PARTS)]
    least = FAR_ABOVE * (said.first_seconds or np.inf)
    if _is_disturbed(whole):
        least = np.inf  # the machine may have made it, and the rest is not freed of that
    if whole.slower or whole.label in QUIET:
        least = min(least, _level(said, STAYS))
    return float(np.mean(np.asarray(medians) > least)) >= NEARLY_ALWAYS


def _is_disturbed(whole: Verdict) -> bool:
    moved = abs(whole.machine_growth or 0.0)
    return max(moved, whole.contended_share or 0.0) > MOST_DISTURBED


def _risen(seconds: Numbers, said: Verdict) -> int:
    """Return after how many steps most of a growth was over."""
    parts = np.array_split(np.arange(len(seconds)), PARTS)
    high = [bool(np.median(seconds[part]) >= _level(said, NEARLY_ALWAYS)) for part in parts]
    return int(parts[high.index(True)][-1]) + 1 if True in high else len(seconds)


def _level(said: Verdict, share: float) -> float:
    """Return the level at which a share of a growth is over, in seconds."""
    first, last = said.first_seconds or 0.0, said.last_seconds or 0.0
    return first + share * (last - first)


def _over(seconds: Numbers, steps: int, judged: Judgement) -> bool:
    """Tell whether a growth was over in the first so many steps: the rest is at its last level."""
    first, last = judged.main.first_seconds or 0.0, judged.main.last_seconds or 0.0
    return abs(float(np.median(seconds[steps:])) - last) <= ALL_OF_IT * (last - first)


def _told(judged: Judgement, seconds: Numbers, steps: int) -> Verdict:
    said, rest = judged.main, seconds[steps:]
    after = f"it stays like that for {len(rest):,} steps more"
    if not _over(seconds, steps, judged):
        after = f"the {len(rest):,} steps after them take {duration(float(np.median(rest)))} each"
    words = [said.loop_detail, after, said.machine_detail]
    return replace(said, detail="; ".join(word for word in words if word))
