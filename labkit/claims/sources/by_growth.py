"""The ruling that all sources share: on a claim that something gets slower."""

from __future__ import annotations

from labkit.claims.claim import Ruling, RulingName

OPEN: RulingName = "cannot tell here"
MORE = "more steps, or a quieter machine"


def by_growth(slows: bool | None, told: str) -> Ruling:
    """Rule on a claim that something gets slower."""
    if slows is None:
        return Ruling(OPEN, told, to_decide=MORE)
    return Ruling("holds" if slows else "does not hold", told)
