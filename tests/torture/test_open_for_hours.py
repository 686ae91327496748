"""A panel that is open all day takes no more memory in the evening than at noon.

Eight hours of questions are asked one after the other, without the time between them: by a page in
a real Chromium, and by messages to the kernel's side alone. Tier: make test, in turn, short.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator

import psutil
import pytest
from playwright.sync_api import Browser, Page

from labkit.record import State
from labkit.show.live.panel import Panel
from tests.browser.chromium import chromium_or_skip
from tests.show.page import browser_page
from tests.show.standin import StandInPlayer
from tests.torture.conftest import Tried

pytestmark = [pytest.mark.in_turn]

MB = 1_000_000
HOURS = 8
ROUNDS_OF_A_DAY = 100
QUESTIONS_AN_HOUR = 5_143  # one each 0.7 s
STEPS_A_QUESTION = 7  # of a loop with steps of a tenth of a second
RUNS_KEPT = 4  # those on show
ASK = """async (times) => {
  for (let k = 0; k < times; k++) {
    await window.advance();
    root.view.link.pull();
    while (root.view.link.waitingSince !== null) await new Promise((done) => setTimeout(done));
  }
}"""


class Day:
    """A loop that goes on for an hour, and then the next, of which the latest are on show."""

    def __init__(self, rounds: int) -> None:
        self.player = StandInPlayer()
        self.questions = max(10, QUESTIONS_AN_HOUR * rounds // ROUNDS_OF_A_DAY)

    def begin(self) -> None:
        """End the run of the hour before, and start one."""
        if self.player.current is not None:
            self.player.current.state = State("done")
        self.player.start({toggle.name: toggle.default for toggle in self.player.toggles})
        del self.player.runs[:-RUNS_KEPT], self.player.asked[:]

    def advance(self) -> None:
        """Take the steps between two questions, and flip the toggle now and then."""
        run = self.player.current
        assert run is not None
        run.advance(STEPS_A_QUESTION)
        if run.count % (100 * STEPS_A_QUESTION) == 0:
            run.happen("toggle", "grow on", grow=True)


@pytest.fixture
def browser() -> Iterator[Browser]:
    with chromium_or_skip() as started:
        yield started


def held_by(page: Page) -> tuple[float, float]:
    """Return the bytes and the elements of a page, when what nobody holds is gone."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    nodes = session.send("Memory.getDOMCounters")["nodes"]
    session.detach()
    return float(used), float(nodes)


@pytest.mark.browser
def test_a_page_that_asks_all_day_holds_no_more_in_the_evening_than_at_noon(
    browser: Browser, rounds: int, tried: Tried
) -> None:
    day = Day(rounds)
    panel = Panel(day.player, poll_seconds=3600)
    held = []
    with browser_page(browser, panel) as page:
        page.expose_function("advance", day.advance)
        for _ in range(HOURS):
            day.begin()
            page.evaluate(ASK, day.questions)
            held.append(held_by(page))
        assert page.evaluate("root.labkit.steps()") == STEPS_A_QUESTION * day.questions
        assert len(page.evaluate("root.labkit.ghosts()")) == RUNS_KEPT - 1
    noon, evening = (max(held[half : half + HOURS // 2]) for half in (0, HOURS // 2))
    assert evening[0] < noon[0] + 2 * MB, held
    assert evening[1] < noon[1] + 200, held
    tried(HOURS * day.questions, "questions of a page, those of eight hours")


def test_a_kernel_that_is_asked_all_day_holds_no_more_in_the_evening_than_at_noon(
    rounds: int, tried: Tried
) -> None:
    day = Day(rounds)
    panel = Panel(day.player)
    sent = []
    panel.send = lambda content, buffers=(): sent.append(content)  # type: ignore[method-assign]
    process, held = psutil.Process(), []
    for _ in range(HOURS):
        day.begin()
        since = marks = 0
        for number in range(day.questions):
            day.advance()
            run = day.player.current
            assert run is not None
            message = {"t": "pull", "id": f"view:{number}", "run": run.name, "since": since,
                       "marks": marks, "max": 2_000}  # fmt: skip
            panel._handle_custom_msg(message, [])
            (answer,) = sent
            since, marks = answer["part"]["next"], marks + len(answer["part"]["marks"])
            sent.clear()
        assert since == STEPS_A_QUESTION * day.questions
        gc.collect()
        held.append(process.memory_info().rss)
    assert max(held[HOURS // 2 :]) < max(held[: HOURS // 2]) + 20 * MB, held
    tried(HOURS * day.questions, "questions to a kernel, those of eight hours")
