"""The ledger as a picture: what a step consists of at the start of a growth and at its end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from labkit.record import Column, Ledger
from labkit.record.plain_text import one_line
from labkit.show.titles import titled

MOST_PARTS = 4  # as many colours as one tells apart, besides those of the others and the rest
LEAST = 0.01  # of the longer bar: a smaller part cannot be seen
MOST_TITLE = 40
OTHERS = "other operations"


@dataclass(frozen=True)
class Bar:
    """One part of a step.

    Args:
        title: What a reader calls it.
        first_seconds: How long a step was at it at the start.
        last_seconds: And at the end.
    """

    title: str
    first_seconds: float
    last_seconds: float


def bars(ledger: Ledger, columns: Iterable[Column]) -> tuple[Bar, ...]:
    """Return the parts of a step that grew, the one that grew most first, ``unexplained`` last.

    Args:
        ledger: Where the growth went. Where it does not say what a step began with, there is no
            picture.
        columns: Of the run.
    """
    rows = titled(ledger, columns).rows
    if not rows or any(row.first_seconds is None for row in rows):
        return ()
    parts = [
        # A fit may lie a little below nothing.
        Bar(one_line(row.place.removesuffix("_seconds").replace("_", " "), MOST_TITLE),
            max(0.0, row.first_seconds or 0.0), max(0.0, (row.first_seconds or 0.0) + row.seconds))
        for row in rows
    ]  # fmt: skip
    *places, rest = parts
    most = max(sum(part.first_seconds for part in parts), sum(part.last_seconds for part in parts))
    seen = [each for each in places if max(each.first_seconds, each.last_seconds) > LEAST * most]
    told = seen if len(seen) <= MOST_PARTS else seen[: MOST_PARTS - 1]
    small = [each for each in places if each not in told]
    first, last = (sum(getattr(each, name) for each in small)
                   for name in ("first_seconds", "last_seconds"))  # fmt: skip
    if max(first, last) > LEAST * most:
        told.append(Bar(OTHERS, first, last))
    return (*told, rest)
