"""A headless Chromium: the one on this machine, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Adds `labkit` to a live panel's element: what tests read of it.
READ_PANEL = Path(__file__).with_name("read_panel.js")
MISSING = (
    "No Chromium was found; install it with  apt-get install chromium  (macOS:"
    "  brew install --cask chromium)."
)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str | None:
    """Return the path of a Chromium or Chrome; None where there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@contextmanager
def open_chromium() -> Iterator[Browser]:
    """Open the browser for as long as the context lasts.

    Raises:
        RuntimeError: If there is none; the sentence says how to install it.
    """
    path = find_chromium()
    if path is None:
        raise RuntimeError(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def chromium_or_skip() -> Iterator[Browser]:
    """Open the browser for a test, which is skipped where there is none."""
    if find_chromium() is None:
        pytest.skip(MISSING)
    with open_chromium() as browser:
        yield browser
