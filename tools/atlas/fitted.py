"""What the judge fitted to a run, drawn over its points: levels, a trend, an onset, a period."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from labkit.record import Verdict
from labkit.record.quantity import duration
from labkit.show.charts.picture import COLOURS
from labkit.stats.series import joined
from labkit.stats.shape.shape import find_shape

INK, PALE, SHADE = "#1b1f24", "#57606a", "#eef1f4"
# Of an unsteady run no level is fitted that could be drawn; this is what the eye would draw.
NEIGHBOURS = 15

Numbers = NDArray[np.float64]


def draw_fitted(
    axes: Axes, milliseconds: Numbers, verdict: Verdict, *, right: float, height: float
) -> None:
    """Mark what the judge fitted: a trend, a level, two of them, how far teeth are apart.

    Args:
        axes: Where to draw.
        milliseconds: The time of each step.
        verdict: What the judge said of them.
        right: The last step on the axis.
        height: In milliseconds, above what the steps are.
    """
    count, begin = len(milliseconds), verdict.warmup_steps
    if verdict.first_seconds is None or verdict.last_seconds is None:
        axes.axvspan(count, right, color=SHADE, lw=0, zorder=0)
        say(axes, "too few to judge", (1.4 * count, 0.5 * height))
        return
    first, last = verdict.first_seconds * 1e3, verdict.last_seconds * 1e3
    if verdict.label == "unsteady":
        _line(axes, np.arange(float(begin), count), _running_median(milliseconds[begin:]))
    elif verdict.label in ("slowdown", "speedup"):
        _line(axes, *fitted_trend(milliseconds, verdict))
        below = -24 if last < first else -13  # a falling curve comes down there
        say(axes, duration(first / 1e3), (begin, first), offset=(2, below))
        say(axes, f"{duration(last / 1e3)}\n{_factor(last / first)}", (count, last), offset=(3, -8))
    elif verdict.label == "shift" and verdict.onset_step is not None:
        onset = verdict.onset_step
        _line(axes, [begin, onset], [first, first])
        _line(axes, [onset, count], [last, last])
        axes.axvline(onset, color=PALE, lw=1, ls=(0, (4, 3)))
        say(axes, f"step {onset}", (onset, 0), offset=(4, 5))
        say(axes, duration(first / 1e3), (begin, first), offset=(8, -13))
        say(
            axes, f"{duration(last / 1e3)}, {_factor(last / first)}", (onset, last), offset=(8, -13)
        )
    else:
        level = (first * last) ** 0.5
        _line(axes, [begin, count], [level, level])
        if verdict.label != "spikes":
            below = level > 0.3 * height  # where the strays are not, if there is room
            say(axes, duration(level / 1e3), (0.86 * count, level), offset=(0, -13 if below else 7))
        elif verdict.spike_period is not None:
            _mark_period(axes, milliseconds, verdict.spike_period, height)


def fitted_trend(milliseconds: Numbers, verdict: Verdict) -> tuple[Numbers, Numbers]:
    """Return the steps and levels of the curve that the judge fitted, after the warm-up.

    A verdict tells the first and the last level only; the way between them is fitted once more.

    Args:
        milliseconds: The time of each step.
        verdict: What the judge said of them; it has a first and a last level.
    """
    assert verdict.first_seconds is not None and verdict.last_seconds is not None
    begin = verdict.warmup_steps
    points, width = joined(np.log(milliseconds[begin:]))
    shape = find_shape(points, width=width)
    fitted = shape.trend.fitted if shape.kind == "trend" else shape.kept.fitted()
    way = (fitted - shape.start) / shape.rise
    steps = begin + width * np.flatnonzero(shape.used) + (width - 1) / 2
    levels = verdict.first_seconds * (verdict.last_seconds / verdict.first_seconds) ** way * 1e3
    return steps, levels


def _factor(ratio: float) -> str:
    return f"{ratio:.{1 if ratio >= 2 else 2}f}x"


def _mark_period(axes: Axes, milliseconds: Numbers, period: float, height: float) -> None:
    """Draw an arrow from one tooth to the next, over the middle of the run."""
    middle = len(milliseconds) // 2
    teeth = np.where(milliseconds < height, milliseconds, 0.0)  # what is higher is a stray
    start = middle + int(np.argmax(teeth[middle : middle + round(period)]))
    axes.annotate(
        "", (start + period, height), xytext=(start, height),
        arrowprops={"arrowstyle": "<->", "color": INK, "lw": 0.8, "shrinkA": 0, "shrinkB": 0},
    )  # fmt: skip
    say(axes, f"{period:g} steps", (start + period, height), offset=(4, -3))


def _line(axes: Axes, steps: Sequence[float] | Numbers, levels: Sequence[float] | Numbers) -> None:
    axes.plot(
        steps, levels, color=COLOURS[1], ls=(0, (6, 3)), lw=1.8, solid_capstyle="butt", zorder=4
    )


def _running_median(milliseconds: Numbers) -> Numbers:
    half = NEIGHBOURS // 2
    padded = np.pad(milliseconds, half, mode="reflect")
    windows = np.lib.stride_tricks.sliding_window_view(padded, NEIGHBOURS)
    return np.asarray(np.median(windows, axis=1), dtype=np.float64)


def say(
    axes: Axes, text: str, place: tuple[float, float], *,
    offset: tuple[float, float] = (0, 0), colour: str = INK,
) -> None:  # fmt: skip
    axes.annotate(
        text, place, xytext=offset, textcoords="offset points", fontsize=8, color=colour,
        zorder=6, annotation_clip=False,
        bbox={"fc": "white", "ec": "none", "alpha": 0.8, "pad": 0.8},
    )  # fmt: skip
