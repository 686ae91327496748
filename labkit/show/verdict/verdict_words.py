"""A verdict in sentences.

It is handed finished codes and figures and decides nothing; only units and roundings are chosen
here.
"""

from __future__ import annotations

from labkit.record import Verdict, quantity
from labkit.record.verdict import WORTH_SAYING, Part, Spikes, Wandering
from labkit.show.verdict.throttling_words import throttling_words

# From here on "flat" alone would promise too much.
BLIND_GROWTH = 0.25


def verdict_words(verdict: Verdict) -> str:
    """Return what the step times say, and what the machine did to them."""
    return "; ".join(filter(None, (loop_words(verdict), machine_words(verdict))))


def loop_words(verdict: Verdict) -> str:
    """Return what the step times say as a sentence; the label alone where no level is known.

    What the machine did is left out: `labkit.show.verdict.machine` says it once for all verdicts.
    """
    if verdict.label == "too_short":
        return _too_short(verdict)
    if not verdict.first_seconds or not verdict.last_seconds:
        return verdict.label.replace("_", " ")
    said = _level_words(verdict)
    return f"{said}; {_later(verdict)}" if verdict.later else said


def machine_words(verdict: Verdict) -> str:
    """Return what the machine did while the steps were timed; empty where it did nothing."""
    said = []
    growth, share = verdict.machine_growth or 0.0, verdict.contended_share or 0.0
    if abs(growth) >= WORTH_SAYING:
        way = "slower" if growth > 0 else "faster"
        said.append(f"the machine itself became {100 * abs(growth):.0f} % {way}")
    if share >= WORTH_SAYING and verdict.contention_counted:
        said.append(f"other programs took {100 * share:.0f} % of the time (corrected for)")
    elif share >= WORTH_SAYING:
        said.append(
            f"other programs kept all processors busy in {100 * share:.0f} % of the steps, and "
            "this system does not report how much time they took"
        )
    if verdict.throttling is not None:
        said.append(throttling_words(verdict.throttling))
    return "; ".join(said)


def _too_short(verdict: Verdict) -> str:
    """Say that there is too little to judge, or too much noise."""
    said = f"too short: {quantity.steps(verdict.steps - verdict.warmup_steps)}"
    if verdict.warmup_steps:
        said += f" after {quantity.steps(verdict.warmup_steps)} of warm-up"
    if verdict.reason == "noise":
        said += ", and so noisy that even a doubling of the step time could go unnoticed"
    elif verdict.needed_steps is not None:
        said += f", and a verdict needs at least {verdict.needed_steps}"
    return f"{said}; run more steps"


def _level_words(verdict: Verdict) -> str:
    """Say what the level did, and what single long steps cost beside it."""
    if verdict.reason == "machine":
        return _no_change_found(verdict)
    if verdict.label == "spikes" and verdict.spikes:
        return f"{_come(verdict, verdict.spikes)}; between them {_flat(verdict)}"
    if verdict.label == "unsteady" and verdict.wandering:
        said = _wanders(verdict, verdict.wandering)
    elif verdict.label == "flat":
        said = _flat(verdict)
    elif verdict.label == "warmup":
        slow = f"first {verdict.warmup_steps:,} steps are"
        if verdict.warmup_steps == 1:
            slow = "first step is"
        said = f"warm-up: the {slow} slower, then {_flat(verdict)}"
    else:
        said = _changed(verdict)
    if verdict.reason == "late_rise":
        said += "; the last steps are slower; run more steps to see whether that lasts"
    if verdict.spikes:
        said += f"; {_beside(verdict, verdict.spikes)}"
    return said


def _changed(verdict: Verdict) -> str:
    """Say from where to where the level went, and after which step where it went at once."""
    first, last = verdict.first_seconds or 0.0, verdict.last_seconds or 0.0
    scale, unit = scale_of(max(first, last))
    where = _over(verdict)
    if verdict.onset_step is not None:
        where = f"after {verdict.onset_step:,} of {verdict.steps:,} steps"
    if verdict.warmup_steps:
        where += f", after {quantity.steps(verdict.warmup_steps)} of warm-up"
    which: str = verdict.label
    if verdict.part is not None:
        which = f"{verdict.label} in a part of the steps, {_part_words(verdict.part)}"
        others = quantity.duration(verdict.part.others_seconds)
        where += f"; the others stay at {others}"
    return (
        f"{which}: from {number(first * scale)} to {number(last * scale)} {unit} per "
        f"step ({_times(verdict)}) {where}"
    )


def _part_words(part: Part) -> str:
    """Say which steps belong to a part."""
    if len(part.phases) > 1:
        return f"{len(part.phases)} in {part.period}"
    return f"every {('second', 'third', 'fourth')[part.period - 2]}"


def _times(verdict: Verdict) -> str:
    """Say a growth as a factor with its interval."""
    growth, low, high = verdict.growth or 0.0, verdict.low or 0.0, verdict.high or 0.0
    places = ".1f" if 1 + growth >= 2 else ".2f"
    if growth >= 1000:
        places = ".3g"
    return f"{1 + growth:{places}}x, 95 % CI {max(0.0, 1 + low):{places}}-{1 + high:{places}}"


def _flat(verdict: Verdict) -> str:
    """Say the level, and within what it is flat: the far end of the interval.

    Where much could hide, only how much that is: two figures nobody could tell apart.
    """
    level = verdict.level_seconds or 0.0
    scale, unit = scale_of(level)
    typical = f"{number(level * scale)} {unit} per step"
    within, hidden = _within(verdict), hidden_growth(verdict)
    if hidden > BLIND_GROWTH:
        places = ".0f" if hidden < 1000 else ".3g"
        return (
            f"no growth found: {typical} {_over(verdict)}, but step times vary so much that growth "
            f"of up to {100 * hidden:{places}} % could go unnoticed; run more steps"
        )
    percent = f"{100 * within:.0f}" if within >= 0.01 else "1"
    return f"flat: {typical} to within {percent} % {_over(verdict)}"


def hidden_growth(verdict: Verdict) -> float:
    """Return how large a growth could go unnoticed in steps that are called flat; 0.5 is 50 %."""
    return max(verdict.smallest_growth or 0.0, _within(verdict))


def _within(verdict: Verdict) -> float:
    return max(abs(verdict.low or 0.0), abs(verdict.high or 0.0))


def _no_change_found(verdict: Verdict) -> str:
    """Say that a change is no larger than what the machine may have caused."""
    growth, low, high = verdict.growth or 0.0, verdict.low or 0.0, verdict.high or 0.0
    warmup = verdict.warmup_steps
    said = f"warm-up: {quantity.steps(warmup)} slower, then " if warmup else ""
    said += f"no reliable change ({1 + growth:.2f}x, 95 % CI {1 + low:.2f}-{1 + high:.2f})"
    if verdict.spike_period is not None:
        share = f"{100 * (verdict.spike_share or 0.0):.0f} % of the time"
        said = f"spikes: one every {verdict.spike_period:.3g} steps, {share}; {said}"
    if verdict.throttling is not None:
        return f"{said}; run again when the graphics card keeps its clock"
    return f"{said}; rerun on an idle machine"


def _wanders(verdict: Verdict, found: Wandering) -> str:
    """Say that the level moves up and down between two levels."""
    scale, unit = scale_of(found.highest_seconds)
    return (
        f"unsteady: the level moves up and down between {number(found.lowest_seconds * scale)} and "
        f"{number(found.highest_seconds * scale)} {unit} per step ({found.changes} changes) "
        f"{_over(verdict)}; if the machine was busy, run again"
    )


def _come(verdict: Verdict, spikes: Spikes) -> str:
    """Say how spikes come, what they cost and how they grow."""
    steps = verdict.steps - verdict.warmup_steps
    how = f"{spikes.count:,} in {steps:,} steps, at irregular intervals"
    if verdict.spike_period:
        how = f"one {'about ' if spikes.varies else ''}every {verdict.spike_period:.0f} steps"
    said = f"spikes: {how}, {100 * (verdict.spike_share or 0.0):.0f} % of the time"
    if spikes.first_seconds and spikes.last_seconds:
        first, last = spikes.first_seconds, spikes.last_seconds
        way = "longer" if last > first else "shorter"
        scale, unit = scale_of(max(first, last))
        times = last / first
        said += (
            f", and they get {way}, from {number(first * scale)} to {number(last * scale)} "
            f"{unit} ({times:.{1 if times >= 2 else 2}f}x)"
        )
    return said


def _beside(verdict: Verdict, spikes: Spikes) -> str:
    """Say what single long steps cost, to be put behind a level that they leave alone."""
    which = f"{spikes.count} outlier steps account"
    if spikes.count == 1:
        which = "1 outlier step accounts"
    if verdict.spike_period is not None:
        which = f"a spike every {verdict.spike_period:.3g} steps accounts"
    return f"{which} for {100 * (verdict.spike_share or 0.0):.0f} % of the time"


def _later(verdict: Verdict) -> str:
    """Say what came after an early growth."""
    assert verdict.later is not None
    later = verdict.later
    if later.stays:
        return f"it stays like that for {later.steps:,} more steps"
    return f"the {later.steps:,} steps after them take {quantity.duration(later.seconds)} each"


def _over(verdict: Verdict) -> str:
    return f"over {verdict.steps - verdict.warmup_steps:,} steps"


def scale_of(seconds: float) -> tuple[float, str]:
    """Return what to multiply seconds with, and the unit they then are in."""
    if seconds < 1e-4:
        return 1e6, "us"
    return (1e3, "ms") if seconds < 1 else (1.0, "s")


def number(value: float) -> str:
    """Write a level so that a change of a few percent shows."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.2f}"
