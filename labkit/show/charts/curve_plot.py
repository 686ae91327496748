"""A curve in its box: the scale around it, its band, and what is too high for it."""

from __future__ import annotations

from collections.abc import Sequence

from labkit.record import quantity
from labkit.show.charts.chart_pieces import (
    COLOURS,
    LEFT,
    LETTER,
    RIGHT,
    Box,
    curve_line,
    line,
    text,
)
from labkit.show.charts.scale import nice_ticks
from labkit.show.markup import Markup, element
from labkit.show.thinning import Curve

ABOVE = 10  # pixels over the box


def grid(plot: Box) -> Markup:
    """Draw the scales of a box whose values are milliseconds."""
    unit, scale = "ms", 1.0
    if plot.high >= 1_000:
        unit, scale = "s", 1e-3
    elif plot.high < 0.1:
        unit, scale = "us", 1e3
    parts = [text(LEFT, plot.top - ABOVE, f"{unit} per step", anchor="middle", colour="ink-2")]
    for value in nice_ticks(plot.high * scale, 4):
        y = plot.y(value / scale)
        parts.append(line(f"M{LEFT} {y:.1f}H{RIGHT}", "grid" if value else "axis"))
        parts.append(text(LEFT - 8, y + 4, f"{value:,.10g}", anchor="end", colour="ink-2"))
    word = RIGHT - LETTER * len("step") - 24
    for value in nice_ticks(max(1, plot.last), 6):
        x, said = plot.x(value), f"{value:,.0f}"
        if value == int(value) and x + LETTER * len(said) / 2 < word:
            parts.append(text(x, plot.bottom + 17, said, anchor="middle", colour="ink-2"))
    parts.append(text(RIGHT, plot.bottom + 17, "step", anchor="end", colour="ink-2"))
    return element("g", *parts)


def points(plot: Box, steps: Sequence[float], values: Sequence[float]) -> list[str]:
    """Return where values lie, each written ``x,y``."""
    return [f"{plot.x(x):.1f},{plot.y(y):.1f}" for x, y in zip(steps, values, strict=True)]


def drawn_curve(plot: Box, curve: Curve, colour: str = "curve") -> Markup:
    """Draw a curve, shaded from the smallest to the largest value where a point stands for many."""
    means = curve_line(points(plot, curve.steps, curve.means), colour)
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
        text(RIGHT, plot.top - ABOVE, said, anchor="end", colour="ink-2"),
    )
