"""The chart of step times: iteration-time curves, what was said of the first, and evidence below.

SVG text that needs no script. It is handed finished numbers and decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from labkit.record import Event, Run, Verdict, quantity
from labkit.record.plain_text import one_line
from labkit.show.charts.chart_pieces import (
    COLOURS,
    CURVES,
    LEFT,
    LETTER,
    RIGHT,
    WIDTH,
    Box,
    curve_line,
    line,
    text,
)
from labkit.show.charts.curve_plot import above, drawn_curve, grid, points, top_milliseconds
from labkit.show.charts.series import Series
from labkit.show.markup import Markup, element, joined
from labkit.show.thinning import SVG_POINTS, Curve, bucket_width, curve_of

TOP, PLOT_HEIGHT, AXIS_HEIGHT = 24, 240, 34
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
    verdict: Verdict | None = None,
    counters: Sequence[Series] = (),
    events: Sequence[Event] = (),
) -> Markup:
    """Draw the steps of a run, and those of others behind it, dashed.

    Args:
        curves: One to four, in milliseconds, that of the run first.
        alt: The picture in words.
        verdict: What was said of all steps of the run, to be drawn as well.
        counters: What to draw below it.
        events: What happened in the run.
    """
    last = max(1, max(curve.count for curve in curves) - 1)
    plot = Box(TOP, TOP + PLOT_HEIGHT, last, 0.0, top_milliseconds(curves))
    below = TOP + PLOT_HEIGHT + AXIS_HEIGHT
    drawn = _lanes(below, last, counters, events)
    others = zip(curves[1:], CURVES[1:], strict=False)
    return element(
        "svg",
        _warmup(plot, verdict) if verdict else Markup(),
        grid(plot),
        *(curve_line(points(plot, curve.steps, curve.means), *look) for curve, look in others),
        drawn_curve(plot, curves[0]),
        _levels(plot, verdict) if verdict else Markup(),
        above(plot, curves[0]),
        _flips(plot, events),
        *drawn,
        viewBox=f"0 0 {WIDTH} {below + len(drawn) * LANE_HEIGHT + 2}", role="img", aria_label=alt,
        class_="lk-chart", style=f"max-width:{WIDTH + 40}px", font_size="12",
        font_family="sans-serif", fill="currentColor",
    )  # fmt: skip


def legend(run: Run, verdict: Verdict) -> str:
    """Return what the parts of the chart of one run mean, in one sentence."""
    width = bucket_width(len(run.steps), SVG_POINTS)
    said = "each step" if width == 1 else f"the mean of {width} steps; shaded: smallest to largest"
    fitted = "; dashed: the growth as fitted" if _shows_levels(verdict) else ""
    first = quantity.duration(run.steps.seconds[0])
    return f"Line: {said}{fitted}. The very first step, {first}, is not drawn."


def _shows_levels(verdict: Verdict) -> bool:
    """Tell whether the fit can be drawn.

    Where the machine took part it is a fit of other times than those drawn, and would not lie on
    the curve.
    """
    known = verdict.first_seconds is not None and verdict.last_seconds is not None
    return verdict.slower and known and not verdict.disturbed


def _warmup(plot: Box, verdict: Verdict) -> Markup:
    """Shade the steps that were set aside."""
    width = plot.x(verdict.warmup_steps) - LEFT
    if width < 3:
        return Markup()
    shade = element(
        "rect", x=f"{LEFT}", y=f"{plot.top}", width=f"{width:.1f}", height=f"{PLOT_HEIGHT}",
        fill=COLOURS["soft"], class_="lk-fill-soft",
    )  # fmt: skip
    if width < LETTER * len("warm-up") + 12:
        return shade
    return element("g", shade, text(LEFT + 6, plot.top + 15, "warm-up", colour="ink-2"))


def _levels(plot: Box, verdict: Verdict) -> Markup:
    """Draw the growth as it was fitted."""
    if not _shows_levels(verdict):
        return Markup()
    assert verdict.first_seconds is not None and verdict.last_seconds is not None
    # Growth that came early is judged by the steps in which it did; the rest stays at its level.
    end_step = min(verdict.steps - 1, plot.last) if verdict.steps else plot.last
    start, end = plot.x(verdict.warmup_steps), plot.x(end_step)
    first, last = plot.y(verdict.first_seconds * 1e3), plot.y(verdict.last_seconds * 1e3)
    path = f"M{start:.1f} {first:.1f}L{end:.1f} {last:.1f}"
    if verdict.label == "shift" and verdict.onset_step is not None:
        path = f"M{start:.1f} {first:.1f}H{plot.x(verdict.onset_step):.1f}V{last:.1f}H{end:.1f}"
    if end_step < plot.last:
        path += f"H{plot.x(plot.last):.1f}"
    return line(path, "alarm", stroke_width="1.6", stroke_dasharray="7 4")


def _flips(plot: Box, events: Sequence[Event]) -> Markup:
    """Mark where toggles were flipped."""
    flips = [event for event in events if event.kind == "toggle"][:MOST_FLIPS]
    parts = []
    for place, event in enumerate(flips):
        x, y = plot.x(event.step), plot.top + 12 + 14 * (place % 3)
        parts.append(line(f"M{x:.1f} {plot.top}V{plot.bottom}", "axis", stroke_dasharray="4 3"))
        left = x > 0.8 * RIGHT
        said = one_line(event.text, MOST_LETTERS)
        parts.append(text(x + (-5 if left else 5), y, said, anchor="end" if left else "start"))
    return joined(parts)


def _lanes(
    top: float, last: int, counters: Sequence[Series], events: Sequence[Event]
) -> list[Markup]:
    """Draw the first few counters, then the first few kinds of events that recur; one lane each.

    Args:
        top: Where the first lane begins, in pixels.
        last: The last step.
        counters: Each is drawn from its smallest value to its largest.
        events: Flips of toggles have their place in the chart and are left out here.
    """
    drawn: list[Markup] = []
    for series in counters[:MOST_LANES]:
        drawn.append(_counter(_box(top, len(drawn), last), series))
    for kind, steps in _kinds(events)[:MOST_KINDS]:
        drawn.append(_ticks(_box(top, len(drawn), last), kind, steps))
    return drawn


def _box(top: float, place: int, last: int) -> Box:
    return Box(top + place * LANE_HEIGHT, top + (place + 1) * LANE_HEIGHT, last)


def _counter(box: Box, series: Series) -> Markup:
    low, high = float(series.values.min()), float(series.values.max())
    inner = Box(box.top + 20, box.bottom - 8, box.last, low, high)
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
        line(f"M{LEFT} {box.bottom - 4:g}H{RIGHT}", "grid"),
        text(LEFT, box.top + 12, one_line(title, MOST_LANE_LETTERS)),
        text(RIGHT, box.top + 12, one_line(said, MOST_LANE_LETTERS), anchor="end"),
    ]


def _kinds(events: Sequence[Event]) -> list[tuple[str, list[int]]]:
    """Return at which steps each kind of event happened that happened more than once."""
    found: dict[str, list[int]] = {}
    for event in events:
        if event.kind != "toggle":
            found.setdefault(event.kind, []).append(event.step)
    return [(kind, steps) for kind, steps in found.items() if len(steps) > 1]
