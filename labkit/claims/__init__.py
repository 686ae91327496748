"""The claims on trial: what five posts say of slow TensorFlow, each with its experiment.

Each source has a file. Nothing is taken on trust, neither a source nor what this kit measured
elsewhere: a ruling is made from the runs alone.
"""

from __future__ import annotations

from importlib import import_module

from labkit.claims.claim import RULINGS, SOURCES, Claim, Play, Ruling
from labkit.claims.played import Played
from labkit.claims.trial import Tried, trials
from labkit.record import ChoiceError

# The sources whose claims have their experiments.
WRITTEN = (1, 2, 3, 4, 5)

__all__ = [
    "RULINGS",
    "SOURCES",
    "Claim",
    "Play",
    "Played",
    "Ruling",
    "Tried",
    "every_claim",
    "load_claim",
    "trials",
]


def every_claim() -> tuple[Claim, ...]:
    """Return all claims that have their experiment, source by source."""
    files = (import_module(f"labkit.claims.source_{source}") for source in WRITTEN)
    return tuple(claim for file in files for claim in file.CLAIMS)


def load_claim(id: str) -> Claim:
    """Return a claim by its number, e.g. ``"1.3"``.

    Raises:
        ChoiceError: If there is none of that number; the sentence lists them.
    """
    known = {claim.id: claim for claim in every_claim()}
    if id not in known:
        raise ChoiceError("claim", id, known)
    return known[id]
