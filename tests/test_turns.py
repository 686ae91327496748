"""Tests that take turns: each is run by one part, and all where no part is asked for.

Tier: make test.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import conftest
from tests.conftest import TURNS


class Item(SimpleNamespace):
    """As much of a test as the rules of this project look at."""

    def __init__(self, name: str, *marks: str) -> None:
        super().__init__(nodeid=f"tests/{name}", path=Path(f"tests/{name}"), marks={*marks})

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self.marks else None

    def add_marker(self, name: str) -> None:
        self.marks.add(name)


def run_by(turn: int | None) -> set[str]:
    """Return the names of the tests that a part runs."""
    items: Any = [Item(f"long_{number}", "in_turn") for number in range(2 * TURNS + 1)]
    items += [Item("short"), Item("too_long", "in_turn", "full")]
    asked: Any = SimpleNamespace(getoption={"--turn": turn}.__getitem__)
    conftest.pytest_collection_modifyitems(asked, items)
    return {item.nodeid for item in items if "full" not in item.marks}


def test_each_long_test_is_run_by_one_part_and_every_other_by_all() -> None:
    parts = [run_by(turn) for turn in range(TURNS)]
    assert set.intersection(*parts) == {"tests/short"}
    long = [name for part in parts for name in part - {"tests/short"}]
    assert sorted(long) == sorted(run_by(None) - {"tests/short"})
    assert all(len(part) > 1 for part in parts)


@pytest.mark.parametrize("turn", [0, TURNS - 1])
def test_a_number_beyond_the_parts_is_one_of_them(turn: int) -> None:
    assert run_by(turn + 5 * TURNS) == run_by(turn)
