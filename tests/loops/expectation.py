"""An expectation: what a diagnosis of one loop may say, and what it must."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from labkit.record.verdict import Label

FOLDER = Path(__file__).parent
NOTHING = "nothing"


@dataclass(frozen=True)
class Expectation:
    """What is right for one loop.

    Args:
        file: The loop's file, from this folder on.
        labels: The verdicts on the time that are right, the plainest first.
        first: The causes of which one must stand first; empty where no finding is needed.
        leaking: Whether something is kept step after step; ``either`` where both words are true.
        keeps: Counters of which one must be told to grow, where something is kept. ``kept/`` means
            any place of that kind.
        tolerated: Causes that may stand first although none is needed, or beside `first`.
        cost_allowed: Whether a finding of kind cost may be there although none is needed.
    """

    file: str
    labels: tuple[Label, ...]
    first: tuple[str, ...] = ()
    leaking: Literal["yes", "no", "either"] = "no"
    keeps: tuple[str, ...] = ()
    tolerated: tuple[str, ...] = ()
    cost_allowed: bool = False

    @property
    def path(self) -> Path:
        """Where the loop is."""
        return FOLDER / self.file

    @property
    def truth(self) -> str:
        """What the loop is, in one word: the slug of its cause, or ``nothing``."""
        return self.first[0] if self.first else NOTHING

    @property
    def held_out(self) -> bool:
        """Whether the loop is kept apart, for the last judgement of the rules."""
        return "/" in self.file

    @property
    def healthy(self) -> bool:
        """Whether there is nothing to be found, and nothing that may be found but a cost."""
        return not self.first and not self.tolerated and self.leaking == "no"

    @property
    def slower(self) -> bool:
        """Whether the steps do get slower."""
        return bool({"slowdown", "shift"} & set(self.labels))
