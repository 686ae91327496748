"""The marks of flipped toggles in a still picture: as many as can be told apart.

A flip is named where its words have room in one of three rows, after those named before it. All
others are thin lines without a word, one at most in each 300th of the width, and a sentence says
how many flips that are: 2,000 marks with words took 100 seconds to draw, and nobody can read them.
"""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from labkit.record import Event
from labkit.record.plain_text import one_line

ROWS = 3
MOST_MARK = 60  # letters
LETTER_WIDTH = 1 / 90  # of the axes, a little more than most letters take
MOST_LINES = 300


def draw_flips(axes: Axes, events: Sequence[Sequence[Event]], colours: Sequence[str]) -> None:
    """Draw the flips of some runs.

    Args:
        axes: Where their curves are drawn; the steps begin at 0.
        events: What happened in each run.
        colours: Of each run in turn.
    """
    flips = [[event for event in of_run if event.kind == "toggle"] for of_run in events]
    last = max(1.0, axes.dataLim.x1, *(event.step for of_run in flips for event in of_run))
    ends = [0.0] * ROWS  # of the words in each row, in widths of the axes
    unnamed = 0
    for number, of_run in enumerate(flips):
        colour = colours[number % len(colours)]
        plain = []
        for place, event in enumerate(of_run):
            said = one_line(event.text, MOST_MARK).replace("_", " ")
            start, width = event.step / last, LETTER_WIDTH * (len(said) + 1)
            # The rows in turn, as far as they are free: neighbours stand apart.
            rows = (*range(place % ROWS, ROWS), *range(place % ROWS))
            row = next((row for row in rows if ends[row] <= start), None)
            if row is None:
                plain.append(event.step)
                continue
            ends[row] = start + width
            _draw_named(axes, event.step, said, colour, row)
        _draw_plain(axes, plain, last, colour)
        unnamed += len(plain)
    if unnamed:
        axes.annotate(
            f"thin lines: {unnamed:,} more flip{'s' * (unnamed != 1)}", (1, 0),
            xycoords="axes fraction", xytext=(-6, 6), textcoords="offset points", ha="right",
            fontsize=10.5, bbox={"fc": "white", "ec": "none", "alpha": 0.8, "pad": 1},
        )  # fmt: skip


def _draw_named(axes: Axes, step: int, said: str, colour: str, row: int) -> None:
    axes.axvline(step, color=colour, lw=1.2, ls=(0, (4, 3)))
    axes.annotate(
        said, (step, 1), xycoords=("data", "axes fraction"), xytext=(4, -12 - 14 * row),
        textcoords="offset points", fontsize=10.5,
        bbox={"fc": "white", "ec": "none", "alpha": 0.8, "pad": 1},
    )  # fmt: skip


def _draw_plain(axes: Axes, steps: Sequence[int], last: float, colour: str) -> None:
    if apart := {int(MOST_LINES * step / last): step for step in steps}:
        axes.vlines(
            sorted(apart.values()), 0, 1, transform=axes.get_xaxis_transform(), color=colour,
            lw=0.5, alpha=0.4, zorder=1,
        )  # fmt: skip
