"""A browser test that is skipped: fine on a laptop, a failure in CI. Tier: make test, in turn."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.in_turn

ROOT = Path(__file__).parent.parent
TESTS = """
import pytest

@pytest.mark.browser
def test_that_needs_a_browser():
    pytest.skip("no Chromium here")

@pytest.mark.browser
@pytest.mark.xfail
def test_that_is_known_to_fail():
    raise AssertionError

def test_that_needs_something_else():
    pytest.skip("no GPU here")
"""


def closing_lines(folder: Path, ci: str | None) -> str:
    """Run the tests above in a process of their own, under the rules of this project."""
    (folder / "test_skipped.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = browser\n")
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    environment |= {"PYTHONPATH": str(ROOT)} | ({} if ci is None else {"CI": ci})
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider"],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    return done.stdout


def test_in_ci_it_is_a_failure_that_says_why(tmp_path: Path) -> None:
    said = closing_lines(tmp_path, "true")
    assert "may not be skipped in CI. Skipped: no Chromium here" in said
    assert "1 failed, 1 skipped, 1 xfailed" in said


@pytest.mark.full
@pytest.mark.parametrize("ci", [None, "false"])
def test_elsewhere_it_is_only_skipped(tmp_path: Path, ci: str | None) -> None:
    assert "2 skipped, 1 xfailed" in closing_lines(tmp_path, ci)
