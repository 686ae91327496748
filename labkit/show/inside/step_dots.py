"""A still picture of what was counted inside one step: a dot for so many things each.

SVG text that needs no script, for pages without a kernel; the panel draws the same in motion.
"""

from __future__ import annotations

from labkit.show.charts.chart_pieces import COLOURS, line, text
from labkit.show.inside.inside_step import InsideStep
from labkit.show.markup import Markup, element

ROWS, COLUMNS = 12, 20
APART = 9
WORDS_FROM = COLUMNS * APART + 18
LINE_HEIGHT = 18
WIDTH, HEIGHT = 540, ROWS * APART + 4
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
    return element(
        "svg",
        *dots,
        text(WORDS_FROM, 12, inside.title, bold=True),
        *(_line(row, said, colour)
          for row, (said, colour) in enumerate(zip(inside.lines, OF_LINES, strict=True))),
        text(WORDS_FROM, 14 + 4.5 * LINE_HEIGHT, inside.caption, colour="ink-2"),
        viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=words_of(inside),
        class_="lk-step-dots", style=f"max-width:{WIDTH}px", font_size="12",
        font_family="sans-serif", fill="currentColor",
    )  # fmt: skip


def words_of(inside: InsideStep) -> str:
    """Return the picture in words."""
    title = inside.title[:1].upper() + inside.title[1:]
    return f"{title}: {'; '.join(inside.lines)}. {inside.caption}"


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


def _line(row: int, said: str, colour: str) -> Markup:
    height = 14 + (row + 1.2) * LINE_HEIGHT
    return element(
        "g",
        element("circle", cx=f"{WORDS_FROM + 4}", cy=f"{height - 4:g}", r="4",
                fill=COLOURS[colour], class_=f"lk-fill-{colour}"),
        text(WORDS_FROM + 14, height, said),
    )  # fmt: skip
