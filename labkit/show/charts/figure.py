"""Still pictures of runs, for results that stay: figures, reports, slides.

Draws with matplotlib's objects alone: no pyplot, no backend switched, nothing left open. Knows
finished runs and diagnoses, and nothing of widgets.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from labkit.record import Column, Diagnosis, Run
from labkit.record.plain_text import one_line
from labkit.show import words
from labkit.show.charts.fits import fits
from labkit.show.charts.flips import draw_flips
from labkit.show.charts.picture import COLOURS, STYLE, Picture, rendered
from labkit.show.charts.run_curves import MOST_POINTS, draw_curves, drawn_run
from labkit.show.thinning import curve_of
from labkit.show.verdict.machine import machine

CAPTION_LETTERS = 112
LEGEND_LETTERS = 100
MOST_HEADLINE = 80  # letters


def draw_runs(
    runs: Sequence[Run],
    *,
    diagnoses: Sequence[Diagnosis] = (),
    lanes: Sequence[str] = (),
    headline: str = "",
    colours: Sequence[str] = COLOURS,
    captions: bool = True,
    names: Sequence[str] = (),
) -> Picture:
    """Draw the iteration-time curves of some runs over each other.

    Args:
        runs: One to five runs.
        diagnoses: One for each run, whose fitted lines are drawn; may be left out.
        lanes: Evidence columns to draw under the curve; those no run recorded are left out.
        headline: What the picture shows, above it; else the title of the first run.
        colours: Of each run in turn.
        captions: Whether the verdicts stand below in words.
        names: What each run is called; else what tells them apart.
    """
    names = tuple(names) or run_labels(runs)
    shown = _columns(runs, lanes)
    lines = _captions(names, diagnoses) if captions else []
    told = [fits(each) for each in diagnoses] or [()] * len(runs)
    drawn = [drawn_run(*each) for each in zip(runs, names, colours, told, strict=False)]
    with matplotlib.rc_context(STYLE):
        height = 3.7 + 0.85 * len(shown) + 0.24 * len(lines)
        figure = Figure(figsize=(9.6, height), layout="constrained", facecolor="white")
        axes = figure.subplots(
            1 + len(shown), 1, sharex=True, squeeze=False,
            height_ratios=[4.2, *(1.0 for _ in shown)],
        )[:, 0]  # fmt: skip
        draw_curves(axes[0], drawn)
        marks = [each.colour for each in drawn] if len(runs) > 1 else ["#57606a"]
        draw_flips(axes[0], [run.events for run in runs], marks)
        for lane, column in zip(axes[1:], shown, strict=True):
            _draw_lane(lane, column, runs, colours)
        title = one_line(runs[0].title, MOST_HEADLINE)
        if headline:
            axes[0].set_title(title, loc="left", fontsize=11.5, color="#57606a", pad=10)
        figure.suptitle(
            one_line(headline, MOST_HEADLINE) or title, x=0.01, ha="left", fontweight="bold",
            fontsize=15,
        )  # fmt: skip
        axes[-1].set_xlabel("step")
        if lines:
            figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=11.5)
        # What stands beside the picture is read out there.
        return rendered(figure, _alt(runs, names, diagnoses if captions else (), lanes, headline))


def run_labels(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return what tells runs apart: their titles or the toggles that differ, else their numbers.

    Of a label beyond 100 letters the middle is left out.
    """
    return tuple(one_line(label, LEGEND_LETTERS) for label in _labels(runs))


def _labels(runs: Sequence[Run]) -> tuple[str, ...]:
    if len({run.cause for run in runs}) > 1:
        titles = [run.title or "no title" for run in runs]
        return tuple(
            f"{title} {place}" if titles.count(title) > 1 else title
            for place, title in enumerate(titles, start=1)
        )
    devices = [str(run.environment.get("device", "")).upper() for run in runs]
    labels = _toggle_labels(runs)
    if len(set(devices)) == 1:
        return labels or tuple(f"run {place}" for place, _ in enumerate(runs, start=1))
    if not labels:
        return tuple(
            f"{device} {place}" if devices.count(device) > 1 else device
            for place, device in enumerate(devices, start=1)
        )
    return tuple(f"{label}, {device}" for label, device in zip(labels, devices, strict=True))


def _toggle_labels(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return what the toggles tell runs apart by; nothing where they stand alike."""
    first = runs[0].toggles
    different = [
        name for name in first if any(run.toggles.get(name) != first[name] for run in runs)
    ]
    if not different:
        return ()
    if len(runs) == 2:
        return tuple(words.toggle_values(run.toggles, only=different) for run in runs)
    labels = []
    for run in runs:
        # Of three and more, each is named by what it alone has; the usual one by all.
        own = [name for name in different if run.toggles.get(name) != _usual(runs, name)]
        labels.append(words.toggle_values(run.toggles, only=own or different))
    return tuple(labels)


def _usual(runs: Sequence[Run], name: str) -> object:
    values = [run.toggles.get(name) for run in runs]
    return max(values, key=values.count)


def _columns(runs: Sequence[Run], lanes: Sequence[str]) -> list[Column]:
    known = {column.name: column for run in runs for column in run.columns}
    return [known[name].shown for name in lanes if name in known]


def _captions(names: Sequence[str], diagnoses: Sequence[Diagnosis]) -> list[str]:
    lines: list[str] = []
    for name, said in zip(names, diagnoses, strict=False):
        start = f"{name}: " if len(diagnoses) > 1 else ""
        told = [*words.judgement(said), words.judged_ledger(said)]
        lines += [start + line for line in told if line]
    if machine_line := machine(diagnoses, names):
        lines.append(machine_line)
    return [part for line in lines for part in textwrap.wrap(line, CAPTION_LETTERS)]


def _alt(
    runs: Sequence[Run],
    names: Sequence[str],
    diagnoses: Sequence[Diagnosis],
    lanes: Sequence[str],
    headline: str,
) -> str:
    told = [f"{headline}."] if headline else []
    for place, run in enumerate(runs):
        said = diagnoses[place] if place < len(diagnoses) else None
        start = f"{names[place]}: " if len(runs) > 1 else ""
        told.append(start + words.run_alt_text(run, said, lanes))
    return " ".join(told)


def _draw_lane(axes: Axes, column: Column, runs: Sequence[Run], colours: Sequence[str]) -> None:
    scale, unit = {"s": (1e3, "ms"), "bytes": (1e-6, "MB")}.get(column.unit, (1.0, column.unit))
    for place, run in enumerate(runs):
        if column.name not in run.steps.names:
            continue
        colour = colours[place]
        curve = curve_of(np.asarray(run.steps.column(column.name)) * scale, MOST_POINTS)
        if column.kind == "counter":
            axes.plot(curve.steps, curve.means, color=colour, lw=1.8)
        elif len(runs) > 1:  # the bars of the last run would hide lower ones of the others
            axes.plot(curve.steps, curve.highs, color=colour, lw=1.2)
        else:
            axes.vlines(curve.steps, 0, curve.highs, color=colour, lw=1.2)
    said = column.title if unit in column.title else f"{column.title} ({unit})"
    axes.set_title(said, loc="left", fontsize=11, pad=3)
    low, high = axes.dataLim.intervaly
    rests = bool(low == high)
    if rests:  # else the scale of a counter that rests would show fractions of one
        axes.set_ylim(max(low - 1, -0.1), high + 1)
    axes.ticklabel_format(axis="y", useOffset=False)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=2, min_n_ticks=2, integer=rests))
    axes.grid(axis="x", visible=False)
