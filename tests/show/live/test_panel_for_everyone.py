"""The panel for everyone: keyboard, screen reader, contrast, theme, motion; no markup from data."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.show.page import Shown, opened
from tests.show.standin import StandInPlayer

pytestmark = [pytest.mark.browser, pytest.mark.in_turn]


def test_everything_can_be_done_with_the_keyboard(it: Shown) -> None:
    press = it.page.keyboard.press
    press("Tab")
    assert it.page.evaluate("document.activeElement.className") == "lk-button lk-run"
    assert it.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    press("Enter")
    it.page.wait_for_function("root.dataset.run === 'run-1'")
    it.advance(25)
    assert it.page.evaluate("document.activeElement.className") == "lk-button lk-run", (
        "the focus must not be lost when Run goes grey"
    )
    press("Enter")
    it.page.wait_for_timeout(200)
    assert it.player.asked == ["start"], "a grey button does nothing"
    names = []
    for _ in range(11):
        press("Tab")
        names.append(
            it.page.evaluate("document.activeElement.name || document.activeElement.innerText")
        )
    assert names[:6] == ["■ Stop", "grow", "build_once", "order", "onednn", "decoy"]
    assert names[6:] == ["pause", "asks", "as table", "save run", "report"]
    it.page.focus("input[name=grow]")
    press("Space")
    it.page.wait_for_function("root.labkit.marks().length === 1")
    it.page.focus(".lk-stop")
    press("Space")
    it.page.wait_for_function("root.dataset.state === 'stopped'")


def test_names_and_roles_are_there_for_a_screen_reader(it: Shown) -> None:
    page = it.page
    it.start(20)
    it.end()
    it.drawn()
    assert page.get_by_role("group", name="Graph growth: live panel").count() == 1
    assert page.get_by_role("checkbox", name="grow the graph").count() == 1
    groups = {"repairs": "build once", "more causes": "oneDNN kernels", "for comparison": "loss"}
    for name, toggle in groups.items():
        members = page.get_by_role("group", name=name)
        assert members.get_by_label(toggle).count() == 1
    assert page.get_by_role("combobox", name="order of ops").count() == 1
    assert page.get_by_role("button", name="Stop").count() == 1
    assert page.get_by_role("img", name="Iteration-time curve of Graph growth").count() == 1


def test_the_status_does_not_chatter(it: Shown) -> None:
    it.start(10)
    it.page.evaluate(
        """() => {
          window.spoken = 0;
          new MutationObserver((all) => { window.spoken += all.length; }).observe(root, {
            childList: true, characterData: true, subtree: true });
          window.live = () => [...root.querySelectorAll("[role=status], [aria-live=polite]")]
            .map((e) => e.textContent).join("|");
          window.before = live();
        }"""
    )
    for _ in range(5):
        it.advance(30)
    assert it.page.evaluate("spoken") > 0, "something visible did change"
    assert it.page.evaluate("live() === before")
    assert it.page.get_attribute(".lk-verdict", "aria-live") == "off"


def test_the_last_words_are_spoken(it: Shown) -> None:
    it.start(60)
    it.page.evaluate(
        """() => {
          window.heard = [];
          const verdict = root.querySelector(".lk-verdict");
          new MutationObserver(() => {
            if (verdict.ariaLive === "polite") heard.push(verdict.textContent);
          }).observe(verdict, { childList: true, characterData: true, subtree: true });
        }"""
    )
    it.end()
    it.page.wait_for_function("heard.length > 0")
    assert it.page.evaluate("heard.at(-1)") == it.page.text_content(".lk-verdict") != ""


CONTRAST = """(pairs) => {
  const rgb = (colour) => {
    const probe = document.createElement("span");
    probe.style.color = colour;
    root.append(probe);
    const [r, g, b] = getComputedStyle(probe).color.match(/[\\d.]+/g).map(Number);
    probe.remove();
    return [r, g, b].map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  };
  const light = (name) => {
    const [r, g, b] = rgb(getComputedStyle(root).getPropertyValue(`--lk-${name}`).trim());
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  return Object.fromEntries(pairs.map(([a, b]) =>
    [`${a} on ${b}`, Math.max(light(a) / light(b), light(b) / light(a))]));
}"""
WORDS = [
    ("ink", "paper"), ("ink-2", "paper"), ("ink-2", "soft"), ("fix", "fix-soft"),
    ("ink", "fix-soft"), ("error", "paper"), ("error", "error-soft"), ("on-run", "run"),
]  # fmt: skip
LINES = [(name, "paper") for name in ("curve", "ghost-1", "ghost-2", "ghost-3", "lane", "alarm")]


@pytest.mark.parametrize(("dark", "width"), [(False, 1280), (True, 800)])
def test_light_and_dark_can_be_read(browser: Browser, dark: bool, width: int) -> None:
    with opened(browser, StandInPlayer(), dark=dark, width=width) as it:
        it.start(100)
        assert it.page.get_attribute(".labkit-panel", "data-theme") == ("dark" if dark else "light")
        for pair, ratio in it.page.evaluate(CONTRAST, [list(pair) for pair in WORDS]).items():
            assert ratio >= 4.5, pair
        for pair, ratio in it.page.evaluate(CONTRAST, [list(pair) for pair in LINES]).items():
            assert ratio >= 3.0, pair
        assert it.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "too wide"


def test_the_theme_follows_the_page_and_not_the_computer(it: Shown) -> None:
    it.page.emulate_media(color_scheme="dark")
    it.page.wait_for_timeout(100)
    assert it.page.get_attribute(".labkit-panel", "data-theme") == "light"
    it.page.evaluate("document.body.style.background = '#111'")
    it.page.wait_for_function("root.dataset.theme === 'dark'")


def test_a_title_is_text_and_never_markup(browser: Browser) -> None:
    title = "<img src=x onerror=alert(1)>"
    with opened(browser, StandInPlayer(title=title)) as it:
        assert it.text(".lk-title") == title
        assert it.page.locator("img[src=x]").count() == 0


def test_reduced_motion_draws_at_most_twice_a_second(browser: Browser) -> None:
    with opened(browser, StandInPlayer(), reduced=True) as it:
        it.start(10)
        before = it.read("draws")
        for _ in range(20):
            it.run.advance(10)
            it.page.wait_for_timeout(100)
        assert 1 <= it.read("draws") - before <= 5
