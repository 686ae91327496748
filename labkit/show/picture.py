"""Still pictures: pixels, vectors and words of one drawing, and the style all of them share.

Drawn with matplotlib's objects alone: no pyplot, no backend switched, nothing left open.
"""

from __future__ import annotations

import base64
import html
import io
from dataclasses import dataclass
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart by their dashes too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#5b5b5b")
DASHES: tuple[Any, ...] = ("-", (0, (6, 3)), (0, (2, 2)), (0, (9, 2, 2, 2)), (0, (1, 1.5)))
STYLE: dict[Any, Any] = {
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

    def as_html(self) -> str:
        """Return an ``<img>`` that carries the picture and its alt text."""
        data = base64.b64encode(self.png).decode()
        return (
            f'<img alt="{html.escape(self.alt)}" src="data:image/png;base64,{data}" '
            'style="max-width:900px;width:100%;background:#fff">'
        )

    def _repr_mimebundle_(self, **_keywords: Any) -> dict[str, str]:
        return {
            "text/plain": self.alt,
            "image/png": base64.b64encode(self.png).decode(),
            "text/html": self.as_html(),
        }


def rendered(figure: Figure, alt: str) -> Picture:
    """Return a figure as a picture.

    Args:
        figure: Drawn within ``rc_context(STYLE)``, and rendered within it.
        alt: The picture in words.
    """
    canvas = FigureCanvasAgg(figure)
    pixels, vectors = io.BytesIO(), io.BytesIO()
    canvas.print_figure(pixels, format="png", dpi=160)
    # Without a date the same drawing gives the same bytes.
    canvas.print_figure(vectors, format="svg", metadata={"Date": None})
    return Picture(pixels.getvalue(), vectors.getvalue(), alt)
