"""The parts of a step as a picture in SVG text: a bar at the start of a growth, one at its end."""

from __future__ import annotations

from collections.abc import Sequence

from labkit.record import quantity
from labkit.show.bars import Bar
from labkit.show.charts.chart_pieces import COLOURS, LEFT, LETTER, RIGHT, WIDTH, text
from labkit.show.markup import Markup, element

# In the panel's order; the last part is what no operation explains.
PART_COLOURS = ("curve", "ghost-1", "ghost-3", "ghost-2", "lane")
REST = "soft"
BAR_HEIGHT, ROW, KEY_ROW = 22, 30, 20
START = LEFT + 36
END = RIGHT - 80


def step_parts(bars: Sequence[Bar], alt: str) -> Markup:
    """Draw what a step consists of at the start and at the end, in one scale.

    Args:
        bars: The parts, what is unexplained last; empty where there is no picture.
        alt: The picture in words.
    """
    if not bars:
        return Markup()
    colours = [PART_COLOURS[place % len(PART_COLOURS)] for place in range(len(bars) - 1)] + [REST]
    first = [bar.first_seconds for bar in bars]
    last = [bar.last_seconds for bar in bars]
    scale = (END - START) / max(sum(first), sum(last), 1e-12)
    key, height = _key(bars, colours, 2 * ROW + 16)
    return element(
        "svg",
        *_bar(0, "at the start", first, colours, scale),
        *_bar(ROW, "at the end", last, colours, scale),
        *key,
        viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=alt, class_="lk-chart",
        style=f"max-width:{WIDTH + 40}px", font_size="12", font_family="sans-serif",
        fill="currentColor",
    )  # fmt: skip


def _bar(
    top: float, title: str, seconds: Sequence[float], colours: Sequence[str], scale: float
) -> list[Markup]:
    parts, x = [text(START - 8, top + 15, title, anchor="end")], float(START)
    for each, colour in zip(seconds, colours, strict=True):
        parts.append(_block(x, top, each * scale, BAR_HEIGHT, colour))
        x += each * scale
    return [*parts, text(x + 8, top + 15, quantity.duration(sum(seconds)), bold=True)]


def _key(bars: Sequence[Bar], colours: Sequence[str], top: float) -> tuple[list[Markup], float]:
    """Return what each colour is, in as many rows as it takes, and where the picture ends."""
    parts, x = [], float(START)
    for bar, colour in zip(bars, colours, strict=True):
        wide = 18 + 1.15 * LETTER * len(bar.title) + 16
        if x > START and x + wide > RIGHT:
            x, top = float(START), top + KEY_ROW
        parts += [_block(x, top - 10, 12, 12, colour), text(x + 18, top, bar.title)]
        x += wide
    return parts, top + 8


def _block(x: float, top: float, width: float, height: float, colour: str) -> Markup:
    return element(
        "rect", x=f"{x:.1f}", y=f"{top:g}", width=f"{max(0.0, width):.1f}", height=f"{height:g}",
        fill=COLOURS[colour], class_=f"lk-fill-{colour}",
    )  # fmt: skip
