"""A panel on a page in Chromium, and what a test does with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser

from labkit.record import State
from labkit.show.live.panel import Panel
from tests.show.page import browser_page
from tests.show.standin import StandInPlayer, StandInRun


class Shown:
    """A panel on a page, and the player behind it."""

    def __init__(self, player: StandInPlayer, panel: Panel, page: Any) -> None:
        self.player = player
        self.panel = panel
        self.page = page

    @property
    def run(self) -> StandInRun:
        assert self.player.current is not None
        return self.player.current

    def read(self, expression: str) -> Any:
        return self.page.evaluate(f"root.labkit.{expression}")

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def start(self, steps: int = 0) -> None:
        if self.player.current is not None and not self.run.state.ended:
            self.end()
        asked = self.player.asked.count("start")
        self.page.click(".lk-run")
        self.page.wait_for_function(f"root.dataset.run === 'run-{asked + 1}'")
        if steps:
            self.advance(steps)

    def advance(self, steps: int) -> None:
        self.run.advance(steps)
        self.caught_up()

    def caught_up(self) -> None:
        self.page.wait_for_function(f"root.labkit.steps() === {self.run.count}")
        self.drawn()

    def drawn(self) -> None:
        self.page.wait_for_function(f"root.labkit.draws > {self.read('draws')}")

    def end(self, state: State | None = None) -> None:
        self.run.state = state or State("done")
        self.page.wait_for_function(f"root.dataset.state === '{self.run.state.name}'")


@contextmanager
def opened(browser: Browser, player: StandInPlayer, **options: Any) -> Iterator[Shown]:
    panel = Panel(player, poll_seconds=0.15)
    with browser_page(browser, panel, **options) as page:
        yield Shown(player, panel, page)
