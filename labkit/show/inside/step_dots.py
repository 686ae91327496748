"""A still picture of what was counted inside one step: a dot for so many things each.

SVG text that needs no script, for pages without a kernel; the panel draws the same in motion.
"""

from __future__ import annotations

from labkit.show.charts.chart_pieces import line, text
from labkit.show.inside.inside_step import InsideStep
from labkit.show.inside.still_picture import (
    FIELD_WIDTH,
    LINE_HEIGHT,
    WORDS_FROM,
    capitalized,
    key_line,
    still_picture,
)
from labkit.show.markup import Markup

ROWS, COLUMNS = 12, 20
APART = FIELD_WIDTH // COLUMNS
# As in panel.css: what is there, what is new, what the step went through.
OF_LINES = ("axis", "ghost-1", "curve")


def step_dots(inside: InsideStep) -> Markup:
    """Draw a step.

    Args:
        inside: What was counted.
    """
    walked_from = inside.dots - inside.walked if inside.backwards else 0
    ranges = (
        ("axis", 0, inside.dots),
        ("curve", walked_from, walked_from + inside.walked),
        ("ghost-1", inside.dots - inside.new, inside.dots),
    )
    dots = (
        line(_columns(start, end), colour, stroke_width="6", stroke_linecap="round",
             stroke_dasharray=f"0 {APART}")
        for colour, start, end in ranges if end > start
    )  # fmt: skip
    keys = (
        key_line(14 + (row + 1.2) * LINE_HEIGHT, said, colour)
        for row, (said, colour) in enumerate(zip(inside.lines, OF_LINES, strict=True))
    )
    caption = text(WORDS_FROM, 14 + 4.5 * LINE_HEIGHT, inside.caption, colour="ink-2")
    return still_picture(
        *dots, *keys, caption,
        title=inside.title, height=ROWS * APART + 4, words=words_of(inside),
    )  # fmt: skip


def words_of(inside: InsideStep) -> str:
    """Return the picture in words."""
    return f"{capitalized(inside.title)}: {'; '.join(inside.lines)}. {inside.caption}"


def _columns(start: int, end: int) -> str:
    """Return a path through the dots from one to another, column by column."""
    path = []
    while start < end:
        column, row = divmod(start, ROWS)
        last = min(end, (column + 1) * ROWS)
        # A path of no length at all is not drawn everywhere.
        length = max((last - start - 1) * APART, 0.1)
        path.append(f"M{column * APART + 5} {row * APART + 5}v{length:g}")
        start = last
    return "".join(path)
