"""The class chart: one run of each machine in one picture, so that machines can be compared.

On the left every curve, on a scale on which twice is always the same distance; on the right each
machine as a point: how long its first steps took, and how much longer its last ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter
from numpy.typing import NDArray

from labkit.record.plain_text import one_line
from labkit.show.charts.picture import COLOURS, STYLE, Picture, rendered
from labkit.show.charts.run_curves import draw_end_names

if TYPE_CHECKING:
    from labkit.course.classroom.classroom import Member

MOST_POINTS = 100
LEAST_BUCKET = 5
MOST_LETTERS = 100  # of a title or a name; a long one takes many seconds to draw
GUESSED = "#57606a"
MARKERS = ("o", "s", "^", "D", "v")


def class_chart(
    members: Sequence[Member],
    title: str,
    alt: str,
    colours: Sequence[str] = COLOURS,
    guesses: Sequence[Sequence[float]] = (),
) -> Picture:
    """Draw the runs of a class.

    Args:
        members: Each with a step at least.
        colours: Of each group in turn, over and over where they are fewer.
        title: The headline.
        alt: The picture in words.
        guesses: Curves that were drawn before, as multiples of their beginning.
    """
    import matplotlib

    groups = list(dict.fromkeys(member.group for member in members))
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(11, 4.8), layout="constrained", facecolor="white")
        curves, points = figure.subplots(1, 2, width_ratios=[1.3, 1])
        ends = []
        _draw_guesses(curves, guesses, [each for each in members if each.group == groups[0]])
        for place, group in enumerate(groups):
            of_group = [member for member in members if member.group == group]
            colour = colours[place % len(colours)]
            ends.append(_draw_curves(curves, of_group, colour))
            _draw_points(points, of_group, colour, MARKERS[place % len(MARKERS)])
        _name_axes(curves, points)
        if len(groups) > 1:
            draw_end_names(curves, [
                (one_line(group, MOST_LETTERS), "", colours[place % len(colours)], end)
                for place, (group, end) in enumerate(zip(groups, ends, strict=True))
            ])  # fmt: skip
        headline = one_line(title, MOST_LETTERS)
        figure.suptitle(headline, x=0.01, ha="left", fontweight="bold", fontsize=15)
        return rendered(figure, alt)


def _draw_guesses(
    axes: Axes, guesses: Sequence[Sequence[float]], members: Sequence[Member]
) -> None:
    """Draw what was guessed, from where the class's middle run begins to where it ends."""
    levels = sorted(each.verdict.first_seconds for each in members if each.verdict.first_seconds)
    if not levels:
        return
    level = 1e3 * levels[len(levels) // 2]
    last = sorted(len(each.run.steps) for each in members)[len(members) // 2] - 1
    for guess in guesses:
        steps = np.linspace(1, max(2, last), len(guess))
        axes.plot(steps, level * np.asarray(guess), color=GUESSED, lw=1, ls=":", zorder=1)


def _draw_curves(axes: Axes, members: Sequence[Member], colour: str) -> tuple[float, float]:
    """Draw a group's curves, and return where the middle one of them ends."""
    ends = []
    for member in members:
        steps, medians = _levels(np.asarray(member.run.steps.seconds) * 1e3)
        axes.plot(steps, medians, color=colour, lw=1.3, alpha=0.65)
        ends.append((medians[-1], steps[-1]))
    milliseconds, step = sorted(ends)[len(ends) // 2]
    return step, milliseconds


def _levels(values: NDArray[np.float64]) -> tuple[list[int], list[float]]:
    """Return the median of each of some buckets: the spikes of a hundred runs hide their levels."""
    count = max(1, min(MOST_POINTS, len(values) // LEAST_BUCKET))
    buckets = np.array_split(np.arange(1, len(values)), count)
    kept = [bucket for bucket in buckets if len(bucket)]
    middles = [int(bucket[len(bucket) // 2]) for bucket in kept]
    return middles, [float(np.median(values[bucket])) for bucket in kept]


def _draw_points(axes: Axes, members: Sequence[Member], colour: str, marker: str) -> None:
    told = [member.verdict for member in members if member.verdict.growth is not None]
    first = [1e3 * (verdict.first_seconds or np.nan) for verdict in told]
    factors = np.array([1 + (verdict.growth or 0.0) for verdict in told])
    low = factors - [1 + (verdict.low or 0.0) for verdict in told]
    high = [1 + (verdict.high or 0.0) for verdict in told] - factors
    axes.errorbar(
        first, factors, yerr=np.maximum(0, [low, high]), fmt=marker,
        color=colour, ms=7, lw=1.2, alpha=0.75,
    )  # fmt: skip


def _name_axes(curves: Axes, points: Axes) -> None:
    plain = FuncFormatter(lambda value, _place: f"{value:g}")
    curves.set_yscale("log", base=2)
    curves.set_xlim(left=0)
    curves.set_xlabel("step")
    curves.set_ylabel("ms per step")
    points.set_xscale("log", base=2)
    points.axhline(1, color="#8c959f", lw=1)
    points.set_xlabel("ms per step at first")
    points.set_ylabel("at the end, times as long")
    for axis in (curves.yaxis, points.xaxis):
        axis.set_major_formatter(plain)
