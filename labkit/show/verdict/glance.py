"""A diagnosis at a glance: the newest verdict in eight words, and the colour they have."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import fmean, median

from labkit.record import Diagnosis, Event, State, Verdict, quantity
from labkit.record.plain_text import one_line
from labkit.record.verdict import WORTH_SAYING
from labkit.show import words
from labkit.show.verdict.verdict_words import BLIND_GROWTH, hidden_growth, number, scale_of

TONES = {
    "slowdown": "slower", "shift": "slower", "speedup": "faster", "flat": "even", "warmup": "even",
}  # fmt: skip
MOST_WORDS = 8
# After a flip the words of the stretch before stay for so long; then they would be of another loop.
BEGUN_SECONDS = 1.0
# TensorFlow's name for it, and Python's.
OUT_OF_MEMORY = ("ResourceExhaustedError", "MemoryError")
# A level known better than that looks flat, whatever smaller change the machine may hide.
WIDE = 1.25
# With so much of the time in spikes, the pace of the steps between them is no headline.
MOST_OF_TIME = 0.5
# Where noise could hide so large a growth, the next second may show it.
HIDES = 1.5
# Two levels further apart than a shared machine moves them by itself: 1.4x was seen within seconds.
FLIPPED = 1.5
# In logarithms: so many times as far a flip leads as the steps go after it.
SMALL_BESIDE = 3
# Of fewer steps before a flip nothing is told.
FEWEST_TOLD = 5
# The smaller of two levels, as a share of the larger one, that is still told in its unit.
ONE_UNIT = 0.01


def headline(value: Diagnosis) -> str:
    """Return the newest verdict in eight words at most; of a stretch just begun the one before.

    After a flip that leads to another level, both levels are told; where one of them is a comb,
    what a step takes on average.
    """
    return _headline(value)[0]


def headline_tone(value: Diagnosis) -> str:
    """Return how the headline is coloured; as `tone`."""
    return _headline(value)[1]


def _headline(value: Diagnosis) -> tuple[str, str]:
    judged = [place for place, each in enumerate(value.verdicts) if each.label != "too_short"]
    if not judged:
        return "too few steps to judge yet" if value.verdicts else "", "open"
    if begun := _just_begun(value):
        said = f"{_said(begun)}: too few steps yet"
        return said if len(said.split()) <= MOST_WORDS else "too few steps to judge yet", "open"
    newest = judged[-1]
    verdict = value.verdicts[newest]
    if newest:
        flip = _flip(value, value.stretches[newest].start)
        earlier = value.verdicts[newest - 1]
        after, within = verdict.level_seconds, _within(verdict)
        before, average = _before(value, newest - 1)
        averages = average, _average(verdict)
        averaged = (is_comb(earlier) or is_comb(verdict)) and None not in averages
        if averaged:
            (before, after), within = averages, 1.0
        # What the steps do within the stretch is told where it is not small beside the flip: a
        # busy machine makes them 2x slower, or some longer, after a flip that made them 90x faster.
        least = FLIPPED * within**SMALL_BESIDE
        if flip and before and after and max(before / after, after / before) >= least:
            way = "slower" if after > before else "faster"
            return _after_flip(flip, before, after, way, averaged=averaged), way
    return _of_one(verdict), tone(verdict)


def _just_begun(value: Diagnosis) -> Event | None:
    """Return the newest flip if what comes after it is too short to judge, and takes its time."""
    newest = value.stretches[-1]
    seconds = math.fsum(value.judged.steps.seconds[newest.start : newest.end])
    if value.verdicts[-1].label != "too_short" or seconds < BEGUN_SECONDS:
        return None
    return _flip(value, newest.start)


def _before(value: Diagnosis, place: int) -> tuple[float | None, float | None]:
    """Return the last level of a stretch and the average; of one too short to judge, its steps'.

    Of the stretch before that one nothing may be told: its toggles were others.
    """
    verdict, stretch = value.verdicts[place], value.stretches[place]
    if verdict.label != "too_short":
        return verdict.last_seconds, _average(verdict)
    seconds = value.judged.steps.seconds[max(stretch.start, 1) : stretch.end]
    if len(seconds) < FEWEST_TOLD:
        return None, None
    return median(seconds), fmean(seconds)


def _average(verdict: Verdict) -> float | None:
    """Return what a step takes on average; None of spikes of which that is not known."""
    level, period, spike = verdict.level_seconds, verdict.spike_period, verdict.spike_seconds
    if not is_comb(verdict) or level is None:
        return level
    return None if not period or not spike else level + (spike - level) / period


def _within(verdict: Verdict) -> float:
    """Return the factor between the levels of a stretch; infinite where spikes are the lesson."""
    first, last, told = verdict.first_seconds, verdict.last_seconds, tone(verdict)
    if told == "spikes":
        return math.inf if verdict.spike_period is not None else FLIPPED
    if told not in ("slower", "faster") or not first or not last:
        return 1.0
    return max(first / last, last / first)


def failure(state: State, count: int) -> str:
    """Return how a run of `count` steps ended that failed, in eight words at most."""
    if state.name != "failed" or not state.error:
        return words.state(replace(state, reason=""), count)
    what = "out of memory" if state.error in OUT_OF_MEMORY else one_line(state.error, 40)
    return f"{what} after {quantity.steps(count)}"


def tone(verdict: Verdict) -> str:
    """Return how a verdict is coloured: slower, faster, even, spikes or open."""
    if is_comb(verdict):
        return "spikes"
    if undecided(verdict) or verdict.label == "spikes":  # such as may be the machine's
        return "open"
    told = TONES.get(verdict.label, "open")
    # Green over "growth of up to 34 % could go unnoticed" would be sure of what nobody knows.
    return "open" if told == "even" and hidden_growth(verdict) > BLIND_GROWTH else told


def is_comb(verdict: Verdict) -> bool:
    """Tell whether spikes are what one is to see, and not the pace of the steps between them."""
    held = verdict.spike_period is not None and (verdict.spike_share or 0.0) > MOST_OF_TIME
    by_machine = verdict.reason == "machine" and not verdict.contention_counted
    if held and not verdict.slower and not by_machine:
        return True
    # Irregular ones beside other programs are an alarm that a repaired loop does not deserve.
    busy = verdict.spike_period is None and (verdict.contended_share or 0.0) >= WORTH_SAYING
    return verdict.label == "spikes" and not undecided(verdict) and not busy


def undecided(verdict: Verdict) -> bool:
    """Tell whether noise or the machine hides a change that one would see in the chart."""
    by_machine = verdict.reason == "machine"
    if not by_machine and TONES.get(verdict.label) != "even":
        return False
    if verdict.low is None or verdict.high is None:
        return by_machine
    apart = max(1 + verdict.high, 1 / max(1 + verdict.low, 1e-9))
    if by_machine:
        return apart >= WIDE
    return max(apart, 1 + (verdict.smallest_growth or 0.0)) >= HIDES


def times(verdict: Verdict) -> str:
    """Say how many times as long the last step is as the first, or the first as the last."""
    return _factor((verdict.last_seconds or 1.0) / (verdict.first_seconds or 1.0))


def no_growth(verdict: Verdict) -> str:
    """Say that a loop is flat, or where more could hide, that no growth was found."""
    return "no growth found" if hidden_growth(verdict) > BLIND_GROWTH else "flat"


def spikes(verdict: Verdict) -> str:
    """Say how spikes come, in a few words."""
    if verdict.spike_period is None:
        return "irregular spikes"
    return f"spikes every {verdict.spike_period:.0f} steps"


def _of_one(verdict: Verdict) -> str:
    first, last, seconds = verdict.first_seconds, verdict.last_seconds, verdict.level_seconds
    if not first or not last or seconds is None:
        hidden = undecided(verdict)
        return "unclear: the machine was busy" if hidden else verdict.label.replace("_", " ")
    level = duration(seconds)
    if is_comb(verdict):
        return _comb(verdict, level)
    if undecided(verdict):
        # How long a step takes is known, and after a flip it is the lesson.
        return f"about {level} per step, growth unclear"
    if verdict.label in ("slowdown", "shift", "speedup"):
        way = "slower" if verdict.slower else "faster"
        return f"{times(verdict)} {way}: {_from_to(first, last)} per step"
    if verdict.label == "unsteady":
        return f"unsteady, about {level} per step"
    if verdict.label == "spikes":
        return f"about {level} per step, {spikes(verdict)}"
    flat = no_growth(verdict)
    return f"{flat} at {level} per step" if flat == "flat" else f"{flat}, about {level} per step"


def _comb(verdict: Verdict, level: str) -> str:
    """Say how long a spike takes and how often one comes: that is what is seen of a comb."""
    if not verdict.spike_seconds:
        return f"{spikes(verdict)}, between them {level}"
    spike = duration(verdict.spike_seconds)
    if verdict.spike_period is None:
        return f"irregular spikes of {spike}, else {level}"
    return f"{spike} every {verdict.spike_period:.0f} steps, else {level}"


def _flip(value: Diagnosis, start: int) -> Event | None:
    """Return the flip at which a stretch begins."""
    flips = [each for each in value.judged.events if each.kind == "toggle" and each.step == start]
    return flips[-1] if flips else None


def _after_flip(flip: Event, before: float, after: float, way: str, *, averaged: bool) -> str:
    """Say both levels and how far they are apart."""
    levels, factor = _from_to(before, after), _factor(after / before)
    said = f"{_said(flip)}: {levels}, {factor} {way}"
    if averaged:
        return f"{factor} {way} on average: {levels}"
    return said if len(said.split()) <= MOST_WORDS else f"{factor} {way}: {levels}"


def _said(flip: Event) -> str:
    return flip.text.replace("_", " ")


def _from_to(first: float, last: float) -> str:
    """Write two levels; the unit once where that keeps the smaller one readable."""
    scale, unit = scale_of(max(first, last))
    if min(first, last) < ONE_UNIT * max(first, last) and scale * min(first, last) < 0.1:
        return f"{duration(first)} to {duration(last)}"
    return f"{number(first * scale)} to {number(last * scale)} {unit}"


def duration(seconds: float) -> str:
    """Write a level with its unit."""
    scale, unit = scale_of(seconds)
    return f"{number(seconds * scale)} {unit}"


def _factor(ratio: float) -> str:
    factor = max(ratio, 1 / ratio)
    if factor >= 100:
        return f"{factor:,.0f}x"
    return f"{factor:.1f}x" if factor >= 2 else f"{factor:.2f}x"
