"""A still picture of one step of workers that meet in it: a bar each, on one axis of time.

SVG text that needs no script, for pages without a kernel; the panel draws the same in motion.
"""

from __future__ import annotations

from labkit.show.charts.chart_pieces import COLOURS, text
from labkit.show.inside.meeting_step import MeetingStep, Worker
from labkit.show.markup import Markup, element

WIDTH, BARS_WIDE, WORDS_FROM = 540, 180, 198
BAR_HEIGHT, LINE_HEIGHT, TITLE_HEIGHT = 14, 18, 26
# As in panel.css.
COLOUR_OF = {"walked": "curve", "fresh": "ghost-1", "all": "axis"}


def meeting_bars(inside: MeetingStep) -> Markup:
    """Draw a step.

    Args:
        inside: What was timed.
    """
    drawn, top = [text(WORDS_FROM, 12, inside.title, bold=True)], TITLE_HEIGHT
    for worker in inside.workers:
        drawn += _worker(worker, top)
        top += (1 + len(worker.parts)) * LINE_HEIGHT
    drawn.append(text(WORDS_FROM, top + 12, inside.caption, colour="ink-2"))
    return element(
        "svg", *drawn,
        viewBox=f"0 0 {WIDTH} {top + LINE_HEIGHT}", role="img", aria_label=words_of(inside),
        class_="lk-step-dots", style=f"max-width:{WIDTH}px", font_size="12",
        font_family="sans-serif", fill="currentColor",
    )  # fmt: skip


def words_of(inside: MeetingStep) -> str:
    """Return the picture in words."""
    title = inside.title[:1].upper() + inside.title[1:]
    told = (
        f"{each.name}: {', '.join(part.line for part in each.parts)}" for each in inside.workers
    )
    return f"{title}: {'; '.join(told)}. {inside.caption}"


def _worker(worker: Worker, top: int) -> list[Markup]:
    pieces, left = [text(WORDS_FROM, top + 12, worker.name)], worker.before
    for row, part in enumerate(worker.parts, 1):
        colour = COLOUR_OF[part.of]
        fill = {"fill": COLOURS[colour], "class_": f"lk-fill-{colour}"}
        x, wide = (f"{BARS_WIDE * percent / 100:.1f}" for percent in (left, part.percent))
        height = top + row * LINE_HEIGHT + 12
        pieces += [
            element("rect", x=x, y=f"{top}", width=wide, height=f"{BAR_HEIGHT}", **fill),
            element("circle", cx=f"{WORDS_FROM + 4}", cy=f"{height - 4}", r="4", **fill),
            text(WORDS_FROM + 14, height, part.line),
        ]
        left += part.percent
    return pieces
