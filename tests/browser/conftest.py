"""One JupyterLab and one browser for all browser tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import MISSING, find_chromium, open_chromium
from tests.browser.server import LabServer


# Of the package, not the session: what goes on running would disturb the tests of other folders.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if find_chromium() is None:
        pytest.skip(MISSING)
    with open_chromium() as opened:
        yield opened


@pytest.fixture(scope="package")
def server(browser: Browser) -> Iterator[LabServer]:
    with LabServer() as started:
        yield started
