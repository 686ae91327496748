"""Torture leaves nothing behind: no process of any name, and none of our folders."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable

import pytest

Tried = Callable[[int, str], None]


@pytest.fixture(autouse=True)
def watched(nothing_left: None) -> None:
    """See that nothing but the launcher is left after each test."""


@pytest.fixture
def rounds(request: pytest.FixtureRequest) -> int:
    """How many times over the short form: ``make test`` tries that, ``make torture`` much more."""
    return int(request.config.getoption("--torture"))


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """A number for each test and day; `--seed` has the day's again."""
    chosen = f"{request.config.getoption('--seed')} {request.node.name}"
    return zlib.crc32(chosen.encode())


@pytest.fixture
def dice(seed: int) -> random.Random:
    """What makes a test's random choices."""
    return random.Random(seed)


@pytest.fixture
def tried(record_property: Callable[[str, object], None]) -> Tried:
    """Return what notes how often something was really done, for docs/reliability.md."""

    def note(times: int, what: str) -> None:
        record_property("tried", f"{times:,} {what}")

    return note
