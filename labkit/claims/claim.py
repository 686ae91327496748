"""A claim of the sources, the experiment that tries it, and how it is ruled on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Literal

from labkit.claims.played import Played

RulingName = Literal["holds", "holds only if", "does not hold", "cannot tell here"]
SOURCES = {
    1: "Why does TensorFlow processing time increase with each iteration?",
    2: "Why does TensorFlow GPU training time increase so rapidly after a few iterations?",
    3: "Why does TensorFlow training slow down significantly after 1500 iterations, with high RAM "
    "usage?",
    4: "Why does TensorFlow training slow down after each epoch?",
    5: "Why does initializing TensorFlow graph variables repeatedly become progressively slower?",
}


@dataclass(frozen=True)
class Play:
    """One run of an experiment.

    Args:
        source: A cause's slug, or the name of a file in the folder, without its ending.
        steps: How many steps; None for the number that makes the cause's effect clear.
        settings: Toggles and sizes that differ from the defaults.
        seconds: How long it may take.
        rounds: How many times it is run, by turns with the others, each time in a new process. Two
            runs alike differ by chance: what a close comparison says is said of pairs of runs.
        device: Where it is run; ``""`` for wherever the trial is. A run for ``"gpu"`` is left out
            where the trial has no graphics card.
        folder: Of `labkit.claims`, where the file is.
    """

    source: str
    steps: int | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    seconds: float = 30.0
    rounds: int = 1
    device: Literal["", "cpu", "gpu"] = ""
    folder: str = "loops"

    @property
    def file(self) -> Path:
        """The path of the loop; there is none where the source is a cause."""
        place = resources.files("labkit.claims").joinpath(self.folder, f"{self.source}.py")
        return Path(str(place))


@dataclass(frozen=True)
class Ruling:
    """What an experiment says of a claim.

    Args:
        name: One of `RulingName`.
        because: What was measured, with its interval, in one or two sentences.
        condition: What comes after "holds only if"; empty with the other rulings.
        to_decide: What it would take to decide, where it cannot be told here.
    """

    name: RulingName
    because: str
    condition: str = ""
    to_decide: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.condition}".strip()


OPEN: RulingName = "cannot tell here"
MORE = "more steps, or a quieter machine"


def by_growth(slows: bool | None, told: str) -> Ruling:
    """Rule on a claim that something gets slower."""
    if slows is None:
        return Ruling(OPEN, told, to_decide=MORE)
    return Ruling("holds" if slows else "does not hold", told)


@dataclass(frozen=True)
class Claim:
    """A claim and its trial.

    Args:
        id: The source and a number, e.g. ``"1.3"``.
        title: A few words.
        says: What the source claims, in our words.
        experiment: What is run, in a sentence.
        plays: The runs, by the name that `decide` knows them by.
        decide: Rules, once all are run.
        fair: What speaks for the source: where it hedges, or the world in which it was true.
    """

    id: str
    title: str
    says: str
    experiment: str
    plays: Mapping[str, Play]
    decide: Callable[[Played], Ruling]
    fair: str = ""

    @property
    def source(self) -> int:
        """The number of the post it comes from."""
        return int(self.id.partition(".")[0])
