"""One Chromium for the browser tests of this room, and a fresh page with a panel for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import chromium_or_skip
from tests.show.page import Shown, opened
from tests.show.standin import StandInPlayer


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium_or_skip() as started:
        yield started


@pytest.fixture
def it(browser: Browser) -> Iterator[Shown]:
    with opened(browser, StandInPlayer()) as shown:
        yield shown
