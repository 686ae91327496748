"""Pieces of a page as text. Whatever is put into an element is escaped, unless it is a piece.

So nothing a reader's file, event or variable is called can become markup: there is no way to put
plain text into a page that goes round `element`.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from labkit.record.plain_text import plain_text, visible

# Elements that hold nothing and have no end.
VOID = ("img", "meta")


class Markup(str):
    """Text that is a piece of a page already."""

    __slots__ = ()


def element(tag: str, *content: str, **attributes: str) -> Markup:
    """Return an element.

    Args:
        tag: Its name.
        content: Pieces are taken as they are, all other text is escaped.
        attributes: ``class_`` stands for ``class``, an underscore for a hyphen.
    """
    said = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{html.escape(visible(value))}"'
        for name, value in attributes.items()
    )
    if tag in VOID:
        return Markup(f"<{tag}{said}>")
    return Markup(f"<{tag}{said}>{''.join(escaped(part) for part in content)}</{tag}>")


def document(*content: Markup, **attributes: str) -> str:
    """Return the text of a whole file: head and body, as they are put together by `element`."""
    return f"<!doctype html>\n{element('html', *content, **attributes)}\n"


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
    return text if isinstance(text, Markup) else Markup(html.escape(plain_text(text)))
