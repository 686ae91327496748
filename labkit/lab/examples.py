"""The posts' examples in a notebook: each is run here, as it was posted and repaired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labkit.bench.bench import Bench
from labkit.claims import SOURCES, Play
from labkit.claims.example import Example, loop_code, loop_file
from labkit.claims.example_trial import ExampleTried, example_trials
from labkit.claims.posted import EXAMPLES, load_example
from labkit.lab.kernel import bench
from labkit.lab.lab import run_limits
from labkit.lab.play import wait_for
from labkit.record import Run, quantity
from labkit.show.markup import Markup, element, folded, joined, table
from labkit.show.page import view
from labkit.show.shown import Shown
from labkit.stats.ratio import Ratio

TITLES = ("example", "as posted", "repaired", "posted over repaired")
# The runs by name, with the words for them.
NAMES = {"posted": "As posted", "repaired": "Repaired"}
CODE = {"posted": "The loop as posted, in substance:", "repaired": "The loop, repaired:"}


@dataclass(frozen=True)
class Examples(Shown):
    """Examples and what they did; a notebook shows them as a table by itself."""

    tried: tuple[ExampleTried, ...]

    @property
    def stopped(self) -> bool:
        """Whether somebody stopped them before their end."""
        return any(each.stopped for each in self.tried)

    def lines(self) -> list[str]:
        """Return each example with what it was shown for and what it did."""
        found = []
        for each in self.tried:
            found.append(f"{each.example.id} {each.example.title}")
            found += [f"  {line}" for line in _told(each)]
        return found

    def code(self) -> str:
        """Return the loops, as they were posted in substance and repaired."""
        return "\n\n".join(
            f"# {each.example.id} {NAMES[name].lower()}\n{loop_code(file).rstrip()}"
            for each in self.tried
            for name, file in each.example.loops.items()
        )

    def html(self) -> str:
        """Return the table, and what is told of each example, as a piece of a page."""
        rows = table("The posts' examples, run here", TITLES, map(_row, self.tried), prose=True)
        return view(rows, joined(map(_folded, self.tried)))


def _told(each: ExampleTried) -> list[str]:
    """Return what there is to say of an example, a sentence or two a line."""
    example = each.example
    lines = [f"Shown for: {example.says}", f"Today: {example.today}"]
    lines += [f"{NAMES[name]}: {ended.told}" for name, ended in each.ended.items()]
    return lines + [line for line in (each.compared, each.surprise) if line]


def _row(each: ExampleTried) -> tuple[str, ...]:
    ended = each.ended
    posted, repaired = (
        ended[name].short if name in ended else _missing(each.example, name) for name in NAMES
    )
    return (f"{each.example.id} {each.example.title}", posted, repaired, _over(each.ratio))


def _over(found: Ratio | None) -> str:
    if found is None or found.ratio is None:
        return "not compared"
    if not found.different:
        return "no sure difference"
    return f"x {quantity.quantity(found.ratio, '')}"


def _missing(example: Example, name: str) -> str:
    return "was stopped" if name in example.loops else "nothing to repair"


def _folded(each: ExampleTried) -> Markup:
    """Return what is told of an example, with the code of its loops, for who opens it."""
    example = each.example
    parts = [element("p", line) for line in _told(each)]
    for name, file in example.loops.items():
        parts.append(element("p", CODE[name]))
        parts.append(element("pre", loop_code(file).rstrip()))
    return folded(f"{example.id} {example.title}, from: {SOURCES[example.source]}", *parts)


def examples(*ids: str, on: Bench | None = None) -> Examples:
    """Run some of the fifteen examples of the posts, as they were posted and repaired.

    Args:
        ids: Of the examples, e.g. ``"1.a"``; none runs all, which takes a minute or two.
        on: The bench to run them on; by default this kernel's.

    Raises:
        ChoiceError: If there is no such example; the sentence lists them.
    """
    chosen: Sequence[Example] = [load_example(id) for id in ids] or EXAMPLES
    return Examples(
        tuple(example_trials(chosen, lambda play, title: _run(play, title, on or bench())))
    )


def _run(play: Play, title: str, on: Bench) -> Run:
    session = on.start(
        str(loop_file(play.source)), steps=play.steps, limits=run_limits(play.seconds)
    )
    return wait_for(session, title)
