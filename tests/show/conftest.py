"""One Chromium for each file of browser tests, and a fresh page with a panel for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import MISSING, find_chromium, open_chromium
from tests.show.shown import Shown, opened
from tests.show.standin import StandInPlayer


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if find_chromium() is None:
        pytest.skip(MISSING)
    with open_chromium() as started:
        yield started


@pytest.fixture
def it(browser: Browser) -> Iterator[Shown]:
    with opened(browser, StandInPlayer()) as shown:
        yield shown
