"""Reads a page strictly: every element is closed, in order, and nothing is written twice."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "br", "hr", "img", "input", "link"})


@dataclass
class Node:
    """An element with its attributes, its elements, and the text within it."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    def every(self, tag: str = "") -> list[Node]:
        """Return the elements below, of one tag or all, as they stand in the page."""
        found = []
        for child in self.children:
            if not tag or child.tag == tag:
                found.append(child)
            found += child.every(tag)
        return found

    def of_class(self, name: str) -> list[Node]:
        return [each for each in self.every() if name in each.attributes.get("class", "").split()]

    @property
    def text(self) -> str:
        return " ".join("".join(self.parts).split())


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"{tag} says an attribute twice: {names}"
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> where <{self.open[-1].tag}> is open"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        # A style is no text of the page.
        for node in self.open[-1:] if self.open[-1].tag == "style" else self.open:
            node.parts.append(data)


def read(page: str) -> Node:
    """Return the page as a tree.

    Raises:
        AssertionError: If an element is not closed, or closed where it was not opened.
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert len(reader.open) == 1, f"never closed: {[node.tag for node in reader.open[1:]]}"
    return reader.root
