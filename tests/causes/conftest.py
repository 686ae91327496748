"""The causes are tested on the real bench."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def watched(nothing_left: None) -> None:
    """See that nothing but the launcher is left after each test."""
