"""Curves of runs over each other: faint steps, a thick fitted line, and each name at its end."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from labkit.record import Run, quantity
from labkit.show.charts.curve_plot import top_milliseconds
from labkit.show.charts.fit_marks import curve_end, has_pauses
from labkit.show.charts.fits import Fit
from labkit.show.charts.spread import spread
from labkit.show.thinning import WAITED, Curve, read_curve

MOST_POINTS = 1_200
NAME_LETTERS, NAME_LINES = 22, 3
LINE_HEIGHT = 0.07  # of the axes, a little more than a line of small type takes
MACHINE = "#57606a"
MACHINE_SHARE = 0.02


@dataclass(frozen=True)
class DrawnRun:
    """One run as it is drawn.

    Args:
        name: What it is called.
        colour: Of its line, its marks and its name.
        own: The loop's own time of each step, in milliseconds.
        wall: The same with what other programs took; None where that was not counted.
        fits: What was said of each stretch; empty where nothing is to be shown of it.
    """

    name: str
    colour: str
    own: Curve
    wall: Curve | None
    fits: Sequence[Fit]


def drawn_run(run: Run, name: str, colour: str, fits: Sequence[Fit] = ()) -> DrawnRun:
    """Return a run as it is drawn."""
    wall = read_curve(run, MOST_POINTS, wall=True) if WAITED in run.steps.names else None
    return DrawnRun(name, colour, read_curve(run, MOST_POINTS), wall, tuple(fits))


def draw_curves(axes: Axes, runs: Sequence[DrawnRun]) -> None:
    """Draw the curves, the scale, and at the right margin the names where there are several."""
    drawn = [run for run in runs if run.own.steps]
    top = top_milliseconds([run.own for run in drawn])
    logarithmic = any(has_pauses(run.own, run.fits) for run in drawn)
    for row, run in reversed(list(enumerate(drawn))):
        _draw_curve(axes, run)
        if not logarithmic:
            _draw_off_scale(axes, run, top, row)
    axes.set_xlim(left=0)
    if logarithmic:
        axes.set_yscale("log")
        # Plain numbers: as powers they are formulas, and formulas are not drawn.
        axes.yaxis.set_major_formatter(lambda value, _place: f"{value:,.10g}")
        axes.set_ylabel("ms per step (logarithmic)")
    else:
        axes.set_ylim(0, top)
        axes.set_ylabel("ms per step")
    if any(_machine_share(run) >= MACHINE_SHARE for run in drawn):
        axes.annotate(
            "grey: other programs", (1, 1), xycoords="axes fraction", xytext=(0, 4),
            textcoords="offset points", ha="right", fontsize=10.5, color=MACHINE,
        )  # fmt: skip
    if len(runs) > 1:
        _draw_names(axes, drawn)


def _draw_curve(axes: Axes, run: DrawnRun) -> None:
    own, colour = run.own, run.colour
    lines = [fit for fit in run.fits if fit.steps]
    if run.wall is not None and run.wall.steps == own.steps:
        axes.fill_between(own.steps, own.means, run.wall.means, color=MACHINE, alpha=0.25, lw=0)
    axes.fill_between(own.steps, own.lows, own.highs, color=colour, alpha=0.18, lw=0)
    width, alpha = (0.9, 0.55) if lines else (1.8, 1.0)
    axes.plot(own.steps, own.means, color=colour, lw=width, alpha=alpha)
    for fit in lines:
        milliseconds = [second * 1e3 for second in fit.seconds]
        axes.plot(fit.steps, milliseconds, color=colour, lw=3, solid_capstyle="round")


def _machine_share(run: DrawnRun) -> float:
    """Return how much of the time other programs took."""
    if run.wall is None or not run.wall.means:
        return 0.0
    return 1 - sum(run.own.means) / sum(run.wall.means)


def _draw_off_scale(axes: Axes, run: DrawnRun, top: float, row: int) -> None:
    curve, colour = run.own, run.colour
    over = [step for step, high in zip(curve.steps, curve.highs, strict=True) if high > top]
    if over:
        axes.plot(over, [top] * len(over), "^", color=colour, ms=6, clip_on=False)
        axes.annotate(
            f"above the scale, up to {quantity.duration(max(curve.highs) / 1e3)}",
            # On the left, where a curve that grows is low, and never beyond the axes.
            (0, 1), xycoords="axes fraction", xytext=(8, -14 - 13 * row),
            textcoords="offset points", ha="left", fontsize=10.5, color=colour,
            bbox={"fc": "white", "ec": "none", "alpha": 0.8, "pad": 1},
        )  # fmt: skip


def _draw_names(axes: Axes, runs: Sequence[DrawnRun]) -> None:
    """Write each name where its curve ends, and below it what was said of its last stretch."""
    draw_end_names(axes, [
        (run.name, run.fits[-1].label if run.fits else "", run.colour, curve_end(run.own, run.fits))
        for run in runs
    ])  # fmt: skip


def draw_end_names(axes: Axes, named: Sequence[tuple[str, str, str, tuple[float, float]]]) -> None:
    """Write names beside the ends of their curves, none over another.

    Args:
        axes: Where the curves are drawn, in their final scale.
        named: Of each its name, a few words below it, its colour, and where it ends.
    """
    placed = []
    for name, label, colour, end in named:
        lines = textwrap.wrap(name, NAME_LETTERS, max_lines=NAME_LINES, placeholder=" ...")
        place = axes.transAxes.inverted().transform(axes.transData.transform(end))
        lines += [label] if label else []
        placed.append((min(1.0, float(place[1])), lines, colour, end))
    placed.sort(key=lambda each: each[0])
    middles = spread([height for height, *_ in placed],
                     [LINE_HEIGHT * len(lines) for _, lines, *_ in placed])  # fmt: skip
    for (_, lines, colour, end), middle in zip(placed, middles, strict=True):
        axes.annotate(
            "\n".join(lines), end, xycoords="data", xytext=(1.025, middle),
            textcoords="axes fraction", fontsize=10.5, color=colour, va="center", ha="left",
            annotation_clip=False, fontweight="bold",
            arrowprops={"arrowstyle": "-", "color": colour, "lw": 0.9, "ls": (0, (1, 2)),
                        "shrinkA": 1, "shrinkB": 1, "relpos": (0, 0.5)},
        )  # fmt: skip
