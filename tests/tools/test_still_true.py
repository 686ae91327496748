"""The table of what still holds on which TensorFlow.

Tier: make test, in turn; its runs: make test-full.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from labkit.causes import SLUGS, load
from tools import still_true
from tools.still_true import written

pytestmark = pytest.mark.in_turn

SLUG = SLUGS[0]


def row(version: str, *missed: str, slug: str = SLUG) -> dict[str, Any]:
    return {
        "environment": {
            "tensorflow": version, "python": "3.11.7", "processor": "a processor", "cores": 2,
            "started": "2026-11-21T06:00:00+00:00",
        },
        "causes": {slug: {"seen": "slowdown, 2.9x", "missed": list(missed)}},
    }  # fmt: skip


def line(page: str, slug: str) -> str:
    return next(each for each in page.splitlines() if each.startswith(f"| {slug} |"))


def test_versions_stand_in_their_order_whatever_the_files_order() -> None:
    page = written([row("2.21.0"), row("2.9.1"), row("2.20.0")])
    assert "| cause | TensorFlow 2.9.1 | TensorFlow 2.20.0 | TensorFlow 2.21.0 |" in page


def test_a_cause_that_does_what_it_declares_is_a_yes_with_what_was_seen() -> None:
    assert line(written([row("2.21.0")]), SLUG) == f"| {SLUG} | yes (slowdown, 2.9x) |"


def test_a_cause_that_does_not_says_in_what() -> None:
    assert "**no**: verdict flat; attributed to x" in written(
        [row("2.21.0", "verdict flat", "attributed to x")]
    )


def test_a_cause_that_was_not_run_is_never_a_yes() -> None:
    assert line(written([row("2.21.0", slug="another")]), SLUG) == f"| {SLUG} | not run |"


def test_every_cause_has_a_line_and_the_machine_is_named() -> None:
    page = written([row("2.21.0")])
    assert all(line(page, slug) for slug in SLUGS)
    assert "a processor, 2 cores, 2026-11-21" in page


def test_a_run_says_yes_or_no_of_each_cause(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    short = replace(load("healthy").expectation, steps=30, shape="", per_step={"losses": 0})
    kept = replace(short, per_step={"losses": 1})
    causes = [replace(load("healthy"), expectation=each) for each in (short, kept)]
    monkeypatch.setattr(still_true, "every", lambda: causes)
    monkeypatch.setattr(still_true, "TIMES", 1)
    still_true.run_all()
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("healthy: yes (") and second.startswith("healthy: no: ")
