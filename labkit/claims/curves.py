"""The curves of a claim's experiment: one small picture, and what each run says."""

from __future__ import annotations

from labkit.claims import Tried
from labkit.show.charts.chart_pieces import CURVES
from labkit.show.charts.step_chart import step_chart
from labkit.show.markup import Markup, element, folded, joined
from labkit.show.thinning import read_curve

# Enough to see the shape; a page of all claims stays small.
MOST_POINTS = 120
LINES = ("solid", "dashed", "dotted", "dashed and dotted")


def curves(tried: Tried) -> Markup:
    """Return the curves of a claim's runs, folded; a run without a step says how it failed.

    Args:
        tried: The claim, after its trial.
    """
    claim, played = tried.claim, tried.played
    told = [f"{name}: {played.told(name)}" for name in played.runs]
    drawn = [name for name, run in played.runs.items() if len(run.steps) > 1][: len(CURVES)]
    parts = []
    if drawn:
        shown = [read_curve(played.runs[name], MOST_POINTS) for name in drawn]
        parts.append(step_chart(shown, f"{claim.id} {claim.title}. {'. '.join(told)}."))
        names = (f"{name} {line}" for name, line in zip(drawn, LINES, strict=False))
        parts.append(element("p", f"Lines: {', '.join(names)}."))
    said = joined(element("li", line) for line in told)
    return folded(f"{claim.id} {claim.title}: its curves", *parts, element("ul", said))
