"""The runs of an experiment, and what a ruling asks of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, hypot, isnan, log1p
from statistics import fmean, median

from labkit.diagnosis import judgement
from labkit.record import LabkitError, Run, Verdict, quantity
from labkit.show.verdict_words import loop_words
from labkit.show.words import STATE_WORDS
from labkit.stats.ratio import Ratio, ratio

# Where a rise of a quarter may hide in the interval, a curve is not called flat.
FLAT_BELOW = 0.25


class Played:
    """All runs of one experiment.

    Args:
        runs: By the name of their play.
        stopped: Whether somebody wanted no more of them when one had ended by itself.
    """

    def __init__(self, runs: Mapping[str, Run], *, stopped: bool = False) -> None:
        self.runs = dict(runs)
        self._stopped = stopped

    @property
    def stopped(self) -> bool:
        """Whether somebody stopped one of the runs or what comes after it, and wants no more."""
        return self._stopped or any(run.state.name == "stopped" for run in self.runs.values())

    def verdict(self, name: str) -> Verdict:
        """Return the verdict that speaks for a run.

        Raises:
            LabkitError: If the run has no step.
        """
        run = self.runs[name]
        if not len(run.steps):
            raise LabkitError(f"The run {name!r} has no step to judge: {run.state.reason}")
        return judgement(run).verdict

    def told(self, name: str) -> str:
        """Return the verdict of a run as a sentence, or how the run failed."""
        run = self.runs[name]
        return loop_words(self.verdict(name)) if len(run.steps) else run.state.reason

    def slows(self, name: str) -> bool | None:
        """Tell whether a run got slower; None where it cannot be told."""
        verdict = self.verdict(name)
        if verdict.slower:
            return True
        if verdict.label == "too_short" or verdict.growth is None:
            return None
        if verdict.label == "unsteady":
            return None
        return None if (verdict.high or 0.0) > FLAT_BELOW else False

    def failed(self, name: str) -> bool:
        """Tell whether a run ended in an error."""
        return not self.runs[name].state.completed

    def check_ended(self, *names: str) -> None:
        """See that runs came to their end; without a name, all of them.

        Raises:
            LabkitError: If one did not; the sentence has its reason.
        """
        for name in names or self.runs:
            if self.failed(name):
                reason = self.runs[name].state.reason
                raise LabkitError(f"The run {name!r} did not come to its end: {reason}")

    def ratio(self, first: str, second: str) -> Ratio:
        """Return how long a step of the second run takes, over one of the first."""
        both = [self.runs[name].steps.seconds for name in (first, second)]
        if not all(map(len, both)):
            raise LabkitError(f"{first} or {second} has no step to compare; run the claim again.")
        return ratio(both[0], both[1])

    def ratio_within(self, name: str, column: str, first: float, second: float) -> Ratio:
        """Return how long steps take at one value of a column, over those at another.

        A loop that changes its conditions by turns has the same machine for both.
        """
        values, seconds = self._values(name, column), self.runs[name].steps.seconds
        both = [
            [taken for taken, value in zip(seconds, values, strict=True) if value == wanted]
            for wanted in (first, second)
        ]
        if not all(both):
            raise LabkitError(f"The run {name!r} has no steps to compare; run the claim again.")
        return ratio(both[0], both[1])

    def outgrows(self, first: str, second: str) -> bool | None:
        """Tell whether the second run grows by a larger factor; None where it cannot be told."""
        factors: list[float] = []
        halves: list[float] = []
        for verdict in (self.verdict(first), self.verdict(second)):
            growth, low, high = verdict.growth, verdict.low, verdict.high
            if growth is None or low is None or high is None:
                return None
            factors.append(1 + growth)
            halves.append((log1p(max(high, -0.99)) - log1p(max(low, -0.99))) / 2)
        # As for a ratio of two levels, the intervals are joined on the scale of logarithms.
        more, doubt = factors[1] / factors[0], exp(hypot(*halves))
        if more > doubt:
            return True
        return False if more * doubt < 1 + FLAT_BELOW else None

    def rise(self, name: str, counter: str) -> float:
        """Return how much a counter rose after the first step."""
        values = self._values(name, counter)
        return values[-1] - values[0]

    def last(self, name: str, counter: str) -> float:
        """Return a counter after the last step."""
        return self._values(name, counter)[-1]

    def highest(self, name: str, column: str) -> float:
        """Return the largest value of a column."""
        return max(self._values(name, column))

    def fifths(self, name: str, column: str) -> tuple[float, float]:
        """Return the medians of a column's first and last fifth, without the first step."""
        values = self._values(name, column)[1:] or self._values(name, column)
        fifth = max(1, len(values) // 5)
        return median(values[:fifth]), median(values[-fifth:])

    def typical(self, name: str, column: str) -> float:
        """Return the median of a column, without the first tenth of the run."""
        values = self._values(name, column)
        return median(values[-(-len(values) // 10) :] or values)

    def reached(self, name: str, counter: str, rise: float) -> int | None:
        """Return the first step after which a counter had risen by so much; None for never."""
        values = self._values(name, counter)
        return next((step for step, each in enumerate(values) if each - values[0] >= rise), None)

    def ending(self, name: str) -> str:
        """Return how a run ended, in a few words: the error that ended it, or that none did."""
        run = self.runs[name]
        after = f" after {quantity.steps(len(run.steps))}" if len(run.steps) else ""
        if run.state.completed:
            return f"without an error{after}"
        return f"{run.state.error or STATE_WORDS[run.state.name]}{after}"

    def on_gpu(self, name: str) -> bool:
        """Tell whether a run computed on a graphics card."""
        return self.runs[name].environment.get("device") == "gpu"

    def usual_seconds(self, name: str) -> float:
        """Return the median step of a run, without its first tenth."""
        seconds = self._values(name, "seconds")
        return median(seconds[len(seconds) // 10 :])

    def mean_seconds(self, name: str) -> float:
        """Return the mean step of a run, spikes and all, without its first tenth."""
        seconds = self._values(name, "seconds")
        return fmean(seconds[len(seconds) // 10 :])

    def _values(self, name: str, column: str) -> Sequence[float]:
        values = self.runs[name].values(column)
        # A column that was not measured here is nan, which no comparison would notice.
        if not len(values) or isnan(values[-1]):
            raise LabkitError(f"The run {name!r} has no {column} to go by; run the claim again.")
        return values

    def usual(self, name: str) -> str:
        """Return the median step of a run in words."""
        return f"{quantity.duration(self.usual_seconds(name))} per step"


def interval(found: Ratio) -> str:
    """Return a ratio with its interval in words."""
    if found.ratio is None:
        return "too few steps to compare"
    return f"{found.ratio:.3g}x (95 % CI {found.low:.3g}-{found.high:.3g})"


def faster(found: Ratio) -> bool:
    """Tell whether the second run is clearly the faster one."""
    return found.different and (found.ratio or 1.0) < 1
