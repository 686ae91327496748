"""A notebook that was run and stored, as nbviewer and GitHub show it: no kernel, and no script.

Tier: make test-full.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.page import LAB, SETUP
from tests.browser.server import LabServer

pytestmark = [pytest.mark.browser, pytest.mark.full]

CELLS = {"setup": SETUP, "panel": LAB, "play": 'lab.play("off", "on")', "again": "lab"}


@pytest.fixture(scope="module")
def stored(browser: Browser, server: LabServer) -> Iterator[Page]:
    """The notebook after its run, made a page by what nbviewer makes pages with."""
    notebook = server.root / server.write_notebook("stored.ipynb", CELLS)
    options = ["--execute", "--to", "html", "--ExecutePreprocessor.store_widget_state=False"]
    subprocess.run(
        [sys.executable, "-m", "nbconvert", *options, str(notebook)],
        check=True, capture_output=True, timeout=300,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    page = browser.new_page(java_script_enabled=False)
    page.goto(notebook.with_suffix(".html").as_uri(), wait_until="domcontentloaded")
    yield page
    page.close()


def test_the_runs_are_a_picture_in_words(stored: Page) -> None:
    told = stored.locator("img[alt]").last.get_attribute("alt") or ""
    assert "Iteration-time curve of Graph growth, 300 steps" in told
    assert "ops in the graph" in told and "resident memory" in told


def test_the_verdict_stands_there_in_words(stored: Page) -> None:
    text = stored.locator("body").text_content() or ""  # of the folded table, too
    assert re.search(r"(slowdown|shift|flat|unsteady|warmup): .* ms per step", text), text


def test_nothing_is_left_of_what_only_a_kernel_could_fill(stored: Page) -> None:
    assert stored.locator(".labkit-panel").count() == 0
    text = stored.locator("body").inner_text()
    assert "Panel(" not in text
    assert text.count("Graph growth: run this cell to see the live panel.") == 2
