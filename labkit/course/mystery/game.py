"""The mystery loops as a game: evidence has a price, the answer is scored against the truth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from labkit.bench.starting import is_whole
from labkit.course.mystery import loop
from labkit.record import ChoiceError, LabkitError

POINTS = 100
# What says more costs more; the curve is free.
PRICES = {"verdict": 5, "machine": 5, "memory": 10, "counters": 15, "ledger": 25, "diagnosis": 60}
ANSWERS = tuple(loop.SLIPS)
MOST_SEED = 1_000_000
WRAPPER = """from labkit.course.mystery.loop import mystery_step


def make_step():
    return mystery_step({seed!r})
"""


def mystery_source(seed: int) -> str:
    """Return Python that defines the ``make_step`` of a seed's loop.

    Raises:
        LabkitError: If the seed is no whole number from 0 to a million.
    """
    if not is_whole(seed) or not 0 <= seed <= MOST_SEED:
        raise LabkitError(
            f"seed = {seed!r} is not allowed; choose a whole number from 0 to {MOST_SEED:,}."
        )
    return WRAPPER.format(seed=int(seed))


def check_evidence(evidence: str) -> None:
    """Raise a ChoiceError if there is no such evidence."""
    if evidence not in PRICES:
        raise ChoiceError("evidence", evidence, PRICES)


@dataclass(frozen=True)
class Score:
    """What an answer is worth.

    Args:
        truth: What was hidden; empty where nothing was.
        said: What was answered.
        spent: Points paid for evidence.
        share: The overlap of both: what is in both over what is in either; 1 where both are empty.
    """

    truth: tuple[str, ...]
    said: tuple[str, ...]
    spent: int
    share: float

    @property
    def points(self) -> int:
        """What is left of the points, times the share that was right."""
        return round((POINTS - self.spent) * self.share)


class Mystery:
    """One mystery: what was looked at so far, and the answer.

    Args:
        seed: Which one.
    """

    def __init__(self, seed: int) -> None:
        mystery_source(seed)
        self.seed = seed
        self.looked: tuple[str, ...] = ()
        self.score: Score | None = None

    @property
    def spent(self) -> int:
        """Points paid so far; nothing costs more than all there is."""
        return min(POINTS, sum(PRICES[name] for name in self.looked))

    def look(self, evidence: str) -> None:
        """Pay for a piece of evidence; what was paid for, or comes after the answer, is free.

        Raises:
            ChoiceError: If there is no such evidence.
        """
        check_evidence(evidence)
        if evidence not in self.looked and self.score is None:
            self.looked = (*self.looked, evidence)

    def accuse(self, causes: Iterable[str]) -> Score:
        """Answer; only the first answer counts.

        Args:
            causes: What is hidden, of `ANSWERS`; none says that nothing is wrong.

        Raises:
            ChoiceError: If one is none of the answers.
        """
        said = tuple(dict.fromkeys(causes))
        for cause in said:
            if cause not in ANSWERS:
                raise ChoiceError("answer", cause, ANSWERS)
        if self.score is None:
            truth = loop.hidden(self.seed)
            either = set(truth) | set(said)
            share = len(set(truth) & set(said)) / len(either) if either else 1.0
            self.score = Score(truth, said, self.spent, share)
        return self.score
