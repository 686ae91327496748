"""The chart of step times: iteration-time curves, what was said of the first, and evidence below.

SVG text that needs no script. It is handed finished numbers and decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

import numpy as np

from labkit.record import Event, Run, quantity
from labkit.record.plain_text import one_line
from labkit.show.charts.chart_pieces import (
    COLOURS,
    CURVES,
    LEFT,
    LETTER,
    RIGHT,
    WIDTH,
    Box,
    line,
    text,
)
from labkit.show.charts.curve_plot import above, drawn_curve, grid, top_milliseconds
from labkit.show.charts.fit_marks import (
    MARGIN,
    curve_end,
    end_names,
    fit_labels,
    fitted_lines,
    has_pauses,
)
from labkit.show.charts.fits import Fit
from labkit.show.charts.series import Series
from labkit.show.markup import Markup, element, joined
from labkit.show.thinning import SVG_POINTS, WAITED, Curve, bucket_width, curve_of

TOP, PLOT_HEIGHT, AXIS_HEIGHT = 24, 240, 34
LEVELS_APART = 100  # as far as a line lies above the axis that is to be seen
MOST_FLIPS = 12
MOST_LETTERS = 60  # of what stands at a mark
LANE_HEIGHT = 50
LANE_POINTS = 128  # so low a lane shows no more than its ends and its spikes
MOST_LANES = 3
MOST_KINDS = 3
MOST_LANE_LETTERS = 70


def step_chart(
    curves: Sequence[Curve],
    alt: str,
    *,
    fits: Sequence[Sequence[Fit]] = (),
    names: Sequence[str] = (),
    beside: Sequence[Curve] = (),
    counters: Sequence[Series] = (),
    events: Sequence[Event] = (),
) -> Markup:
    """Draw the steps of a run, and those of others with it, each with its name at its end.

    Args:
        curves: One to four, in milliseconds, that of the run first.
        alt: The picture in words.
        fits: Of each curve what was said of its stretches; may be left out.
        names: What each is called, where there are several.
        beside: Curves of charts beside this one; theirs is the same scale.
        counters: What to draw below it.
        events: What happened in the run.
    """
    told: list[Sequence[Fit]] = [*fits, *([()] * (len(curves) - len(fits)))]
    several, scaled = len(curves) > 1, [*curves, *beside]
    last = max(1, max(curve.count for curve in scaled) - 1)
    apart = any(map(has_pauses, curves, told)) or _far_apart(scaled)
    plot = _plot(scaled, last, RIGHT - MARGIN if several or beside else RIGHT, apart)
    below = TOP + PLOT_HEIGHT + AXIS_HEIGHT
    lanes = _lanes(below, last, plot.right, counters, events)
    drawn = list(zip(curves, told, CURVES, strict=False))
    return element(
        "svg",
        grid(plot),
        _warmup(plot, told[0]),
        element(
            "g",
            *(_curve(plot, *each) for each in reversed(drawn)),
            *(fitted_lines(plot, fits, colour if several else "") for _, fits, colour in drawn),
            class_="lk-drawn",
        ),
        above(plot, curves[0]),
        _flips(plot, events),
        element(
            "g", _names(plot, drawn, names) if several else fit_labels(plot, told[0]),
            class_="lk-told",
        ),
        *lanes,
        viewBox=f"0 0 {WIDTH} {below + len(lanes) * LANE_HEIGHT + 2}", role="img", aria_label=alt,
        class_="lk-chart", style=f"max-width:{WIDTH + 40}px", font_size="12",
        font_family="sans-serif", fill="currentColor",
    )  # fmt: skip


def legend(run: Run, fits: Sequence[Fit]) -> str:
    """Return what the parts of the chart of one run mean, in one sentence."""
    width = bucket_width(len(run.steps), SVG_POINTS)
    own = ", without the time in which other programs had the processor"
    said = "each step" if width == 1 else f"the mean of {width} steps; shaded: smallest to largest"
    said += own if WAITED in run.steps.names else ""
    fitted = "; thick: typical steps" if any(fit.steps for fit in fits) else ""
    first = quantity.duration(run.steps.seconds[0])
    return f"Line: {said}{fitted}. The very first step, {first}, is not drawn."


def _far_apart(curves: Sequence[Curve]) -> bool:
    """Tell whether one of some curves would lie on the axis if another were to be seen."""
    levels = [median(curve.means) for curve in curves if curve.means]
    return len(levels) > 1 and max(levels) > LEVELS_APART * max(min(levels), 1e-9)


def _plot(curves: Sequence[Curve], last: int, right: float, apart: bool) -> Box:
    """Return the scale: from 0, but logarithmic where that would leave steps out of the picture."""
    if not apart:
        top = top_milliseconds(curves)
        return Box(TOP, TOP + PLOT_HEIGHT, last, 0.0, top, right)
    lows = [low for curve in curves for low in curve.lows if low > 0]
    high = max(max(curve.highs, default=0.0) for curve in curves)
    return Box(TOP, TOP + PLOT_HEIGHT, last, 0.8 * min(lows), 1.3 * high, right, logarithmic=True)


def _curve(plot: Box, curve: Curve, fits: Sequence[Fit], colour: str) -> Markup:
    return drawn_curve(plot, curve, colour, faint=any(fit.steps for fit in fits))


def _names(
    plot: Box, drawn: Sequence[tuple[Curve, Sequence[Fit], str]], names: Sequence[str]
) -> Markup:
    named = []
    for (curve, fits, _), name in zip(drawn, names, strict=True):
        if curve.means:
            step, milliseconds = curve_end(curve, fits)
            named.append((name, step, milliseconds, fits[-1].label if fits else ""))
        else:
            named.append((f"{name}: no step", 0.0, 0.0, ""))
    return end_names(plot, named)


def _warmup(plot: Box, fits: Sequence[Fit]) -> Markup:
    """Shade the steps that were set aside."""
    width = plot.x(fits[0].steps[0]) - LEFT if fits and fits[0].steps else 0.0
    if width < 3:
        return Markup()
    shade = element(
        "rect", x=f"{LEFT}", y=f"{plot.top}", width=f"{width:.1f}", height=f"{PLOT_HEIGHT}",
        fill=COLOURS["soft"], class_="lk-fill-soft",
    )  # fmt: skip
    if width < LETTER * len("warm-up") + 12:
        return shade
    return element("g", shade, text(LEFT + 6, plot.top + 15, "warm-up", colour="ink-2"))


def _flips(plot: Box, events: Sequence[Event]) -> Markup:
    """Mark where toggles were flipped."""
    flips = [event for event in events if event.kind == "toggle"][:MOST_FLIPS]
    parts = []
    for place, event in enumerate(flips):
        x, y = plot.x(event.step), plot.top + 12 + 14 * (place % 3)
        parts.append(line(f"M{x:.1f} {plot.top}V{plot.bottom}", "axis", stroke_dasharray="4 3"))
        left = x > 0.8 * plot.right
        said = one_line(event.text, MOST_LETTERS)
        parts.append(text(x + (-5 if left else 5), y, said, anchor="end" if left else "start"))
    return joined(parts)


def _lanes(
    top: float, last: int, right: float, counters: Sequence[Series], events: Sequence[Event]
) -> list[Markup]:
    """Draw the first few counters, then the first few kinds of events that recur; one lane each.

    Args:
        top: Where the first lane begins, in pixels.
        last: The last step.
        right: Where it lies.
        counters: Each is drawn from its smallest value to its largest.
        events: Flips of toggles have their place in the chart and are left out here.
    """
    drawn: list[Markup] = []
    for series in counters[:MOST_LANES]:
        drawn.append(_counter(_box(top, len(drawn), last, right), series))
    for kind, steps in _kinds(events)[:MOST_KINDS]:
        drawn.append(_ticks(_box(top, len(drawn), last, right), kind, steps))
    return drawn


def _box(top: float, place: int, last: int, right: float) -> Box:
    return Box(top + place * LANE_HEIGHT, top + (place + 1) * LANE_HEIGHT, last, right=right)


def _counter(box: Box, series: Series) -> Markup:
    low, high = float(series.values.min()), float(series.values.max())
    inner = Box(box.top + 20, box.bottom - 8, box.last, low, high, box.right)
    curve = curve_of(series.values, LANE_POINTS, with_first=True)
    steps = np.interp(curve.steps, np.arange(len(series.steps)), series.steps)
    drawn = drawn_curve(inner, replace(curve, steps=tuple(steps.tolist())), "lane")
    return element("g", *_frame(box, series.title, series.said), drawn)


def _ticks(box: Box, kind: str, steps: Sequence[int]) -> Markup:
    places = dict.fromkeys(round(box.x(step)) for step in steps)
    path = "".join(f"M{x} {box.bottom - 5:g}v-14" for x in places)
    return element(
        "g", *_frame(box, f"what happened: {kind.replace('_', ' ')}", f"{len(steps):,} times"),
        line(path, "lane", stroke_width="1.6"),
    )  # fmt: skip


def _frame(box: Box, title: str, said: str) -> list[Markup]:
    return [
        line(f"M{LEFT} {box.bottom - 4:g}H{box.right:g}", "grid"),
        text(LEFT, box.top + 12, one_line(title, MOST_LANE_LETTERS)),
        text(box.right, box.top + 12, one_line(said, MOST_LANE_LETTERS), anchor="end"),
    ]


def _kinds(events: Sequence[Event]) -> list[tuple[str, list[int]]]:
    """Return at which steps each kind of event happened that happened more than once."""
    found: dict[str, list[int]] = {}
    for event in events:
        if event.kind != "toggle":
            found.setdefault(event.kind, []).append(event.step)
    return [(kind, steps) for kind, steps in found.items() if len(steps) > 1]
