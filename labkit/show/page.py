"""A page of its own, and a piece of a notebook's output, in one look.

The page needs nothing from outside, runs no script but its own, and forbids itself all else.
"""

from __future__ import annotations

import base64
import hashlib

from labkit.show.browser_files import browser_files
from labkit.show.markup import Markup, element

# What a browser is told to refuse, should anything slip through.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
LOOK = "labkit-diagnosis"


def page(title: str, *content: Markup, style: str = "", script: str = "") -> str:
    """Return the text of one HTML file.

    Args:
        title: What the browser's tab says.
        content: Its parts, the first with the only heading of level 1.
        style: CSS beside that of all pages.
        script: JavaScript of the page's own, the only one that it lets run; empty for none.
    """
    body = element("main", *content, class_=LOOK)
    policy, run = POLICY, ""
    if script:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        policy, run = f"{POLICY}; script-src 'sha256-{digest}'", f"<script>{script}</script>\n"
    return (
        '<!doctype html>\n<html lang="en" class="labkit-page">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n{element("title", title)}\n'
        f"{_style(style)}\n</head>\n<body>\n{body}\n{run}</body>\n</html>\n"
    )


def view(*content: Markup) -> str:
    """Return a piece of HTML for a notebook's output."""
    return _style() + element("div", *content, class_=LOOK)


def written_by() -> Markup:
    """Return the last line of a page that leaves the reader's machine."""
    return element(
        "footer", "Written by labkit, which shows why TensorFlow training loops slow down."
    )


def _style(more: str = "") -> Markup:
    return Markup(f"<style>{browser_files('report.css')}{more}</style>")
