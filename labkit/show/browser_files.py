"""The files that go to the browser: scripts and style sheets beside the Python that sends them."""

from __future__ import annotations

from importlib import resources


def browser_files(*names: str) -> str:
    """Return files of this folder as one text.

    Args:
        names: In their order; a script may use what the ones before it declare.
    """
    folder = resources.files("labkit.show")
    return "\n".join(folder.joinpath(name).read_text("utf-8") for name in names)
