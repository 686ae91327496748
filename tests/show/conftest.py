"""One Chromium for each file of browser tests, and a fresh page with a panel for each test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.show.standin import StandInPlayer


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from tests.show.page import CHROMIUM, chromium

    if not Path(CHROMIUM).exists() and not os.environ.get("CI"):
        pytest.skip("no Chromium here")
    with chromium() as started:
        yield started


@pytest.fixture
def it(browser: Any) -> Iterator[Any]:
    from tests.show.shown import opened

    with opened(browser, StandInPlayer()) as shown:
        yield shown
