"""A curve in its box: its band, what is too high for it, and the scale around it.

The scale has a round top that rare spikes do not push away, and round numbers on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from labkit.record import quantity
from labkit.show.charts.chart_pieces import (
    COLOURS,
    LEFT,
    LETTER,
    Box,
    curve_line,
    line,
    text,
)
from labkit.show.markup import Markup, element
from labkit.show.thinning import Curve

ABOVE = 10  # pixels over the box


def grid(plot: Box) -> Markup:
    """Draw the scales of a box whose values are milliseconds."""
    unit, scale = "ms", 1.0
    typical = math.sqrt(plot.low * plot.high) if plot.logarithmic else plot.high
    if typical >= 1_000:
        unit, scale = "s", 1e-3
    elif typical < 0.1:
        unit, scale = "us", 1e3
    told = f"{unit} per step{', logarithmic' if plot.logarithmic else ''}"
    parts = [text(8, plot.top - ABOVE, told, colour="ink-2")]
    for value in _ticks(plot, scale):
        y = plot.y(value / scale)
        parts.append(line(f"M{LEFT} {y:.1f}H{plot.right:g}", "grid" if value else "axis"))
        parts.append(text(LEFT - 8, y + 4, f"{value:,.10g}", anchor="end", colour="ink-2"))
    word = plot.right - LETTER * len("step") - 24
    for value in nice_ticks(max(1, plot.last), 6):
        x, said = plot.x(value), f"{value:,.0f}"
        if value == int(value) and x + LETTER * len(said) / 2 < word:
            parts.append(text(x, plot.bottom + 17, said, anchor="middle", colour="ink-2"))
    parts.append(text(plot.right, plot.bottom + 17, "step", anchor="end", colour="ink-2"))
    return element("g", *parts)


def _ticks(plot: Box, scale: float) -> list[float]:
    """Return what is written at the side, in the unit of it."""
    if not plot.logarithmic:
        return nice_ticks(plot.high * scale, 4)
    first, last = (math.log10(value * scale) for value in (plot.low, plot.high))
    return [10.0**power for power in range(math.ceil(first), math.floor(last) + 1)]


def points(plot: Box, steps: Sequence[float], values: Sequence[float]) -> list[str]:
    """Return where values lie, each written ``x,y``."""
    return [f"{plot.x(x):.1f},{plot.y(y):.1f}" for x, y in zip(steps, values, strict=True)]


def drawn_curve(plot: Box, curve: Curve, colour: str = "curve", *, faint: bool = False) -> Markup:
    """Draw a curve, shaded from the smallest to the largest value where a point stands for many."""
    means = curve_line(points(plot, curve.steps, curve.means), colour, faint=faint)
    if curve.lows == curve.highs:
        return means
    upper = points(plot, curve.steps, curve.highs)
    lower = points(plot, curve.steps, curve.lows)
    band = element(
        "polygon", points=" ".join(upper + lower[::-1]), fill=COLOURS[colour],
        fill_opacity="0.2", class_=f"lk-fill-{colour}",
    )  # fmt: skip
    return element("g", band, means)


def above(plot: Box, curve: Curve) -> Markup:
    """Mark what is too high for the scale."""
    over = [step for step, high in zip(curve.steps, curve.highs, strict=True) if high > plot.high]
    if not over:
        return Markup()
    places = dict.fromkeys(round(plot.x(step)) for step in over)
    marks = "".join(f"M{x - 4} {plot.top:g}h8l-4 -6z" for x in places)
    said = f"above the scale, up to {quantity.duration(max(curve.highs) / 1e3)}"
    return element(
        "g",
        element("path", d=marks, fill=COLOURS["curve"], class_="lk-fill-curve"),
        text(plot.right, plot.top - ABOVE, said, anchor="end", colour="ink-2"),
    )


def top_milliseconds(curves: Sequence[Curve]) -> float:
    """Return a round top of the scale; spikes that would squash the rest stay outside."""
    drawn = [curve for curve in curves if curve.means]
    if not drawn:
        return 10.0
    highest = max(max(curve.highs) for curve in drawn)
    level = max(lasting_level(curve) for curve in drawn)
    wanted = max(highest * 1.04 if highest <= 3 * level else 1.7 * level, 1e-6)
    scale = 10.0 ** np.floor(np.log10(wanted))
    nice = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
    return float(next(scale * k for k in nice if scale * k >= wanted * 0.999))


def lasting_level(curve: Curve) -> float:
    """Return the highest level that lasts: the largest median of nine neighbours.

    Not a share of all steps: a few slow ones among thousands of fast ones are no spikes.
    """
    means = np.asarray(curve.means)
    windows = np.lib.stride_tricks.sliding_window_view(means, min(9, len(means)))
    return float(np.median(windows, axis=1).max())


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
