"""A page of its own, and a piece of a notebook's output, in one look.

The page needs nothing from outside, runs no script, and forbids itself both.
"""

from __future__ import annotations

from labkit.show.browser_files import browser_files
from labkit.show.markup import Markup, element

# What a browser is told to refuse, should anything slip through.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
LOOK = "labkit-diagnosis"


def page(title: str, *content: Markup) -> str:
    """Return the text of one HTML file.

    Args:
        title: What the browser's tab says.
        content: Its parts, the first with the only heading of level 1.
    """
    body = element("main", *content, class_=LOOK)
    return (
        '<!doctype html>\n<html lang="en" class="labkit-page">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n{element("title", title)}\n{_style()}\n'
        f"</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def view(*content: Markup) -> str:
    """Return a piece of HTML for a notebook's output."""
    return _style() + element("div", *content, class_=LOOK)


def _style() -> Markup:
    return Markup(f"<style>{browser_files('report.css')}</style>")
