"""Whatever is pressed, in whatever order and however fast, a page shows what is true.

Tier: make test, in turn, short.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from labkit.bench.bench import Bench
from labkit.bench.supervision.limits import Limits
from labkit.causes import load
from labkit.lab.player import LabPlayer
from labkit.show.live.panel import Panel
from tests.browser.chromium import chromium_or_skip
from tests.running import came, ended
from tests.show.page import browser_page
from tests.torture.conftest import Tried

pytestmark = [pytest.mark.in_turn, pytest.mark.browser]

CAUSES = ("history", "garbage")
PRESSES = 50
BETWEEN_CHECKS = 10
LIMITS = Limits(wall_seconds=4.0)
PRESS = """([kind, dice]) => {
  const all = [...root.querySelectorAll(
    {button: "button", toggle: ".lk-toggle :is(input, select)", choice: "select"}[kind])];
  const at = all[Math.floor(dice * all.length)];
  if (!at) return "";
  if (at.tagName === "SELECT") {
    at.selectedIndex = (at.selectedIndex + 1) % at.options.length;
    at.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (at.type === "range") {
    at.value = (Number(at.value) + 1) % (Number(at.max) + 1);
    for (const type of ["input", "change"]) at.dispatchEvent(new Event(type, { bubbles: true }));
  } else at.click();
  return at.name || at.className || at.textContent;
}"""
PAUSED = "root.querySelector('.lk-pause').getAttribute('aria-pressed') === 'true'"
SHOWN = """() => Object.fromEntries(
  [...root.querySelectorAll(".lk-toggle :is(input, select)")].map((at) =>
    [at.name, at.type === "checkbox" ? (at.checked ? "on" : "off")
      : at.type === "range" ? at.parentElement.querySelector("output").textContent : at.value]))"""


@pytest.fixture
def browser() -> Iterator[Browser]:
    with chromium_or_skip() as started:
        yield started


def shows_the_truth(page: Page, panel: Panel, player: LabPlayer) -> None:
    """Wait until a page has caught up, and see that run, state, steps and toggles are those."""
    run = player.current
    if run is None:
        assert page.evaluate("root.dataset.run") == ""
        return
    for _ in range(3):
        name, state = run.name, run.state
        page.wait_for_function(
            "([name, ended]) => root.dataset.run === name && (!ended || root.labkit.steps() === "
            "root.labkit.count)",
            arg=[name, state.ended],
        )
        if run.state.ended == state.ended:
            break
    if state.ended:
        page.wait_for_function("(name) => root.dataset.state === name", arg=state.name)
        assert page.evaluate("root.labkit.steps()") == run.count
    paused = partial(page.evaluate, PAUSED)
    assert came(lambda: paused() == run.paused), (paused(), run.paused)
    told = partial(page.evaluate, SHOWN)
    assert came(lambda: told() == panel._controls.values()), (told(), panel._controls.values())


def test_pages_show_what_is_true_whatever_is_pressed(
    bench: Bench,
    browser: Browser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rounds: int,
    dice: random.Random,
    tried: Tried,
) -> None:
    monkeypatch.chdir(tmp_path)  # where runs and reports are saved
    players = [
        LabPlayer(load(slug), partial(bench.start, slug, device="cpu", limits=LIMITS))
        for slug in CAUSES
    ]
    panels = [Panel(player, poll_seconds=0.15) for player in players]
    pressed = Counter[str]()
    with browser_page(browser, panels[0]) as one, browser_page(browser, panels[1]) as two:
        shown = list(zip((one, two), panels, players, strict=True))
        for number in range(PRESSES * rounds):
            page, panel, player = dice.choice(shown)
            kind = dice.choices(["button", "toggle", "choice"], [4, 3, 1])[0]
            pressed[page.evaluate(PRESS, [kind, dice.random()])] += 1
            page.wait_for_timeout(dice.choice([0, 0, 20, 200]))
            if number % BETWEEN_CHECKS == 0:
                for each in shown:
                    shows_the_truth(*each)
        for page, panel, player in shown:
            page.evaluate("root.querySelector('.lk-stop').click()")
            if player.current is not None:
                page.wait_for_function("root.dataset.state !== 'running'")
            shows_the_truth(page, panel, player)
        for run in bench.sessions:  # of both: one that is paused goes on for ten minutes
            ended(run)
    assert len(pressed) > 10, pressed
    tried(sum(pressed.values()), "presses")
