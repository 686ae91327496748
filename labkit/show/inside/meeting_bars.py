"""A still picture of one step of workers that meet in it: a bar each, on one axis of time.

SVG text that needs no script, for pages without a kernel; the panel draws the same in motion.
"""

from __future__ import annotations

from labkit.show.charts.chart_pieces import COLOURS, text
from labkit.show.inside.meeting_step import MeetingStep, Worker
from labkit.show.inside.still_picture import (
    FIELD_WIDTH,
    LINE_HEIGHT,
    WORDS_FROM,
    capitalized,
    key_line,
    still_picture,
)
from labkit.show.markup import Markup, element

BAR_HEIGHT, TITLE_HEIGHT = 14, 26
# As in panel.css.
COLOUR_OF = {"walked": "curve", "fresh": "ghost-1", "all": "axis"}


def meeting_bars(inside: MeetingStep) -> Markup:
    """Draw a step.

    Args:
        inside: What was timed.
    """
    drawn: list[Markup] = []
    top = TITLE_HEIGHT
    for worker in inside.workers:
        drawn += _worker(worker, top)
        top += (1 + len(worker.parts)) * LINE_HEIGHT
    caption = text(WORDS_FROM, top + 12, inside.caption, colour="ink-2")
    return still_picture(
        *drawn, caption, title=inside.title, height=top + LINE_HEIGHT, words=words_of(inside)
    )


def words_of(inside: MeetingStep) -> str:
    """Return the picture in words."""
    told = (
        f"{each.name}: {', '.join(part.line for part in each.parts)}" for each in inside.workers
    )
    return f"{capitalized(inside.title)}: {'; '.join(told)}. {inside.caption}"


def _worker(worker: Worker, top: int) -> list[Markup]:
    pieces, left = [text(WORDS_FROM, top + 12, worker.name)], worker.before
    for row, part in enumerate(worker.parts, 1):
        colour = COLOUR_OF[part.of]
        x, wide = (f"{FIELD_WIDTH * percent / 100:.1f}" for percent in (left, part.percent))
        pieces += [
            element("rect", x=x, y=f"{top}", width=wide, height=f"{BAR_HEIGHT}",
                    fill=COLOURS[colour], class_=f"lk-fill-{colour}"),
            key_line(top + row * LINE_HEIGHT + 12, part.line, colour),
        ]  # fmt: skip
        left += part.percent
    return pieces
