"""A verdict: what the step times say, in codes and numbers; `labkit.show` makes the sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

Label = Literal["flat", "warmup", "slowdown", "shift", "spikes", "speedup", "unsteady", "too_short"]
LABELS: tuple[Label, ...] = get_args(Label)
# ``few_steps`` and ``noise`` are why a run is too short to judge; ``machine``: the machine may have
# made the change, so none is claimed; ``late_rise``: the last steps are slower, too few to judge.
Reason = Literal["few_steps", "noise", "machine", "late_rise"]
HeldBy = Literal["heat", "power", "heat and power"]
# Below it, what the machine did to the steps is the habit of any machine.
WORTH_SAYING = 0.03


@dataclass(frozen=True)
class Spikes:
    """Single long steps that cost enough to be told.

    Args:
        count: How many.
        varies: Whether their period is a mean.
        first_seconds: How long the first is by the trend in them, where they grow or shrink.
        last_seconds: How long the last is.
        rising: How much longer the last may be than the first, 1.0 for twice, where they are too
            few to be sure, or in order all the same; 0 where nothing speaks for it.
    """

    count: int
    varies: bool = False
    first_seconds: float | None = None
    last_seconds: float | None = None
    rising: float = 0.0


@dataclass(frozen=True)
class Wandering:
    """A level that moves up and down and never settles.

    Args:
        lowest_seconds: The lowest level.
        highest_seconds: The highest.
        changes: How often it moves.
    """

    lowest_seconds: float
    highest_seconds: float
    changes: int


@dataclass(frozen=True)
class Later:
    """The steps that came after those in which the loop got slower.

    Args:
        steps: How many.
        seconds: How long one of them typically takes.
        stays: Whether that is the level which the growth ended at.
    """

    steps: int
    seconds: float
    stays: bool


@dataclass(frozen=True)
class Throttling:
    """A graphics card whose clock changed because it was held back; a step may have followed it.

    Args:
        reason: What held it back, as the card says: heat, its power limit, or both.
        first_mhz: Its clock at the start; where it wanders, the highest.
        last_mhz: Its clock at the end; where it wanders, the lowest.
        wanders: Whether it went to and fro, and the end is like the start.
    """

    reason: HeldBy
    first_mhz: float
    last_mhz: float
    wanders: bool = False


@dataclass(frozen=True)
class Part:
    """A part of the steps that gets slower while the others stay.

    Args:
        period: After how many steps it comes again.
        phases: Which of each so many steps belong to it, from 0.
        others_seconds: How long the other steps take.
    """

    period: int
    phases: tuple[int, ...]
    others_seconds: float


@dataclass(frozen=True)
class Verdict:
    """What the step times of a run say.

    Args:
        label: One of `LABELS`.
        growth: Fitted last level over fitted first level after warm-up, minus 1 (0.5 is +50 %);
            None where there were too few steps to say.
        low: Lower end of the 95 % interval of `growth`.
        high: Upper end of it.
        reason: Why no more is said; None where all is.
        steps: How many steps were judged.
        warmup_steps: How many steps at the start were set aside as warm-up.
        needed_steps: How many steps a verdict needs, where there are too few.
        first_seconds: The fitted level after warm-up.
        last_seconds: The fitted level at the end.
        median_seconds: The median step after warm-up; None in a verdict made without steps.
        onset_step: Where a slowdown, shift or speedup begins, where that could be placed.
        spike_period: Steps from spike to spike, where spikes come regularly.
        spike_share: The share of the time that is spent in spikes.
        spike_seconds: How long a typical spike takes; None where there is none.
        spikes: What else there is to say of spikes; None where they cost too little.
        wandering: How an unsteady level moves.
        smallest_growth: The smallest growth this run could have shown.
        part: Which steps get slower while the others stay; None where all do. Everything else is
            then said of those.
        later: What came after an early growth, which alone was judged.
        machine_growth: How much slower the machine itself became from start to end, where a canary
            showed it drifting; None where it did not, or where none was run.
        contended_share: The share of the time that the step's thread was ready and had no
            processor, because others used them; where the system does not count that, the share of
            the steps during which others used processors and none was idle. None where nobody
            looked.
        contention_counted: Whether the system counts it, so that the times are corrected for it.
        throttling: How heat or its power limit changed the graphics card's clock; None where they
            did not, or where the card did not say.
    """

    label: Label
    growth: float | None
    low: float | None
    high: float | None
    reason: Reason | None = None
    steps: int = 0
    warmup_steps: int = 0
    needed_steps: int | None = None
    first_seconds: float | None = None
    last_seconds: float | None = None
    median_seconds: float | None = None
    onset_step: int | None = None
    spike_period: float | None = None
    spike_share: float | None = None
    spike_seconds: float | None = None
    spikes: Spikes | None = None
    wandering: Wandering | None = None
    smallest_growth: float | None = None
    part: Part | None = None
    later: Later | None = None
    machine_growth: float | None = None
    contended_share: float | None = None
    contention_counted: bool = True
    throttling: Throttling | None = None

    @property
    def spike_growth(self) -> float:
        """How much longer the last spike is than the first, 1.0 for twice; 0 where none grow."""
        first, last = (
            (self.spikes.first_seconds, self.spikes.last_seconds) if self.spikes else (0, 0)
        )
        return max(0.0, last / first - 1) if first and last else 0.0

    @property
    def level_seconds(self) -> float | None:
        """How long a step takes about, where it makes sense to give one number."""
        if self.median_seconds or not self.first_seconds or not self.last_seconds:
            return self.median_seconds
        return math.sqrt(self.first_seconds * self.last_seconds)

    @property
    def slower(self) -> bool:
        """Whether the loop got slower, by a trend up or a level up."""
        return self.label in ("slowdown", "shift")

    @property
    def decided(self) -> bool:
        """Whether it could be told if the loop got slower."""
        return self.label not in ("too_short", "unsteady") and self.reason != "machine"

    @property
    def disturbed(self) -> bool:
        """Whether the machine did something to the steps that is worth saying."""
        drift, contention = abs(self.machine_growth or 0.0), self.contended_share or 0.0
        return max(drift, contention) >= WORTH_SAYING or self.throttling is not None
