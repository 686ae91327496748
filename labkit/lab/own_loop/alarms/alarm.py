"""An alarm: one thing that a loop does and should not."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.record import Diagnosis
from labkit.show.titles import counter_title

# Spikes that get longer each time, too few to be sure of: a doubt, and no failure. One healthy loop
# in twenty raises it where it has four of them, and so one in 8,000 three times in a row.
RISING = "rising_spikes"
# A test in which a doubling could go unnoticed has tested nothing. (The headline calls no level
# flat, and no loop is called healthy, where less could.)
MOST_HIDDEN_GROWTH = 1.0
# In a sentence; the diagnosis has them all.
NAMED = 3


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


def alarm_sentence(raised: Iterable[Alarm], said: Diagnosed) -> str:
    """Return the alarms in words, as in ``it slows down and leaks (files, threads)``.

    Args:
        raised: One alarm or more.
        said: Of a loop that may have raised them; it has the counters in order, the most telling
            first.
    """
    every = frozenset(raised)
    leaks = {each.counter for each in every if each.kind == "leaking"}
    grows = dict.fromkeys(chain.from_iterable(each.memory.grows for each in said.every))
    ordered = [*(name for name in grows if name in leaks), *sorted(leaks.difference(grows))]
    counters = [counter_title(name) for name in ordered]
    parts = ["slows down"] if any(each.kind == "slowdown" for each in every) else []
    if leaks:
        more = f" and {len(counters) - NAMED} more" if len(counters) > NAMED else ""
        parts.append(f"leaks ({', '.join(counters[:NAMED])}{more})")
    return f"it {' and '.join(parts)}"
