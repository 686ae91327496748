"""What holds for every test: in CI a missing browser is a failure and no reason to skip.

It must stay light: every test process pays for what is imported here.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.running import (
    bench,
    nothing_left,
    own_places,
    plain_bench,
    warm_commands,
    without_networks,
)

__all__ = [
    "bench", "nothing_left", "own_places", "plain_bench", "warm_commands", "without_networks",
]  # fmt: skip


TESTS = Path(__file__).parent
# Files that take seconds at most come last: else one process ends a long one while the other idles.
SHORT = (
    "tests/cause/", "tests/diagnosis/", "tests/loops/", "tests/record/", "tests/tools/",
    "tests/test_",
)  # fmt: skip
# Each case of these is a run: the first tier takes the first cases of a test, the second tier all.
RUNS = "causes"
FIRST_CASES = 2
# Tests marked `in_turn` take long. The commit decides which part of them `make test` runs: all are
# run every few commits, and one commit always has the same. Who calls pytest runs them all.
TURNS = 4


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--torture", type=int, default=1, metavar="N", help="torture N times as long as usual"
    )
    parser.addoption(
        "--seed", type=int, metavar="N", help="of torture's random choices; a new one each day"
    )
    parser.addoption(
        "--turn", type=int, metavar="N", help=f"of the tests marked in_turn, run part N of {TURNS}"
    )


def pytest_report_header(config: pytest.Config) -> str | None:
    turn = config.getoption("--turn")
    return None if turn is None else f"in turn: part {turn % TURNS} of {TURNS} (0 to {TURNS - 1})"


def pytest_configure(config: pytest.Config) -> None:
    """Let an interrupt through: a shell starts what it puts into the background without."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.option.seed is None:  # else it is the user's, or that of the process which started us
        config.option.seed = int(datetime.now(UTC).strftime("%Y%m%d"))


@pytest.fixture(autouse=True)
def own_diary() -> None:
    """A kernel has one diary, of the folder it was in at first; each test is as good as one."""
    if (predict := sys.modules.get("labkit.course.predictions.predict")) is not None:
        predict.diary_of.cache_clear()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Tell with which seed torture is the same again."""
    terminalreporter.write_line(f"torture chose by --seed {config.option.seed}")


def pytest_itemcollected(item: pytest.Item) -> None:
    """A test that claims something of the clock runs again where only that was disturbed."""
    if isinstance(item, pytest.Function) and "assert_clock" in item.obj.__code__.co_names:
        from tests.causes.curves import measured

        item.obj = measured(item.obj)


# First, before `-m` chooses by the marks.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.nodeid.startswith(SHORT))
    turn = config.getoption("--turn")
    cases = Counter[str]()
    for item in items:
        if item.path.is_relative_to(TESTS / RUNS) and not item.get_closest_marker("full"):
            test = item.nodeid.partition("[")[0]
            cases[test] += 1
            if cases[test] > FIRST_CASES:
                item.add_marker("full")
    if turn is not None:
        taking = [item for item in items if _takes_turns(item)]
        for place, item in enumerate(taking):
            if place % TURNS != turn % TURNS:
                item.add_marker("full")


def _takes_turns(item: pytest.Item) -> bool:
    return bool(item.get_closest_marker("in_turn") and not item.get_closest_marker("full"))


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


@pytest.fixture(autouse=True)
def no_tape_stays_open() -> Iterator[None]:
    """A tape that stays open keeps what the steps of every later test make: they leak and drag."""
    yield
    record = sys.modules.get("tensorflow.python.eager.record")
    assert record is None or not record.could_possibly_record(), "this test leaves a tape open"
