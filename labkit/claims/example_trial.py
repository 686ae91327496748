"""What an example of the posts did when it was run, as it was posted and repaired."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from labkit.claims.example import Example
from labkit.claims.played import Played
from labkit.claims.words import times, whole
from labkit.record import LabkitError
from labkit.stats.paired_ratio import PairedRatio

EndName = Literal["error", "slower", "not slower", "cannot tell here"]


@dataclass(frozen=True)
class Ended:
    """What came of one loop of an example.

    Args:
        name: ``error``, ``slower``, ``not slower``, or ``cannot tell here``.
        short: The same in a few words, with the error's class or with how much slower it got.
        told: The same in a sentence.
        error: The class of the error; empty where the loop raised none.
    """

    name: EndName
    short: str
    told: str
    error: str = ""


@dataclass(frozen=True)
class ExampleTried:
    """An example after its runs.

    Args:
        example: What was run.
        played: Its runs, ``posted`` and, where there is one, ``repaired``.
        refused: Why one of them could not be started; empty where all were.
    """

    example: Example
    played: Played
    refused: str = ""

    @property
    def ended(self) -> dict[str, Ended]:
        """What came of each loop that was run, by ``posted`` and ``repaired``."""
        return {name: self._ended(name) for name in self.played.runs}

    def _ended(self, name: str) -> Ended:
        run = self.played.runs[name]
        if run.state.name == "failed":
            error = run.state.error or "an error"
            return Ended("error", f"ends in {error}", run.state.reason, error)
        if not run.state.completed or not len(run.steps):
            told = run.state.reason or "It has no step."
            return Ended("cannot tell here", "cannot tell here", told)
        told = whole(self.played, name)
        slows = self.played.slows(name)
        if slows is None:
            return Ended("cannot tell here", "cannot tell here", told)
        if not slows:
            return Ended("not slower", "does not slow down", told)
        growth = self.played.verdict(name).growth
        grown = f", {1 + growth:.3g}x" if growth is not None else ""
        return Ended("slower", f"slows down{grown}", told)

    @property
    def ratio(self) -> PairedRatio | None:
        """How long a step takes as posted, over one of the repaired loop.

        None where one of them is missing or did not come to its end.
        """
        names = list(self.played.runs)
        if len(names) < 2 or any(map(self.played.failed, names)):
            return None
        try:
            return self.played.pairs("repaired", "posted")
        except LabkitError:
            return None

    @property
    def compared(self) -> str:
        """The ratio in a sentence; empty where there is none."""
        found = self.ratio
        if found is None:
            return ""
        takes = f"step as posted takes {times(found)}, compared with a repaired one"
        return f"A {takes}." if found.different else f"No reliable difference: a {takes}."

    @property
    def surprise(self) -> str:
        """What is not as `Example.today` says, in a sentence; empty where nothing is."""
        expected, ended = self.example.error, self.ended.get("posted")
        if ended is None or ended.error == expected:
            return ""
        if not expected:
            return f"Elsewhere it ended in no error; here it ended in {ended.error}."
        if ended.name == "cannot tell here":
            return ""
        return f"Elsewhere it ended in {expected}; here in {ended.error or 'no error'}."
