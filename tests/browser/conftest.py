"""One JupyterLab and one browser for all browser tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import chromium_or_skip
from tests.browser.server import LabServer


# Of the package, not the session: what goes on running would disturb the tests of other folders.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium_or_skip() as opened:
        yield opened


@pytest.fixture(scope="package")
def server(browser: Browser) -> Iterator[LabServer]:
    with LabServer() as started:
        yield started
