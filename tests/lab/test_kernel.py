"""How often the browser asks: more rarely on Binder and on one core, and not for ever.

That it falls asleep and wakes is asked in a browser (tests/show). Tier: make test.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

import labkit as lk
from labkit.bench.protocol import Job
from labkit.lab import kernel


def facts() -> dict[str, Any]:
    found: dict[str, Any] = kernel.view_of(lk.Lab("graph_growth").player)._facts
    return found


@pytest.mark.parametrize(
    ("binder", "cores", "seconds"), [(False, 2, 0.7), (True, 2, 1.0), (False, 1, 1.0)]
)
def test_the_browser_asks_less_often_on_a_small_machine(
    monkeypatch: pytest.MonkeyPatch, binder: bool, cores: int, seconds: float
) -> None:
    monkeypatch.setattr(kernel, "usable_cores", lambda: cores)
    for name in [name for name in os.environ if name.startswith("BINDER_")]:
        monkeypatch.delenv(name)
    if binder:
        monkeypatch.setenv("BINDER_LAUNCH_HOST", "https://mybinder.org/")
    assert facts()["poll_seconds"] == seconds


def test_it_stops_asking_two_minutes_after_the_last_run_wherever_it_is() -> None:
    assert facts()["sleep_seconds"] == 120


class Stubborn:
    """A run that goes on until it was interrupted as well as stopped; each wait is interrupted."""

    job = Job(source="healthy", toggles={}, sizes={}, steps=5)

    def __init__(self, interrupts: int) -> None:
        self.asked: list[str] = []
        self.interrupts = interrupts

    def stop(self) -> None:
        self.asked.append("stop")

    def interrupt(self) -> None:
        self.asked.append("interrupt")

    def wait(self) -> None:
        if self.asked.count("interrupt") < self.interrupts:
            raise KeyboardInterrupt

    def snapshot(self) -> str:
        return "what was measured"


def test_who_interrupts_again_and_again_ends_the_run_and_has_what_was_measured() -> None:
    session: Any = Stubborn(2)
    assert kernel.wait_for(session, "a run", lambda *_: None) == "what was measured"
    assert session.asked == ["stop", "interrupt", "interrupt"]


def test_a_run_that_no_interrupt_ends_gives_the_kernel_back_in_the_end() -> None:
    session: Any = Stubborn(1_000)
    with pytest.raises(KeyboardInterrupt):
        kernel.wait_for(session, "a run", lambda *_: None)
