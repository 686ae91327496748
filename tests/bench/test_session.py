"""A run in progress, told in a line.

Tier: make test.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from labkit.bench.session import Session


def session(name: str) -> Session:
    """Return a session of three steps, without a worker."""
    none: Any = None
    link: Any = SimpleNamespace(job=SimpleNamespace(toggles={}), count=3)
    return Session(
        name, none, [link], none, none, none, settings={}, environment={}, failure=lambda: ""
    )


def test_a_run_of_any_name_gives_a_terminal_no_order() -> None:
    """A loop of one's own gives its name, and a list of runs is shown by their reprs."""
    shown = repr(session("a\x1b[31m\x07\n\u202eb"))
    assert shown == r"Session(a\x1b[31m\x07\n\u202eb: starting, 3 steps)"


def test_a_usual_name_is_told_as_it_is() -> None:
    assert repr(session("caf\u00e9-1")) == "Session(caf\u00e9-1: starting, 3 steps)"
