"""The runs of an experiment, and what a ruling asks of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, hypot, isnan, log1p
from statistics import fmean, median

from labkit.diagnosis import judgement
from labkit.record import LabkitError, Run, Verdict
from labkit.stats.paired_ratio import PairedRatio, Times, paired_ratio

# Where a rise of a quarter may hide in the interval, a curve is not called flat.
FLAT_BELOW = 0.25


class Played:
    """All runs of one experiment.

    Args:
        rounds: The runs of each round by the name of their play; the first has all of them, a
            later one those that are run more than once.
        stopped: Whether somebody wanted no more of them when one had ended by itself.
    """

    def __init__(self, *rounds: Mapping[str, Run], stopped: bool = False) -> None:
        self.rounds = tuple(dict(each) for each in rounds)
        self.open: list[str] = []  # what was asked of the runs and could not be told
        self._stopped = stopped

    @property
    def runs(self) -> dict[str, Run]:
        """The first run of each play."""
        return self.rounds[0] if self.rounds else {}

    @property
    def stopped(self) -> bool:
        """Whether somebody stopped one of the runs or what comes after it, and wants no more."""
        ended = (run.state.name for each in self.rounds for run in each.values())
        return self._stopped or "stopped" in ended

    def all(self, name: str) -> list[Run]:
        """Return the runs of a play, one of each round."""
        return [each[name] for each in self.rounds if name in each]

    def verdict(self, name: str) -> Verdict:
        """Return the verdict that speaks for the first run of a play.

        Raises:
            LabkitError: If the run has no step.
        """
        return self._verdict(name, self.runs[name])

    def _verdict(self, name: str, run: Run) -> Verdict:
        if not len(run.steps):
            raise LabkitError(f"The run {name!r} has no step to judge: {run.state.reason}")
        return judgement(run).verdict

    def slows(self, name: str) -> bool | None:
        """Tell whether a loop gets slower; None where its runs cannot tell or do not agree."""
        told = {slows(self._verdict(name, run)) for run in self.all(name)}
        return self._agreed(told, name)

    def _agreed(self, told: set[bool | None], of: str) -> bool | None:
        if len(told) == 1 and None not in told:
            return told.pop()
        if of not in self.open:
            self.open.append(of)
        return None

    def failed(self, name: str) -> bool:
        """Tell whether a run of a play ended in an error."""
        return not all(run.state.completed for run in self.all(name))

    def check_ended(self, *names: str) -> None:
        """See that runs came to their end; without a name, all of them.

        Raises:
            LabkitError: If one did not; the sentence has its reason.
        """
        for name in names or self.runs:
            for run in self.all(name):
                if not run.state.completed:
                    reason = run.state.reason
                    raise LabkitError(f"The run {name!r} did not come to its end: {reason}")

    def pairs(self, first: str, second: str) -> PairedRatio:
        """Return how long a step of the second play takes, over one of the first; of all rounds.

        Raises:
            LabkitError: If there are too few rounds to tell.
        """
        both = zip(self.all(first), self.all(second), strict=False)
        pairs = [(one.steps.seconds, other.steps.seconds) for one, other in both]
        return self._ratio(pairs, f"{second} against {first}")

    def turns(self, name: str, column: str, first: float, second: float) -> PairedRatio:
        """Return how long steps take at one value of a column, over those at another.

        A loop that changes its conditions by turns has the same machine for both; each of its
        runs is a pair.

        Raises:
            LabkitError: If there are too few runs or steps to tell.
        """
        pairs = []
        for run in self.all(name):
            values, seconds = self._of(name, run, column), run.steps.seconds
            one, other = (
                [taken for taken, value in zip(seconds, values, strict=True) if value == wanted]
                for wanted in (first, second)
            )
            pairs.append((one, other))
        return self._ratio(pairs, name)

    def _ratio(self, pairs: Sequence[tuple[Times, Times]], of: str) -> PairedRatio:
        found = paired_ratio(pairs)
        if found is None:
            raise LabkitError(f"There is too little of {of} to compare; run the claim again.")
        if not found.different and max(1 / found.low, found.high) > 1 + FLAT_BELOW:
            self.open.append(of)
        return found

    def outgrows(self, first: str, second: str) -> bool | None:
        """Tell whether the second play grows by a larger factor.

        Returns:
            None where it cannot be told, or its rounds do not agree.
        """
        both = zip(self.all(first), self.all(second), strict=False)
        told = {
            outgrows(self._verdict(first, one), self._verdict(second, other)) for one, other in both
        }
        return self._agreed(told, f"{second} against {first}")

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

    def on_gpu(self, name: str) -> bool:
        """Tell whether a run computed on a graphics card."""
        return self.runs[name].environment.get("device") == "gpu"

    def usual_seconds(self, name: str) -> float:
        """Return the median step of a play, without the first tenth of a run; of all its rounds."""
        all_seconds = (self._of(name, run, "seconds") for run in self.all(name))
        return median(median(seconds[len(seconds) // 10 :]) for seconds in all_seconds)

    def mean_seconds(self, name: str) -> float:
        """Return the mean step of a run, spikes and all, without its first tenth."""
        seconds = self._values(name, "seconds")
        return fmean(seconds[len(seconds) // 10 :])

    def _values(self, name: str, column: str) -> Sequence[float]:
        return self._of(name, self.runs[name], column)

    def _of(self, name: str, run: Run, column: str) -> Sequence[float]:
        values = run.values(column)
        # A column that was not measured here is nan, which no comparison would notice.
        if not len(values) or isnan(values[-1]):
            raise LabkitError(f"The run {name!r} has no {column} to go by; run the claim again.")
        return values


def slows(verdict: Verdict) -> bool | None:
    """Tell whether a run got slower; None where that cannot be told."""
    if verdict.slower:
        return True
    if verdict.label in ("too_short", "unsteady") or verdict.growth is None:
        return None
    return None if (verdict.high or 0.0) > FLAT_BELOW else False


def outgrows(first: Verdict, second: Verdict) -> bool | None:
    """Tell whether a run grows by a larger factor than another; None where it cannot be told."""
    factors: list[float] = []
    halves: list[float] = []
    for verdict in (first, second):
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


def faster(found: PairedRatio) -> bool:
    """Tell whether the second one is clearly the faster one."""
    return found.different and found.ratio < 1
