"""How often the browser asks: more rarely on Binder and on one core, and not for ever.

That it falls asleep and wakes is asked in a browser (tests/show). Tier: make test.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

import labkit as lk
from labkit.lab import kernel


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "usable_cores", lambda: 2)
    for name in [name for name in os.environ if name.startswith("BINDER_")]:
        monkeypatch.delenv(name)


def facts() -> dict[str, Any]:
    found: dict[str, Any] = kernel.view_of(lk.Lab("graph_growth").player)._facts
    return found


def test_on_a_machine_of_two_cores_the_browser_asks_three_times_a_second() -> None:
    assert facts()["poll_seconds"] == 0.3


def test_on_binder_it_asks_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BINDER_LAUNCH_HOST", "https://mybinder.org/")
    assert facts()["poll_seconds"] == 1.0


def test_on_one_core_it_asks_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "usable_cores", lambda: 1)
    assert facts()["poll_seconds"] == 1.0


def test_it_stops_asking_two_minutes_after_the_last_run_wherever_it_is() -> None:
    assert facts()["sleep_seconds"] == 120
