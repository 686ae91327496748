"""The process with the card that the tests of this folder share."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator

import pytest

from tests.card import build
from tests.card.forking import Checks, checks


@pytest.fixture(scope="session")
def card() -> Iterator[Checks]:
    """A process that has imported TensorFlow with the stand-in card; skips where none is built."""
    if sys.platform != "linux":
        pytest.skip("The stand-in card is for Linux.")
    if shutil.which("g++") is None and os.environ.get("CI") != "true":
        pytest.skip(build.NO_COMPILER)
    with checks() as made:
        yield made
