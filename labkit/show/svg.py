"""The iteration-time curve as a small SVG: for the core-widgets panel and for stored notebooks.

Plain text in, plain text out; it scales with its container and takes the page's text colour.
Everything written into it is escaped here.
"""

from __future__ import annotations

from collections.abc import Sequence

from labkit.record import Event
from labkit.record.plain_text import one_line
from labkit.show.curve import Curve, top_milliseconds
from labkit.show.markup import escaped

WIDTH, HEIGHT = 720, 220
LEFT, RIGHT, TOP, BOTTOM = 56, 8, 18, 30
MOST_LETTERS = 60  # of what stands at a mark
# Okabe and Ito's colours, told apart by their dashes too.
LOOKS = (("#0072B2", ""), ("#D55E00", "7 4"), ("#CC79A7", "2 3"), ("#009E73", "9 3 2 3"))


def curves_svg(curves: Sequence[Curve], alt: str, events: Sequence[Event] = ()) -> str:
    """Draw curves over each other, the first solid and the others dashed.

    Args:
        curves: The run on show first.
        alt: The picture in words, for those who do not see it.
        events: The flips of toggles among them are marked.
    """
    top = top_milliseconds(curves)
    last = max([curve.count for curve in curves] + [2]) - 1
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escaped(alt)}" '
        'style="width:100%;max-width:900px;height:auto;font:12px sans-serif" fill="currentColor">'
    ]
    for share in (0.0, 0.5, 1.0):
        y = _y(top * share, top)
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="currentColor" opacity=".18"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{top * share:.3g}</text>'
        )
    parts.append(
        f'<text x="{LEFT}" y="11">ms a step</text>'
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 4}" text-anchor="end">step {last:,}</text>'
        f'<text x="{LEFT}" y="{HEIGHT - 4}">0</text>'
    )
    for event in [event for event in events if event.kind == "toggle"][-12:]:
        x = _x(event.step, last)
        anchor = "end" if x > WIDTH * 0.8 else "start"
        parts.append(
            f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="currentColor" opacity=".6"/>'
            f'<text x="{x + (-4 if anchor == "end" else 4):.1f}" y="{TOP + 10}" '
            f'text-anchor="{anchor}">{escaped(one_line(event.text, MOST_LETTERS))}</text>'
        )
    for place in reversed(range(min(len(curves), len(LOOKS)))):
        colour, dashes = LOOKS[place]
        points = " ".join(
            f"{_x(step, last):.1f},{_y(min(ms, top), top):.1f}"
            for step, ms in zip(curves[place].steps, curves[place].means, strict=True)
        )
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.8" '
            f'stroke-dasharray="{dashes}"/>'
        )
    return "".join(parts) + "</svg>"


def _x(step: int, last: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * step / max(1, last)


def _y(milliseconds: float, top: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * milliseconds / top
