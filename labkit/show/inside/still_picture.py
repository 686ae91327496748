"""What the still pictures of a step have in common: a field at the left, and words beside it."""

from __future__ import annotations

from labkit.show.charts.chart_pieces import COLOURS, text
from labkit.show.markup import Markup, element

FIELD_WIDTH, WIDTH = 180, 540
WORDS_FROM = FIELD_WIDTH + 18
LINE_HEIGHT = 18


def still_picture(*drawn: Markup, title: str, height: float, words: str) -> Markup:
    """Return a picture that needs no script.

    Args:
        drawn: What is in it.
        title: Its first line of words.
        height: In pixels, of ``WIDTH`` across.
        words: The same, to be heard.
    """
    return element(
        "svg", *drawn, text(WORDS_FROM, 12, title, bold=True),
        viewBox=f"0 0 {WIDTH} {height:g}", role="img", aria_label=words,
        class_="lk-step-dots", style=f"max-width:{WIDTH}px", font_size="12",
        font_family="sans-serif", fill="currentColor",
    )  # fmt: skip


def key_line(height: float, said: str, colour: str) -> Markup:
    """Return a line of words, with a dot of the colour that it is about."""
    return element(
        "g",
        element("circle", cx=f"{WORDS_FROM + 4}", cy=f"{height - 4:g}", r="4",
                fill=COLOURS[colour], class_=f"lk-fill-{colour}"),
        text(WORDS_FROM + 14, height, said),
    )  # fmt: skip


def capitalized(title: str) -> str:
    """Return a title as a sentence begins."""
    return title[:1].upper() + title[1:]
