"""Curves in one picture are told apart by colour, whatever one's sight, and by names.

Tier: make test.
"""

from __future__ import annotations

import re
from importlib import resources
from itertools import combinations

import pytest

from labkit.show.charts import chart_pieces, picture
from labkit.show.live.answer import GHOSTS
from tests.show.colour import SIGHT, contrast, distance

# Five times what can just be seen by an eye that looks for it.
APART = 10.0
STANDS_OUT = 3.0  # what WCAG asks of lines; of words it asks 4.5
CURVES = ("curve", *(f"ghost-{k}" for k in range(1, GHOSTS + 1)))
PAPERS = {"light": "#ffffff", "dark": "#111111"}


def declared(theme: str) -> dict[str, str]:
    """Return the panel's own colours in a theme, by name."""
    sheet = resources.files("labkit.show").joinpath("panel.css").read_text("utf-8")
    parts = sheet.split(".labkit-panel[data-theme=dark] {")
    block = parts[theme == "dark"].partition("}")[0]
    return dict(re.findall(r"--lk-([\w-]+): (#[0-9a-f]{6});", block))


PANEL = {theme: [declared(theme)[name] for name in CURVES] for theme in PAPERS}
TOGETHER = {
    "panel, light": PANEL["light"],
    "panel, dark": PANEL["dark"],
    "still pictures": list(picture.COLOURS),
    "small pictures": [chart_pieces.COLOURS[name] for name in chart_pieces.CURVES],
}


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("colours", TOGETHER.values(), ids=TOGETHER.keys())
def test_no_two_curves_of_a_picture_look_alike(colours: list[str], sight: str) -> None:
    for one, other in combinations(colours, 2):
        assert distance(one, other, sight) >= APART, (one, other)


def test_a_sight_that_lacks_red_or_green_does_mix_up_red_and_green() -> None:
    red, green = "#b03030", "#507020"
    assert distance(red, green, "all colours") > 60
    assert min(distance(red, green, sight) for sight in SIGHT) < APART


@pytest.mark.parametrize("theme", PAPERS)
def test_each_curve_stands_out_from_its_paper(theme: str) -> None:
    small = [chart_pieces.COLOURS[name] for name in chart_pieces.CURVES]
    # A still picture brings its own paper, a small one lies on the page's.
    still = list(picture.COLOURS) if theme == "light" else []
    for colour in [*PANEL[theme], *small, *still]:
        assert contrast(colour, PAPERS[theme]) >= STANDS_OUT, colour


def test_contrast_is_reckoned_as_wcag_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#0072b2", "#0072b2") == pytest.approx(1)
