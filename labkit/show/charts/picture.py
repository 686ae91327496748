"""Still pictures: pixels, vectors and words of one drawing, and the style all of them share.

Drawn with matplotlib's objects alone: no pyplot, no backend switched, nothing left open.
"""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from labkit.record.plain_text import visible
from labkit.show.markup import Markup, element

# Okabe and Ito's colours; each curve has its name at its end, too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#5b5b5b")
CAUSE_OFF, CAUSE_ON = COLOURS[:2]
# Of matplotlib's settings those that are about no picture.
NO_STYLE = ("_internal", "backend", "docstring", "figure.hooks", "interactive", "keymap",
            "timezone", "tk.", "toolbar", "webagg")  # fmt: skip
STYLE: dict[Any, Any] = {
    # First its own defaults: it reads a matplotlibrc in the current folder, and that may have come
    # with a class's files and ask for LaTeX to be run.
    **{name: value for name, value in matplotlib.rcParamsDefault.items()
       if not name.startswith(NO_STYLE)},
    "font.size": 12, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "#e4e8ec", "axes.edgecolor": "#8c959f", "axes.axisbelow": True,
    "svg.fonttype": "none", "xtick.color": "#57606a",
    "ytick.color": "#57606a", "text.color": "#1b1f24", "axes.labelcolor": "#1b1f24",
    "text.parse_math": False,  # else a title with two dollar signs is a formula, or an error
}  # fmt: skip


@dataclass(frozen=True)
class Picture:
    """A still picture; a notebook shows it by itself.

    Args:
        png: The picture in pixels.
        svg: The same as vectors, its words searchable.
        alt: The picture in words.
    """

    png: bytes
    svg: bytes
    alt: str

    def as_html(self) -> Markup:
        """Return an ``<img>`` that carries the picture and its alt text."""
        data = base64.b64encode(self.png).decode()
        return element(
            "img", alt=self.alt, src=f"data:image/png;base64,{data}",
            style="max-width:900px;width:100%;background:#fff",
        )  # fmt: skip

    def _repr_mimebundle_(self, **_keywords: Any) -> dict[str, str]:
        return {
            "text/plain": self.alt,
            "image/png": base64.b64encode(self.png).decode(),
            "text/html": self.as_html(),
        }


def rendered(figure: Figure, alt: str) -> Picture:
    """Return a figure as a picture; what no SVG may hold of its words is made visible.

    Args:
        figure: Drawn within ``rc_context(STYLE)``, and rendered within it.
        alt: The picture in words.
    """
    for text in figure.findobj(Text):
        if isinstance(text, Text):
            text.set_text(visible(text.get_text()))
    canvas = FigureCanvasAgg(figure)
    pixels, vectors = io.BytesIO(), io.BytesIO()
    canvas.print_figure(pixels, format="png", dpi=160)
    # Without a date the same drawing gives the same bytes.
    canvas.print_figure(vectors, format="svg", metadata={"Date": None})
    return Picture(pixels.getvalue(), vectors.getvalue(), visible(alt))
