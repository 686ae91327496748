"""What holds for every test: in CI a missing browser is a failure and no reason to skip.

It must stay light: every test process pays for what is imported here.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.running import bench, nothing_left, plain_bench, without_networks

__all__ = ["bench", "nothing_left", "plain_bench", "without_networks"]


# In these folders real loops are timed, or processes watched; the rest may run two at a time.
TESTS = Path(__file__).parent
ALONE = ("bench", "browser", "causes", "claims", "lab", "torture")
# Each case of these is a run: the first tier takes the first cases of a test, the second tier all.
RUNS = "causes"
FIRST_CASES = 2
# Of these files none times a loop.
BESIDE_OTHERS = {
    "bench": ("fault", "machine", "stepfile", "words"),
    "lab": ("alarm", "asking", "classroom", "compare", "diagnosed", "live_view", "replay",
            "seconds_file", "shipped_recordings"),
}  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--torture", type=int, default=1, metavar="N", help="torture N times as long as usual"
    )


# First, before `-m` chooses by the marks.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    beside = {
        TESTS / folder / f"test_{name}.py"
        for folder, names in BESIDE_OTHERS.items()
        for name in names
    }
    for item in items:
        timed = any(item.path.is_relative_to(TESTS / folder) for folder in ALONE)
        if timed and item.path not in beside:
            item.add_marker("alone")
    cases = Counter[str]()
    for item in items:
        if item.path.is_relative_to(TESTS / RUNS) and not item.get_closest_marker("full"):
            test = item.nodeid.partition("[")[0]
            cases[test] += 1
            if cases[test] > FIRST_CASES:
                item.add_marker("full")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    must_run = os.environ.get("CI") == "true" and item.get_closest_marker("browser")
    if report.skipped and must_run and not hasattr(report, "wasxfail"):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"A browser test may not be skipped in CI. {why}"
    return report
