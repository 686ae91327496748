"""The claims on trial: what five posts say of slow TensorFlow, each with its experiment.

In: ids of claims and of examples. Out: rulings with their curves. Each source has a file in
``sources/``. Nothing is taken on trust, neither a source nor what this kit measured elsewhere: a
ruling is made from the runs alone. Read ``claim.py``, then ``trial.py``, first.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from labkit.claims.claim import SOURCES, Claim, Play, Ruling
from labkit.claims.example import EXAMPLES, Example
from labkit.claims.played import Played
from labkit.claims.trial import Tried, trials
from labkit.record import ChoiceError

ALL_EXAMPLES = "examples"

__all__ = [
    "SOURCES",
    "Claim",
    "Play",
    "Played",
    "Ruling",
    "Tried",
    "chosen",
    "every_claim",
    "trials",
]


def every_claim() -> tuple[Claim, ...]:
    """Return all claims that have their experiment, source by source."""
    files = (import_module(f"labkit.claims.sources.source_{source}") for source in SOURCES)
    return tuple(claim for file in files for claim in file.CLAIMS)


def chosen(ids: Iterable[str]) -> tuple[Claim | Example, ...]:
    """Return claims and examples by their ids, e.g. ``"1.3"`` and ``"1.a"``.

    Args:
        ids: ``"examples"`` stands for all of these; no id for all claims.

    Raises:
        ChoiceError: If there is none of an id; the sentence lists them.
    """
    claims = every_claim()
    every: tuple[Claim | Example, ...] = (*claims, *EXAMPLES)
    known = {each.id: each for each in every}
    found: list[Claim | Example] = []
    for id in ids:
        if id not in known and id != ALL_EXAMPLES:
            raise ChoiceError("claim or example", id, [*known, ALL_EXAMPLES])
        found += EXAMPLES if id == ALL_EXAMPLES else [known[id]]
    return tuple(found) or claims
