"""Flipped toggles in a still picture: named as far as there is room, else counted.

Tier: make test.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from labkit.record import Event
from labkit.show.charts.flips import MOST_LINES, draw_flips


def drawn(*runs: Sequence[Event], steps: int = 4_000) -> Axes:
    axes = Figure(figsize=(9.6, 4)).add_axes((0.08, 0.1, 0.9, 0.85))  # as a figure of runs has it
    axes.plot([0, steps], [1, 1])
    axes.set_xlim(0, steps * 1.05)
    draw_flips(axes, runs, ("black", "red"))
    return axes


def flips(count: int, steps: int = 4_000, text: str = "grow off") -> list[Event]:
    return [Event(place * steps // count, "toggle", text) for place in range(count)]


def said(axes: Axes) -> list[str]:
    return [each.get_text() for each in axes.texts]


def plain_lines(axes: Axes) -> int:
    return sum(len(each.get_segments()) for each in axes.collections
               if isinstance(each, LineCollection))  # fmt: skip


@pytest.mark.parametrize("count", [200, 2_000, 20_000])
def test_of_thousands_only_as_many_are_drawn_as_can_be_told_apart(count: int) -> None:
    """Recorded: 2,000 flips took 100 seconds to draw."""
    axes = drawn(flips(count))
    *named, more = said(axes)
    assert 10 < len(named) < 60 and set(named) == {"grow off"}
    assert more == f"thin lines: {count - len(named):,} more flips"
    assert len(axes.lines) == 1 + len(named) and len(axes.collections) == 1
    assert plain_lines(axes) <= MOST_LINES + 1


def test_words_in_one_row_do_not_touch() -> None:
    axes = drawn(flips(300, text="grow on, chain off"), flips(50, text="x" * 60))
    axes.figure.draw_without_rendering()  # type: ignore[union-attr]
    boxes = [each.get_window_extent() for each in axes.texts[:-1] if isinstance(each, Annotation)]
    rows: dict[int, list[tuple[float, float]]] = {}
    for box in boxes:
        rows.setdefault(round(box.y0), []).append((box.x0, box.x1))
    assert len(rows) == 3
    for row in rows.values():
        row.sort()
        assert all(end <= start for (_, end), (start, _) in itertools.pairwise(row))


def test_a_few_flips_are_all_named_and_nothing_else_is_said() -> None:
    axes = drawn(flips(6))
    assert said(axes) == ["grow off"] * 6 and not axes.collections


def test_a_run_without_a_flip_and_other_events_have_no_mark() -> None:
    axes = drawn([], [Event(3, "gc", "a collection")])
    assert not said(axes) and len(axes.lines) == 1
