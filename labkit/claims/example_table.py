"""The posts' examples after their runs: a row each, and what is told of them."""

from __future__ import annotations

from collections.abc import Sequence

from labkit.claims.claim import SOURCES
from labkit.claims.example_trial import ExampleTried
from labkit.claims.words import times
from labkit.show.markup import Markup, element, folded, table
from labkit.stats.paired_ratio import PairedRatio

TITLES = ("example", "as posted", "repaired", "posted over repaired")
# The runs by name, with the words for them.
NAMES = {"posted": "As posted", "repaired": "Repaired"}
CODE = {"posted": "The loop as posted, in substance:", "repaired": "The loop, repaired:"}


def example_rows(tried: Sequence[ExampleTried]) -> Markup:
    """Return examples as a table: what each did, as posted and repaired."""
    return table("The posts' examples, run here", TITLES, map(_row, tried), prose=True)


def example_lines(tried: ExampleTried) -> list[str]:
    """Return an example with what it was shown for and what it did, a line each."""
    example = tried.example
    return [f"{example.id} {example.title}", *(f"  {line}" for line in _told(tried))]


def example_code(tried: ExampleTried) -> str:
    """Return an example's loops, as they were posted in substance and repaired."""
    example = tried.example
    return "\n\n".join(
        f"# {example.id} {NAMES[name].lower()}\n{example.code(name)}" for name in example.plays
    )


def example_json(tried: ExampleTried) -> dict[str, object]:
    """Return what an example did as plain dictionaries and lists, for ``--json``."""
    example, found = tried.example, tried.ratio
    return {
        "id": example.id,
        "title": example.title,
        "source": SOURCES[example.source],
        "says": example.says,
        "today": example.today,
        "refused": tried.refused,
        "loops": {
            name: {"ended": ended.name, "error": ended.error, "told": ended.told}
            for name, ended in tried.ended.items()
        },
        "posted_over_repaired": None if found is None else found.ratio,
    }


def _told(each: ExampleTried) -> list[str]:
    """Return what there is to say of an example, a sentence or two a line."""
    example = each.example
    lines = [f"Shown for: {example.says}", f"Today: {example.today}"]
    lines += [f"{NAMES[name]}: {ended.told}" for name, ended in each.ended.items()]
    return lines + [line for line in (each.compared, each.surprise, each.refused) if line]


def _row(each: ExampleTried) -> tuple[str, ...]:
    ended = each.ended
    posted, repaired = (
        ended[name].short if name in ended else _missing(each, name) for name in NAMES
    )
    return (f"{each.example.id} {each.example.title}", posted, repaired, _over(each.ratio))


def _over(found: PairedRatio | None) -> str:
    if found is None:
        return "not compared"
    if not found.different:
        return "no reliable difference"
    return times(found)


def _missing(each: ExampleTried, name: str) -> str:
    if name not in each.example.plays:
        return "nothing to repair"
    return "cannot tell here" if each.refused else "was stopped"


def example_folded(each: ExampleTried) -> Markup:
    """Return what is told of an example, with the code of its loops, for who opens it."""
    example = each.example
    parts = [element("p", line) for line in _told(each)]
    for name in example.plays:
        parts.append(element("p", CODE[name]))
        parts.append(element("pre", example.code(name)))
    return folded(f"{example.id} {example.title}, from: {SOURCES[example.source]}", *parts)
