"""Verdict and ledger of a run, for a cell that wants the values; each has its words with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from labkit.diagnosis import judgement
from labkit.record import Ledger, Run, Verdict
from labkit.show.titles import titled
from labkit.show.verdict.verdict_words import verdict_words
from labkit.stats import judge as judge_seconds

# A learner waits no minute for a second run.
SOON_SECONDS = 20.0


@dataclass(frozen=True)
class ToldVerdict(Verdict):
    """A verdict that a reader may ask for its sentence."""

    @property
    def detail(self) -> str:
        """The verdict as one sentence, and what the machine did meanwhile."""
        return verdict_words(self)


def verdict(run: Run | Sequence[float]) -> ToldVerdict:
    """Return the verdict that speaks for a run, or for step times of your own.

    Where toggles were flipped, each stretch between two flips is judged alone; the first one that
    got slower speaks, else the longest.

    Args:
        run: A run, or the seconds of each step, in order.

    Returns:
        The verdict; its ``detail`` is the sentence.

    Raises:
        LabkitError: If it is neither.
    """
    found = judgement(run).verdict if isinstance(run, Run) else judge_seconds(run)
    return ToldVerdict(**{each.name: getattr(found, each.name) for each in fields(Verdict)})


def too_noisy(run: Run) -> bool:
    """Tell whether a run came to its end soon, and its steps varied too much to say anything."""
    soon = sum(run.steps.seconds) <= SOON_SECONDS
    return soon and run.state.completed and judgement(run).verdict.reason == "noise"


def ledger(run: Run) -> Ledger:
    """Return where the growth of a run's steps went, by title; empty where nothing grew."""
    return titled(judgement(run).ledger, run.columns)
