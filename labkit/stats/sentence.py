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
        hidden: The growth that could hide among the steps, where "flat" alone would promise too
            much.
    """

    steps: int
    warmup: int
    first: float
    last: float
    growth: float
    low: float
    high: float
    hidden: float | None = None

    def changed(self, word: str, *, onset: int | None = None) -> str:
        """Say from where to where the level went; `onset` where it went at once."""
        scale, unit = scale_of(max(self.first, self.last))
        where = f"over {self.steps - self.warmup:,} steps"
        if onset is not None:
            where = f"after {onset:,} of {self.steps:,} steps"
        after = f", after {counted(self.warmup)} of warm-up" if self.warmup else ""
        return (
            f"{word}: from {number(self.first * scale)} to {number(self.last * scale)} {unit} a "
            f"step ({times(self.growth, self.low, self.high)}) {where}{after}"
        )

    def flat(self) -> str:
        """Say the level, and within what it is flat: the far end of the interval.

        Where much could hide, only how much that is: two figures nobody could tell apart.
        """
        level = (self.first * self.last) ** 0.5
        scale, unit = scale_of(level)
        typical = f"{number(level * scale)} {unit} a step"
        over = f"over {self.steps - self.warmup:,} steps"
        if self.hidden is not None:
            places = ".0f" if self.hidden < 1000 else ".3g"
            return (
                f"flat as far as one can tell: {typical} {over}, but these scatter so much that "
                f"a growth of up to {100 * self.hidden:{places}} % could hide among them; "
                "run more steps"
            )
        within = 100 * max(abs(self.low), abs(self.high))
        percent = f"{within:.0f}" if within >= 1 else "1"
        return f"flat: {typical} to within {percent} % {over}"

    def warm(self) -> str:
        """Say how long the warm-up was and what came then."""
        verb = "is" if self.warmup == 1 else "are"
        first = "first step" if self.warmup == 1 else f"first {self.warmup:,} steps"
        return f"warm-up: the {first} {verb} slower, then {self.flat()}"

    def wandering(self, lowest: float, highest: float, changes: int) -> str:
        """Say that the level moves up and down between two levels, in seconds."""
        scale, unit = scale_of(highest)
        return (
            f"unsteady: the level moves up and down between {number(lowest * scale)} and "
            f"{number(highest * scale)} {unit} a step ({changes} changes) "
            f"over {self.steps - self.warmup:,} steps; if the machine was busy, run again"
        )


def times(growth: float, low: float, high: float) -> str:
    """Say a growth as a factor with its interval; arguments as in `Figures`."""
    places = ".1f" if 1 + growth >= 2 else ".2f"
    if growth >= 1000:
        places = ".3g"
    return f"x {1 + growth:{places}}, 95 % {max(0.0, 1 + low):{places}}-{1 + high:{places}}"


def no_change_found(warmup: int, growth: float, low: float, high: float) -> str:
    """Say that a change is no larger than what the machine can have made."""
    slow = f"warm-up: {counted(warmup)} slower, then flat" if warmup else "flat"
    return (
        f"{slow} as far as this machine tells: x {1 + growth:.2f}, 95 % {1 + low:.2f}-"
        f"{1 + high:.2f}; run again when it is quieter for a closer look"
    )


@dataclass(frozen=True)
class Spikes:
    """How spikes come.

    Args:
        count: How many.
        steps: In how many steps.
        share: Their share of all time.
        period: Steps from spike to spike, where they come regularly.
        about: Whether the period is a mean.
        grown: The seconds of the first and of the last, where they grow or shrink.
    """

    count: int
    steps: int
    share: float
    period: float | None = None
    about: bool = False
    grown: tuple[float, float] | None = None

    def between(self, rest: str) -> str:
        """Say how they come, what they cost and how they grow, then what lies between them."""
        how = f"{self.count:,} in {self.steps:,} steps, irregular"
        if self.period:
            how = f"one {'about ' if self.about else ''}every {self.period:.0f} steps"
        said = f"spikes: {how}, {100 * self.share:.0f} % of all time"
        if self.grown:
            first, last = self.grown
            way = "longer" if last > first else "shorter"
            scale, unit = scale_of(max(self.grown))
            times = last / first
            said += (
                f", and they become {way}, from {number(first * scale)} to {number(last * scale)} "
                f"{unit} (x {times:.{1 if times >= 2 else 2}f})"
            )
        return f"{said}; between them {rest}"


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


def too_noisy(steps: int, warmup: int = 0) -> str:
    """Say that the steps scatter too much to judge."""
    after = f" after {counted(warmup)} of warm-up" if warmup else ""
    return (
        f"too short: {counted(steps)}{after} that scatter so much that the last could be twice as "
        "slow as the first and not show it; run more steps"
    )


def counted(steps: int) -> str:
    """Return ``1 step``, ``2 steps``."""
    return "1 step" if steps == 1 else f"{steps:,} steps"


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
