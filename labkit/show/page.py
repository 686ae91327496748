"""A page of its own, and what a notebook shows of a value, in one look; what a browser is sent.

The page needs nothing from outside, runs no script but its own, and forbids itself all else.
"""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import Any

from rcssmin import cssmin
from rjsmin import jsmin

from labkit.record.plain_text import plain_text
from labkit.show.markup import Markup, document, element

# What a browser is told to refuse, should anything slip through.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
LOOK = "labkit-diagnosis"


class Shown:
    """Base of what a cell may end with: lines for a terminal, and the same as a piece of a page."""

    def lines(self) -> list[str]:
        """Return what there is to say, a line each."""
        raise NotImplementedError

    def html(self) -> str:
        """Return the same as a piece of a page, put together by `labkit.show.markup`."""
        raise NotImplementedError

    def __str__(self) -> str:
        return plain_text("\n".join(self.lines()))

    def _repr_mimebundle_(self, **_keywords: Any) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.html()}


def page(title: str, *content: Markup, style: str = "", script: str = "") -> str:
    """Return the text of one HTML file.

    Args:
        title: What the browser's tab says.
        content: Its parts, the first with the only heading of level 1.
        style: CSS beside that of all pages.
        script: JavaScript of the page's own, the only one that it lets run; empty for none.
    """
    body = [element("main", *content, class_=LOOK)]
    policy = POLICY
    if script:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        policy = f"{POLICY}; script-src 'sha256-{digest}'"
        body.append(element("script", Markup(script)))
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        _style(style),
    )
    return document(head, element("body", *body), lang="en", class_="labkit-page")


def view(*content: Markup) -> str:
    """Return a piece of HTML for a notebook's output."""
    return _style() + element("div", *content, class_=LOOK)


def written_by() -> Markup:
    """Return the last line of a page that leaves the reader's machine."""
    return element(
        "footer", "Written by labkit, which shows why TensorFlow training loops slow down."
    )


def _style(more: str = "") -> Markup:
    return element("style", Markup(f"{browser_files('report.css')}{more}"))


def browser_files(*names: str) -> str:
    """Return the scripts or style sheets that lie in this folder, as one text for a browser.

    Comments and white space are left out.

    Args:
        names: All of one kind, in their order; a script may use what the ones before it declare.
    """
    folder = resources.files("labkit.show")
    code = "\n".join(folder.joinpath(name).read_text("utf-8") for name in names)
    return str(jsmin(code) if names[0].endswith(".js") else cssmin(code))


def sendable(value: Any) -> Any:
    """Return plain values, with all text in them as `plain_text`."""
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, dict):
        return {sendable(name): sendable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(sendable, value))
    return value
