"""The runs of an experiment, and what a ruling asks of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from labkit.diagnosis import judgement
from labkit.record import LabkitError, Run, Verdict, quantity
from labkit.stats.ratio import Ratio, ratio

# Where a rise of a quarter may hide in the interval, a curve is not called flat.
FLAT_BELOW = 0.25


class Played:
    """All runs of one experiment.

    Args:
        runs: By the name of their play.
    """

    def __init__(self, runs: Mapping[str, Run]) -> None:
        self.runs = dict(runs)

    def verdict(self, name: str) -> Verdict:
        """Return the verdict that speaks for a run.

        Raises:
            LabkitError: If the run has no step.
        """
        run = self.runs[name]
        if not len(run.steps):
            raise LabkitError(f"The run {name!r} has no step to judge: {run.state.reason}")
        return judgement(run).main

    def told(self, name: str) -> str:
        """Return the verdict of a run as a sentence, or how the run failed."""
        run = self.runs[name]
        return self.verdict(name).loop_detail if len(run.steps) else run.state.reason

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

    def ratio(self, first: str, second: str) -> Ratio:
        """Return how long a step of the second run takes, over one of the first."""
        both = [self.runs[name].steps.seconds for name in (first, second)]
        if not all(map(len, both)):
            raise LabkitError(f"{first} or {second} has no step to compare; run the claim again.")
        return ratio(both[0], both[1])

    def rise(self, name: str, counter: str) -> float:
        """Return how much a counter rose after the first step."""
        values = self._values(name, counter)
        return values[-1] - values[0]

    def last(self, name: str, counter: str) -> float:
        """Return a counter after the last step."""
        return self._values(name, counter)[-1]

    def usual_seconds(self, name: str) -> float:
        """Return the median step of a run, without its first tenth."""
        seconds = self._values(name, "seconds")
        return median(seconds[len(seconds) // 10 :])

    def _values(self, name: str, column: str) -> Sequence[float]:
        steps = self.runs[name].steps
        if not len(steps) or column not in steps.names:
            raise LabkitError(f"The run {name!r} has no {column} to go by; run the claim again.")
        return steps.column(column)

    def usual(self, name: str) -> str:
        """Return the median step of a run in words."""
        return f"{quantity.duration(self.usual_seconds(name))} a step"


def interval(found: Ratio) -> str:
    """Return a ratio with its interval in words."""
    if found.ratio is None:
        return "too few steps to compare"
    return f"x {found.ratio:.3g} (95 % {found.low:.3g}-{found.high:.3g})"
