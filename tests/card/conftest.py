"""The card, and the process with it, that the tests of this folder share."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator

import pytest

from tests.card import build
from tests.card.forking import Checks, checks


@pytest.fixture(scope="session")
def variables() -> dict[str, str]:
    """The environment that gives a process the stand-in card; skips where none can be built."""
    if sys.platform != "linux":
        pytest.skip("The stand-in card is for Linux.")
    if shutil.which("g++") is None and os.environ.get("CI") != "true":
        pytest.skip(build.NO_COMPILER)
    return build.card_environment()


@pytest.fixture(scope="session")
def card(variables: dict[str, str]) -> Iterator[Checks]:
    """A process that has imported TensorFlow with the card."""
    with checks() as made:
        yield made
