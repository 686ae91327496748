"""One small chart: the steps of a run as points, and over them what the judge fitted."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from labkit.record import Verdict
from labkit.record.quantity import duration
from labkit.show.charts.curve_plot import top_milliseconds
from labkit.show.charts.picture import COLOURS, STYLE
from labkit.show.thinning import curve_of
from tools.atlas.fitted import PALE, SHADE, Numbers, draw_fitted, say

# Shown at half its pixels, 420 wide, it is sharp on any screen.
SIZE_INCHES = (4.2, 2.1)
DPI = 200
PALETTE = 64
# A mark over the teeth of a comb needs that much room, or it hides one.
HEADROOM = 1.25
# Where the words on a warm-up may stand, and the room they need, as shares of the picture.
WORDS_AT, WORDS_WIDE, WORDS_HIGH = (0.42, 0.7, 0.2), 0.4, 0.09
SMALL: dict[Any, Any] = {"font.size": 8.5, "axes.linewidth": 0.7, "grid.linewidth": 0.6}


def draw(seconds: Sequence[float], verdict: Verdict, *, title: str) -> bytes:
    """Draw the step times of a run and the verdict on them as a small PNG."""
    pixels = io.BytesIO()
    canvas = FigureCanvasAgg(chart(seconds, verdict, title=title))
    canvas.print_figure(pixels, format="png", dpi=DPI)
    return fewer_colours(pixels.getvalue(), PALETTE)


def chart(seconds: Sequence[float], verdict: Verdict, *, title: str) -> Figure:
    """Return what `draw` draws, before it is made into pixels."""
    milliseconds = np.asarray(seconds, dtype=np.float64) * 1e3
    with matplotlib.rc_context({**STYLE, **SMALL}):
        figure = Figure(figsize=SIZE_INCHES, layout="constrained", facecolor="white")
        axes = figure.subplots()
        axes.set_title(verdict.label, loc="left", fontweight="bold", fontsize=9.5, pad=4)
        axes.set_title(title, loc="right", color=PALE, fontsize=8.5, pad=4)
        top, right = _top(milliseconds, verdict), len(milliseconds) * _room(verdict)
        _draw_points(axes, milliseconds, top)
        if verdict.label == "spikes":
            axes.plot(milliseconds, color=COLOURS[0], lw=0.5, alpha=0.5)
        _draw_warmup(axes, milliseconds, verdict, top)
        draw_fitted(axes, milliseconds, verdict, right=right, height=0.9 * top)
        axes.set(ylim=(0, top), xlabel="step", ylabel="ms per step")
        axes.set_xlim(-0.01 * len(milliseconds), right)
        axes.tick_params(length=2)
    return figure


def fewer_colours(png: bytes, colours: int) -> bytes:
    """Return a picture in so many colours: a drawing has no more, and the file is a third."""
    smaller = io.BytesIO()
    with Image.open(io.BytesIO(png)) as image:
        reduced = image.convert("RGB").quantize(colours, dither=Image.Dither.NONE)
        reduced.save(smaller, format="PNG", optimize=True)
    return smaller.getvalue()


def _top(milliseconds: Numbers, verdict: Verdict) -> float:
    """Return the top of the scale; what is slow on purpose is on it, single strays are not."""
    if verdict.label in ("warmup", "spikes", "too_short"):
        top = HEADROOM * float(np.quantile(milliseconds[1:], 0.985))
        while verdict.label == "spikes":
            tallest = float(milliseconds[milliseconds <= top].max())
            if HEADROOM * tallest <= top:
                break
            top = HEADROOM * tallest
        return top
    highest = np.quantile(milliseconds[1:], 0.99 if len(milliseconds) >= 100 else 1.0)
    without_strays = np.minimum(milliseconds, highest)
    top = top_milliseconds([curve_of(without_strays, len(milliseconds))])
    # A flat line at the upper edge would look as if it were cut off.
    return max(top, 1.5 * float(np.median(milliseconds))) if verdict.label == "flat" else top


def _room(verdict: Verdict) -> float:
    """Return how far the axis goes, as a share of the run."""
    if verdict.label == "too_short":
        return 2.5
    return 1.16 if verdict.label in ("slowdown", "speedup") else 1.01


def _draw_points(axes: Axes, milliseconds: Numbers, top: float) -> None:
    steps = np.arange(len(milliseconds))
    inside = milliseconds <= top
    axes.plot(steps[inside], milliseconds[inside], "o", color=COLOURS[0], ms=2.6, mew=0, alpha=0.75)
    axes.plot(
        steps[~inside], np.full((~inside).sum(), top), "^", color=COLOURS[0], ms=4, mew=0,
        clip_on=False, zorder=5,
    )  # fmt: skip
    if not inside[0]:
        said = f"first step {duration(milliseconds[0] / 1e3)}"
        say(axes, said, (0, top), offset=(6, -7), colour=PALE)


def _draw_warmup(axes: Axes, milliseconds: Numbers, verdict: Verdict, top: float) -> None:
    """Shade what was set aside, and say how much it was where the words hide the fewest steps."""
    if verdict.warmup_steps > 0.05 * verdict.steps:
        axes.axvspan(0, verdict.warmup_steps - 0.5, color=SHADE, lw=0, zorder=0)
        end = verdict.warmup_steps
        beside = milliseconds[end : end + round(WORDS_WIDE * len(milliseconds))]
        height = min(
            (share * top for share in WORDS_AT),
            key=lambda height: int((abs(beside - height) < WORDS_HIGH * top).sum()),
        )
        say(axes, f"warm-up: {end} steps", (end, height), offset=(4, -3))
