"""A run in progress, told in a line.

Tier: make test.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from labkit.bench.session.session import Session


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\x1b[31m\x07\n\u202eb", r"a\x1b[31m\x07\n\u202eb"),
        ("caf\u00e9-1", "caf\u00e9-1"),
    ],
)
def test_a_run_of_any_name_gives_a_terminal_no_order(name: str, shown: str) -> None:
    """A loop of one's own gives its name, and a list of runs is shown by their reprs."""
    none: Any = None
    link: Any = SimpleNamespace(job=SimpleNamespace(toggles={}), count=3)
    session = Session(
        name, none, [link], none, none, none, settings={}, environment={}, failure=lambda: ""
    )
    assert repr(session) == f"Session({shown}: starting, 3 steps)"
