"""A verdict in one sentence.

It is handed finished figures and decides nothing; only units and roundings are chosen here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figures:
    """What a sentence may speak of.

    Args:
        steps: How many steps were judged, warm-up included.
        warmup: How many of them were warm-up.
        first: The first level, in seconds.
        last: The last level, in seconds.
        growth: Last over first, minus 1.
        low: Lower end of its 95 % interval.
        high: Upper end of it.
    """

    steps: int
    warmup: int
    first: float
    last: float
    growth: float
    low: float
    high: float

    def changed(self, word: str, *, onset: int | None = None) -> str:
        """Say from where to where the level went; `onset` where it went at once."""
        scale, unit = scale_of(max(self.first, self.last))
        where = f"over {self.steps - self.warmup} steps"
        if onset is not None:
            where = f"after {onset} of {self.steps} steps"
        after = f", after {counted(self.warmup)} of warm-up" if self.warmup else ""
        return (
            f"{word}: from {number(self.first * scale)} to {number(self.last * scale)} {unit} a "
            f"step ({self.times()}) {where}{after}"
        )

    def times(self) -> str:
        """Say the growth as a factor with its interval."""
        places = 1 if 1 + self.growth >= 2 else 2
        low, high = max(0.0, 1 + self.low), 1 + self.high
        return f"x {1 + self.growth:.{places}f}, 95 % {low:.{places}f}-{high:.{places}f}"

    def flat(self) -> str:
        """Say the level, and within what it is flat: the far end of the interval."""
        level = (self.first * self.last) ** 0.5
        scale, unit = scale_of(level)
        within = 100 * max(abs(self.low), abs(self.high))
        percent = f"{within:.0f}" if within >= 1 else "1"
        return (
            f"flat: {number(level * scale)} {unit} a step to within {percent} % "
            f"over {self.steps - self.warmup} steps"
        )

    def warm(self) -> str:
        """Say how long the warm-up was and what came then."""
        verb = "is" if self.warmup == 1 else "are"
        first = "first step" if self.warmup == 1 else f"first {self.warmup} steps"
        return f"warm-up: the {first} {verb} slower, then {self.flat()}"

    def wandering(self, lowest: float, highest: float, changes: int) -> str:
        """Say that the level moves up and down between two levels, in seconds."""
        scale, unit = scale_of(highest)
        return (
            f"unsteady: the level moves up and down between {number(lowest * scale)} and "
            f"{number(highest * scale)} {unit} a step ({changes} changes) "
            f"over {self.steps - self.warmup} steps; if the machine was busy, run again"
        )


def no_change_found(warmup: int, growth: float, low: float, high: float) -> str:
    """Say that a change is no larger than what the machine can have made."""
    slow = f"warm-up: {counted(warmup)} slower, then flat" if warmup else "flat"
    return (
        f"{slow} as far as this machine tells: x {1 + growth:.2f}, 95 % {1 + low:.2f}-"
        f"{1 + high:.2f}; run again when it is quieter for a closer look"
    )


def spikes(
    count: int, steps: int, period: float | None, share: float, rest: str, *, about: bool = False
) -> str:
    """Say how the spikes come and what they cost, then what lies between them.

    `about` says that the period is a mean.
    """
    how = f"{count} in {steps} steps, irregular"
    if period:
        how = f"one {'about ' if about else ''}every {period:.0f} steps"
    return f"spikes: {how}, {100 * share:.0f} % of all time; between them {rest}"


def regular_spikes(period: float, share: float, rest: str) -> str:
    """Say how regular spikes come and what they cost, then what lies between them."""
    return f"spikes: one every {period:.3g} steps, {100 * share:.0f} % of all time; {rest}"


def beside(count: int, share: float, period: float | None) -> str:
    """Say what single long steps cost, to be put behind a level that they leave alone."""
    which = "1 rare giant step takes" if count == 1 else f"{count} rare giant steps take"
    if period is not None:
        which = f"a spike every {period:.3g} steps takes"
    return f"; {which} {100 * share:.0f} % of all time"


def too_short(steps: int, needed: int, warmup: int = 0) -> str:
    """Say that there is too little to judge."""
    after = f" after {counted(warmup)} of warm-up" if warmup else ""
    return (
        f"too short: {counted(steps)}{after}, at least {needed} are needed to say anything; "
        "run more steps"
    )


def counted(steps: int) -> str:
    """Return ``1 step``, ``2 steps``."""
    return "1 step" if steps == 1 else f"{steps} steps"


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
