"""The page of promises tells what was tried, and a promise whose tests are gone is seen.

Tier: make quick.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import reliability
from tools.reliability import Outcome, promises, rows

ROOT = Path(__file__).parents[2]


def outcome(**more: object) -> Outcome:
    told: dict[str, object] = {"date": "2026-11-27", "passed": 6, "skipped": 0, "failed": (),
                               "tried": (), "seconds": 60.0}  # fmt: skip
    return Outcome(**{**told, **more})  # type: ignore[arg-type]


def test_every_promise_has_tests_that_are_there() -> None:
    for promise in promises():
        for name in promise.tests:
            file, _, test = name.partition("::")
            assert (ROOT / file).exists(), name
            assert not test or f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), name
        # A torture test repeats itself, and others are repeated.
        assert (promise.rounds > 1) != (promise.times > 1), promise.says


@pytest.mark.parametrize(
    ("told", "often", "came"),
    [
        ({}, "6 tests", "held"),
        ({"tried": ("40 kills", "1,000 files", "60 kills")}, "6 tests: 100 kills; 1,000 files",
         "held"),
        ({"skipped": 2}, "6 tests", "held; 2 could not be tried"),
        ({"failed": ("test_a", "test_b", "test_a")}, "9 tests",
         "**3 failed**: `test_a`, `test_b`"),
    ],
)  # fmt: skip
def test_a_row_says_how_often_and_what_failed(
    told: dict[str, object], often: str, came: str
) -> None:
    says = next(promises()).says
    _, row, second, *_ = rows({says: outcome(**told)})
    assert row == (says, often, came, "2026-11-27")
    assert second[1] == "not yet"


def test_what_was_tried_of_a_promise_that_is_none_any_more_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text(reliability.PAGE.read_text(encoding="utf-8"))
    monkeypatch.setattr(reliability, "PAGE", page)
    monkeypatch.setattr(reliability, "KEPT", tmp_path / "kept.json")
    assert reliability.read() == {}
    says = next(promises()).says
    reliability.write({says: outcome(), "Something of last year.": outcome()})
    assert reliability.read() == {says: outcome()}
    assert f"| {says} | 6 tests | held | 2026-11-27 |" in page.read_text(encoding="utf-8")
