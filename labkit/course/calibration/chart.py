"""The picture of a learner's calibration: how sure they were, and how often they were right."""

from __future__ import annotations

from collections.abc import Sequence

from scipy.stats import binomtest

from labkit.show.charts.picture import COLOURS, STYLE, Picture, rendered


def draw_calibration(levels: Sequence[tuple[int, int, int]]) -> Picture:
    """Draw a bar for each degree of sureness, with its 95 % interval, beside what it should be.

    Args:
        levels: How sure (percent), how many predictions, and how many of them were right; one or
            more, and each with a prediction.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        height = 1.8 + 0.55 * len(levels)
        figure = Figure(figsize=(7.2, height), layout="constrained", facecolor="white")
        axes = figure.subplots()
        for row, (sure, said, right) in enumerate(levels):
            interval = binomtest(right, said).proportion_ci(method="wilson")
            axes.barh(row, right / said, height=0.55, color=COLOURS[0], alpha=0.75)
            axes.plot([interval.low, interval.high], [row, row], color="#1b1f24", lw=1.4)
            axes.plot([sure / 100] * 2, [row - 0.42, row + 0.42], color=COLOURS[1], lw=3)
        axes.set_yticks(
            range(len(levels)),
            [f"{sure} % sure: {right} of {said}" for sure, said, right in levels],
        )
        axes.set_xlim(0, 1)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        axes.grid(axis="y", visible=False)
        axes.set_xlabel(
            "share that was right, with its 95 % interval\nupright bar: how sure you were"
        )
        figure.suptitle("How well you know what you know", x=0.01, ha="left", fontweight="bold")
        return rendered(figure, _alt(levels))


def _alt(levels: Sequence[tuple[int, int, int]]) -> str:
    told = (f"when {sure} % sure, {right} of {said} right" for sure, said, right in levels)
    return f"Predictions: {'; '.join(told)}."
