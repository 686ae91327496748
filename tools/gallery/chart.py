"""A recording's curve as SVG text, with the one it is to be compared with behind it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from labkit.record import Run, quantity
from labkit.show.chart_lanes import LANE_HEIGHT, lanes
from labkit.show.chart_pieces import LEFT, RIGHT, WIDTH, Box, curve_line, line, nice_ticks, text
from labkit.show.curve import Curve, curve_of, top_milliseconds
from labkit.show.markup import Markup, element
from labkit.show.series import Series

TOP, PLOT_HEIGHT, AXIS_HEIGHT = 24, 220, 34
MOST_POINTS = 300
GHOST = "#c25500"


def chart(run: Run, other: Run | None, alt: str, counters: Sequence[Series]) -> Markup:
    """Draw the steps of a recording; the very first, TensorFlow's start-up, is left out.

    Args:
        run: At least two steps.
        other: Drawn dashed on the same scale; None for none.
        alt: The picture in words.
        counters: What to draw below it.
    """
    curve = _curve(run)
    curves = [curve] if other is None else [curve, _curve(other)]
    last = max(each.count for each in curves) - 1
    plot = Box(TOP, TOP + PLOT_HEIGHT, last, 0.0, top_milliseconds(curves))
    below = TOP + PLOT_HEIGHT + AXIS_HEIGHT
    drawn = lanes(below, last, counters, run.events)
    return element(
        "svg", *_grid(plot), *(_ghost(plot, each) for each in curves[1:]), _band(plot, curve),
        curve_line(_points(plot, curve.steps, curve.means), "curve"), _above(plot, curve), *drawn,
        viewBox=f"0 0 {WIDTH} {below + len(drawn) * LANE_HEIGHT + 2}", role="img", aria_label=alt,
        class_="lk-chart", font_size="12", font_family="sans-serif", fill="currentColor",
    )  # fmt: skip


def _curve(run: Run) -> Curve:
    return curve_of(np.asarray(run.steps.seconds) * 1e3, MOST_POINTS)


def _points(plot: Box, steps: Sequence[int], values: Sequence[float]) -> list[str]:
    return [f"{plot.x(x):.0f},{plot.y(y):.1f}" for x, y in zip(steps, values, strict=True)]


def _ghost(plot: Box, curve: Curve) -> Markup:
    return element(
        "polyline", points=" ".join(_points(plot, curve.steps, curve.means)), fill="none",
        stroke=GHOST, stroke_width="1.6", stroke_dasharray="7 4", class_="ghost",
    )  # fmt: skip


def _band(plot: Box, curve: Curve) -> Markup:
    """Shade from the smallest to the largest step of each bucket, where one holds several."""
    if curve.lows == curve.highs:
        return Markup()
    upper = _points(plot, curve.steps, curve.highs)
    lower = _points(plot, curve.steps, curve.lows)
    return element(
        "polygon", points=" ".join(upper + lower[::-1]), fill="#0072b2", fill_opacity="0.2",
        class_="lk-fill-curve",
    )  # fmt: skip


def _above(plot: Box, curve: Curve) -> Markup:
    if max(curve.highs) <= plot.high:
        return Markup()
    said = f"above the scale, up to {quantity.duration(max(curve.highs) / 1e3)}"
    return text(RIGHT, TOP - 10, said, anchor="end", colour="ink-2")


def _grid(plot: Box) -> list[Markup]:
    unit, scale = ("s", 1e-3) if plot.high >= 1_000 else ("ms", 1.0)
    if plot.high < 0.1:
        unit, scale = "us", 1e3
    parts = [text(LEFT, TOP - 10, f"{unit} a step", anchor="middle", colour="ink-2")]
    for value in nice_ticks(plot.high * scale, 4):
        y = plot.y(value / scale)
        parts.append(line(f"M{LEFT} {y:.1f}H{RIGHT}", "grid" if value else "axis"))
        parts.append(text(LEFT - 8, y + 4, f"{value:,.10g}", anchor="end", colour="ink-2"))
    for value in nice_ticks(max(1, plot.last), 6):
        if value == int(value) and plot.x(value) < RIGHT - 60:
            parts.append(text(plot.x(value), plot.bottom + 17, f"{value:,.0f}", anchor="middle",
                              colour="ink-2"))  # fmt: skip
    parts.append(text(RIGHT, plot.bottom + 17, "step", anchor="end", colour="ink-2"))
    return parts
