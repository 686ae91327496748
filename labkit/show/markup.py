"""Pieces of a page as text. Whatever is put into an element is escaped, unless it is a piece.

So nothing a reader's file, event or variable is called can become markup: there is no way to put
plain text into a page that goes round `element`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

# HTML forbids control characters, UTF-8 forbids lone surrogates, and characters that turn the
# direction of writing can make a name look like another one.
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
LONGEST = 400


class Markup(str):
    """Text that is a piece of a page already."""

    __slots__ = ()


def plain(text: str) -> str:
    """Return text without the characters that no page may hold."""
    return FORBIDDEN.sub("\ufffd", text.replace("\r\n", "\n"))


def shortened(text: str) -> str:
    """Return text of at most 400 characters; of longer text the middle is left out."""
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"


def element(tag: str, *content: str, **attributes: str) -> Markup:
    """Return an element.

    Args:
        tag: Its name.
        content: Pieces are taken as they are, all other text is escaped.
        attributes: ``class_`` stands for ``class``, an underscore for a hyphen.
    """
    said = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{html.escape(plain(value))}"'
        for name, value in attributes.items()
    )
    return Markup(f"<{tag}{said}>{''.join(escaped(part) for part in content)}</{tag}>")


def joined(parts: Iterable[Markup]) -> Markup:
    """Return pieces one after the other."""
    return Markup("".join(parts))


def table(
    caption: str, heading: Sequence[str], rows: Iterable[Sequence[str]], *, prose: bool = False
) -> Markup:
    """Return a table that can be heard as well as seen: a caption, and a heading on each side.

    Args:
        caption: What it shows.
        heading: Of each column.
        rows: The first cell of each names its row.
        prose: Whether cells hold sentences, which are broken into lines, and not figures.
    """
    head = (element("th", name, scope="col") for name in heading)
    body = (
        element("tr", element("th", first, scope="row"), *(element("td", cell) for cell in rest))
        for first, *rest in rows
    )
    parts = (
        element("caption", caption),
        element("thead", element("tr", *head)),
        element("tbody", *body),
    )
    return element(
        "div", element("table", *parts), class_="lk-table lk-prose" if prose else "lk-table"
    )


def definitions(pairs: Iterable[tuple[str, str]], **attributes: str) -> Markup:
    """Return names with what they stand for."""
    return element(
        "dl",
        *(element("div", element("dt", name), element("dd", value)) for name, value in pairs),
        **attributes,
    )


def folded(summary: str, *content: Markup) -> Markup:
    """Return what is shown only to a reader who opens it."""
    return element("details", element("summary", summary), *content)


def escaped(text: str) -> Markup:
    """Return text as a piece of a page; a piece is returned as it is."""
    return text if isinstance(text, Markup) else Markup(html.escape(plain(text)))
