"""A value that a notebook shows by itself, and the one way its words take to a terminal."""

from __future__ import annotations

from typing import Any

from labkit.record.plain_text import plain_text


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
