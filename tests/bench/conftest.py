"""The bench is tested with real TensorFlow; no test may leave anything behind."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def watched(nothing_left: None) -> None:
    """See that nothing but the launcher is left after each test."""
