"""Lines, words and a scale: what a chart in SVG text is put together from.

Colours come from the page's style; where a page has none of ours, the attributes give the light
ones of report.css.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from labkit.show.markup import Markup, element

WIDTH, LEFT, RIGHT = 880, 56, 870
LETTER = 6.2  # pixels, of 12 px sans serif
COLOURS = {"curve": "#0072b2", "alarm": "#b54700", "lane": "#5b6b7b", "grid": "#e4e8ec",
           "axis": "#8c959f", "soft": "#f3f5f7"}  # fmt: skip


@dataclass(frozen=True)
class Box:
    """Where steps and values lie.

    Args:
        top: The upper edge, in pixels.
        bottom: The lower edge.
        last: The last step, at the right edge.
        low: The value at the lower edge.
        high: The value at the upper edge.
    """

    top: float
    bottom: float
    last: int
    low: float = 0.0
    high: float = 1.0

    def x(self, step: float) -> float:
        """Return where a step lies, in pixels from the left."""
        return LEFT + (RIGHT - LEFT) * step / max(1, self.last)

    def y(self, value: float) -> float:
        """Return where a value lies, in pixels from the top; what is outside lies on the edge."""
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return self.bottom - (self.bottom - self.top) * min(1.0, max(0.0, share))


def nice_ticks(top: float, wanted: int) -> list[float]:
    """Return round numbers from 0 to at most `top`, about `wanted` of them.

    Args:
        top: Above zero.
        wanted: How many to aim at.
    """
    raw = top / wanted
    scale = 10.0 ** float(np.floor(np.log10(raw)))
    step = next(scale * nice for nice in (1, 2, 2.5, 5, 10) if scale * nice >= raw * 0.999)
    return [step * place for place in range(int(top * 1.0001 / step) + 1)]


def text(x: float, y: float, said: str, *, anchor: str = "start", colour: str = "ink") -> Markup:
    """Return words at a place; they start, have their middle, or end there."""
    return element(
        "text", said, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, class_=f"lk-fill-{colour}"
    )


def line(path: str, colour: str, **attributes: str) -> Markup:
    """Return a path that is drawn and not filled."""
    return element(
        "path", d=path, fill="none", stroke=COLOURS[colour], class_=f"lk-line-{colour}",
        **attributes,
    )  # fmt: skip


def curve_line(points: Sequence[str], colour: str) -> Markup:
    """Return a curve through points, each written ``x,y``."""
    return element(
        "polyline", points=" ".join(points), fill="none", stroke=COLOURS[colour],
        stroke_width="1.8", stroke_linejoin="round", class_=f"lk-line-{colour}",
    )  # fmt: skip
