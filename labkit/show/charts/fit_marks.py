"""What was said of a run, on its curve in SVG text: fitted lines, labels, names at the ends."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from labkit.show.charts.chart_pieces import COLOURS, CURVES, LETTER, Box, line, text
from labkit.show.charts.curve_plot import lasting_level
from labkit.show.charts.fits import Fit
from labkit.show.charts.spread import spread
from labkit.show.markup import Markup, element, joined
from labkit.show.thinning import Curve

LINE_HEIGHT = 15  # pixels
PILL_HEIGHT = 21
BOLD = 1.25  # bold letters are that much wider
BENDS = 12
CLEAR = 12  # pixels beside a label that its line is kept from
MARGIN = 170  # beside the curves, where their names stand
NAME_LETTERS, NAME_LINES = 21, 3
# Beyond it a linear axis leaves spikes outside, or the steps between them on the floor.
LOGARITHMIC = 30.0
TONE_COLOURS = {
    "slower": "alarm", "faster": "fix", "even": "fix", "spikes": "alarm", "open": "ink-2",
}  # fmt: skip


def curve_end(curve: Curve, fits: Sequence[Fit]) -> tuple[float, float]:
    """Return where a curve ends, as a step and in milliseconds: of its last line, or its level."""
    if fits and fits[-1].steps:
        return fits[-1].steps[-1], fits[-1].seconds[-1] * 1e3
    tail = sorted(curve.means[-9:])
    return curve.steps[-1], tail[len(tail) // 2]


def has_pauses(curve: Curve, fits: Sequence[Fit]) -> bool:
    """Tell whether a run was judged to have spikes that a linear axis leaves far outside."""
    spikes = any(fit.tone == "spikes" for fit in fits)
    return bool(spikes and curve.means and max(curve.highs) > LOGARITHMIC * lasting_level(curve))


def fitted_lines(plot: Box, fits: Sequence[Fit], colour: str = "") -> Markup:
    """Draw the fitted line of each stretch, thick; in the colour of its verdict unless told."""
    return joined(
        line(
            f"M{' L'.join(_corners(plot, fit))}", colour or TONE_COLOURS[fit.tone],
            stroke_width="3.5", stroke_linecap="round", stroke_linejoin="round",
        )
        for fit in fits
        if fit.steps
    )  # fmt: skip


def fit_labels(plot: Box, fits: Sequence[Fit]) -> Markup:
    """Write what was said of each stretch at the middle of its line, over no other label."""
    placed: list[tuple[float, float, float]] = []
    parts = []
    for fit in fits:
        if not fit.steps or not fit.label:
            continue
        wide = BOLD * LETTER * len(fit.label) + 14
        middle = (plot.x(fit.steps[0]) + plot.x(min(fit.steps[-1], plot.last))) / 2
        left = max(plot.x(0) + 2, min(plot.right - wide, middle - wide / 2))
        heights = _heights(plot, fit, left - CLEAR, left + wide + CLEAR)
        above = min(heights) - PILL_HEIGHT - 10
        top = above if above >= plot.top + 4 else max(heights) + 10
        while any(
            left < right and other < left + wide and abs(top - high) < PILL_HEIGHT
            for other, right, high in placed
        ):
            top += PILL_HEIGHT + 2
        placed.append((left, left + wide, top))
        parts.append(_pill(left, top, wide, fit))
    return joined(parts)


def end_names(plot: Box, named: Sequence[tuple[str, float, float, str]]) -> Markup:
    """Write what curves are called, each beside its end.

    Args:
        plot: Where the curves lie.
        named: Of each curve its name, where it ends as a step and in milliseconds, and what was
            said of it in a few words; in the order of `CURVES`.
    """
    rows = []
    for place, (name, step, milliseconds, label) in enumerate(named):
        lines = textwrap.wrap(name, NAME_LETTERS, max_lines=NAME_LINES, placeholder=" ...")
        lines += [label] if label else []
        rows.append((plot.y(milliseconds), step, lines, CURVES[place]))
    rows.sort(key=lambda row: row[0])
    middles = spread([row[0] for row in rows], [LINE_HEIGHT * len(row[2]) + 4 for row in rows],
                     plot.top, plot.bottom)  # fmt: skip
    parts = []
    for (y, step, lines, colour), middle in zip(rows, middles, strict=True):
        x = plot.x(min(step, plot.last))
        leader = f"M{x + 3:.1f} {y:.1f}L{plot.right + 14:g} {middle:.1f}"
        parts.append(line(leader, colour, stroke_width="1", stroke_dasharray="1 3"))
        first = middle - LINE_HEIGHT * (len(lines) - 1) / 2 + 4
        parts += [
            text(plot.right + 18, first + LINE_HEIGHT * row, said, colour=colour, bold=True)
            for row, said in enumerate(lines)
        ]
    return joined(parts)


def _heights(plot: Box, fit: Fit, left: float, right: float) -> list[float]:
    """Return how high a line lies at and between two places on the x axis."""
    corners = [
        (float(x), float(y)) for x, _, y in (each.partition(" ") for each in _corners(plot, fit))
    ]
    found = [y for x, y in corners if left < x < right]
    places, ys = zip(*corners, strict=True)
    return [*found, *np.interp([left, right], places, ys).tolist()]


def _corners(plot: Box, fit: Fit) -> list[str]:
    """Return where a line goes; straight in seconds, and so bent on a logarithmic axis."""
    found = []
    corners = list(zip(fit.steps, fit.seconds, strict=True))
    for (step, second), (then, after) in pairwise(corners):
        for part in range(BENDS if plot.logarithmic else 1):
            share = part / BENDS
            at, high = step + share * (then - step), second + share * (after - second)
            found.append(f"{plot.x(min(at, plot.last)):.1f} {plot.y(high * 1e3):.1f}")
    step, second = corners[-1]
    return [*found, f"{plot.x(min(step, plot.last)):.1f} {plot.y(second * 1e3):.1f}"]


def _pill(left: float, top: float, wide: float, fit: Fit) -> Markup:
    colour = TONE_COLOURS[fit.tone]
    box = element(
        "rect", x=f"{left:.1f}", y=f"{top:.1f}", width=f"{wide:.1f}", height=f"{PILL_HEIGHT}",
        rx="5", fill="none", stroke=COLOURS[colour], stroke_width="1.5",
        class_=f"lk-fill-paper lk-line-{colour}",
    )  # fmt: skip
    return element("g", box, text(left + 7, top + 15, fit.label, bold=True))
