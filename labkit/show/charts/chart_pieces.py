"""Lines, words and a scale: what a chart in SVG text is put together from.

Colours come from the page's style. Where a page has none of ours, such as a stored notebook, the
attributes give the light ones of report.css, or one that is seen on light and dark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from labkit.show.markup import Markup, element

WIDTH, LEFT, RIGHT = 880, 56, 870
LETTER = 6.2  # pixels, of 12 px sans serif
COLOURS = {
    "curve": "#0072b2", "ghost-1": "#c25500", "ghost-2": "#a8568a", "ghost-3": "#00805d",
    "alarm": "#b54700", "lane": "#5b6b7b", "grid": "#8c959f50", "axis": "#8c959f",
    "soft": "#8c959f20", "fix": "#00805d", "ink-2": "#7d8792",
}  # fmt: skip
# Curves over each other, the one on show first; each has its name at its end.
CURVES = ("curve", "ghost-1", "ghost-2", "ghost-3")


@dataclass(frozen=True)
class Box:
    """Where steps and values lie.

    Args:
        top: The upper edge, in pixels.
        bottom: The lower edge.
        last: The last step, at the right edge.
        low: The value at the lower edge.
        high: The value at the upper edge.
        right: Where the last step lies, in pixels from the left.
        logarithmic: Whether equal factors are equally high; `low` is above zero then.
    """

    top: float
    bottom: float
    last: int
    low: float = 0.0
    high: float = 1.0
    right: float = RIGHT
    logarithmic: bool = False

    def x(self, step: float) -> float:
        """Return where a step lies, in pixels from the left."""
        return LEFT + (self.right - LEFT) * step / max(1, self.last)

    def y(self, value: float) -> float:
        """Return where a value lies, in pixels from the top; what is outside lies on the edge."""
        if self.logarithmic:
            share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / ((self.high - self.low) or 1.0)
        return self.bottom - (self.bottom - self.top) * min(1.0, max(0.0, share))


def text(
    x: float, y: float, said: str, *, anchor: str = "start", colour: str = "ink", bold: bool = False
) -> Markup:
    """Return words at a place; they start, have their middle, or end there."""
    weight = {"font_weight": "700"} if bold else {}
    if colour in CURVES:  # other words have the colour of the page's words
        weight["fill"] = COLOURS[colour]
    return element(
        "text", said, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, class_=f"lk-fill-{colour}",
        **weight,
    )  # fmt: skip


def line(path: str, colour: str, **attributes: str) -> Markup:
    """Return a path that is drawn and not filled."""
    return element(
        "path", d=path, fill="none", stroke=COLOURS[colour], class_=f"lk-line-{colour}",
        **attributes,
    )  # fmt: skip


def curve_line(points: Sequence[str], colour: str, *, faint: bool = False) -> Markup:
    """Return a curve through points, each written ``x,y``; faint where a fitted line lies on it."""
    return element(
        "polyline", points=" ".join(points), fill="none", stroke=COLOURS[colour],
        stroke_width="1" if faint else "1.8", stroke_opacity="0.6" if faint else "1",
        stroke_linejoin="round", class_=f"lk-line-{colour}",
    )  # fmt: skip
