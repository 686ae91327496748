"""The lanes under a chart: a counter over the steps, and the steps at which something happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from labkit.record import Event
from labkit.record.plain_text import one_line
from labkit.show.charts.chart_pieces import LEFT, RIGHT, Box, line, text
from labkit.show.charts.curve_plot import drawn_curve
from labkit.show.charts.series import Series
from labkit.show.markup import Markup, element
from labkit.show.thinning import curve_of

LANE_HEIGHT = 50
LANE_POINTS = 128  # so low a lane shows no more than its ends and its spikes
MOST_LANES = 3
MOST_KINDS = 3
MOST_LETTERS = 70


def lanes(
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
        text(LEFT, box.top + 12, one_line(title, MOST_LETTERS)),
        text(RIGHT, box.top + 12, one_line(said, MOST_LETTERS), anchor="end"),
    ]


def _kinds(events: Sequence[Event]) -> list[tuple[str, list[int]]]:
    """Return at which steps each kind of event happened that happened more than once."""
    found: dict[str, list[int]] = {}
    for event in events:
        if event.kind != "toggle":
            found.setdefault(event.kind, []).append(event.step)
    return [(kind, steps) for kind, steps in found.items() if len(steps) > 1]
