"""Plain text: what came out of a run, as it may stand in a terminal, a page or a picture.

A title, a log or an error is whatever a loop, or a file from somebody else, made of it. A terminal
obeys some characters: they recolour it, retitle it, write to the clipboard. Others turn the
direction of writing, so that a name looks like another one, and some may stand in no XML and no
UTF-8 at all. Here each of them becomes the escape that Python writes for it.
"""

from __future__ import annotations

import re

OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
LONGEST = 400
LONGEST_LINE = 4_000
CUT = " ... "


def visible(text: str) -> str:
    r"""Return text with each character that is no letter to read as its escape, e.g. ``\x1b``.

    Ends of lines and tabs stay. What was escaped once is not escaped again.
    """
    return OBEYED.sub(_escape, text.replace("\r\n", "\n"))


def plain_text(text: str) -> str:
    """Return text to be shown: `visible`, and without the middle of lines beyond 4,000 characters.

    Whatever holds words of a run goes through here, or through `one_line`, before it is printed.
    """
    if len(text) > LONGEST_LINE:
        text = "\n".join(shortened(line, LONGEST_LINE) for line in text.split("\n"))
    return visible(text)


def one_line(text: str, most: int = LONGEST) -> str:
    r"""Return a title, a name or a reason to be shown: `visible`, short, ends of lines as ``\n``.

    Args:
        text: Of any length.
        most: How many characters are shown; of more the middle is left out.
    """
    line = visible(shortened(text, most)).replace("\n", "\\n").replace("\t", "\\t")
    return shortened(line, most)


def shortened(text: str, most: int = LONGEST) -> str:
    """Return text of so many characters at most; of longer text the middle is left out."""
    if len(text) <= most:
        return text
    kept = most - len(CUT)
    return f"{text[: kept - kept // 2]}{CUT}{text[len(text) - kept // 2 :]}"


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()
