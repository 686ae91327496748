"""The report in a real browser: light, dark, narrow and printed; and the view in a notebook's page.

Tier: make test, in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from labkit.show.report.report import report_html, view_html
from tests.show import told

pytestmark = [pytest.mark.browser, pytest.mark.in_turn]

# Every piece of text on the page against what is painted behind it.
CONTRASTS = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const linear = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = (colour) => {
    const [r, g, b] = colour.map(linear);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const painted = numbers(getComputedStyle(e).backgroundColor);
      if (painted.length < 4 || painted[3] > 0.5) return painted;
    }
    return [255, 255, 255];
  };
  const found = {};
  const root = document.querySelector(".labkit-diagnosis");
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const words = walker.currentNode.data.trim(), e = walker.currentNode.parentElement;
    if (!words || !e.getClientRects().length) continue;
    const style = getComputedStyle(e);
    const ink = e.namespaceURI.endsWith("svg") ? style.fill : style.color;
    const [a, b] = [light(numbers(ink)), light(behind(e))];
    found[words.slice(0, 40)] = Math.max(a / b, b / a);
  }
  return found;
}"""
BACKGROUND = "getComputedStyle(document.querySelector('.labkit-diagnosis')).backgroundColor"
WHITE, DARK = "rgb(255, 255, 255)", "rgb(22, 25, 29)"


@contextmanager
def shown(browser: Browser, text: str, **options: Any) -> Iterator[Page]:
    page = browser.new_page(**options)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on("request", lambda request: faults.append(f"asked for {request.url}"))
    page.set_content(text)
    yield page
    page.close()
    assert not faults, faults


def whole() -> str:
    return report_html([told.looked_at(told.ill())])


@pytest.mark.parametrize(
    "diagnosis", [told.ill(), told.healthy(), told.unexplained()], ids=["ill", "healthy", "open"]
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_words_stand_out_in_light_and_dark(browser: Browser, scheme: str, diagnosis) -> None:
    text = report_html([told.looked_at(diagnosis)])
    with shown(browser, text, color_scheme=scheme) as page:
        assert page.evaluate(BACKGROUND) == (WHITE if scheme == "light" else DARK)
        page.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
        found = page.evaluate(CONTRASTS)
        assert len(found) > 40
        for words, ratio in found.items():
            assert ratio >= 4.5, words


@pytest.mark.parametrize("width", [360, 800, 1400])
def test_the_page_is_never_wider_than_the_window(browser: Browser, width: int) -> None:
    with shown(browser, whole(), viewport={"width": width, "height": 800}) as page:
        page.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_paper_it_is_light_whatever_the_screen_is(browser: Browser) -> None:
    with shown(browser, whole(), color_scheme="dark") as page:
        page.emulate_media(media="print")
        assert page.evaluate(BACKGROUND) == WHITE


def test_a_screen_reader_finds_chart_tables_and_headings(browser: Browser) -> None:
    with shown(browser, whole()) as page:
        chart = page.get_by_role("img", name="Iteration-time curve of loop.py")
        assert chart.count() == 1
        assert page.get_by_role("main").count() == 1
        assert page.get_by_role("heading", level=1).inner_text() == "loop.py"
        assert page.get_by_role("table", name="A step takes 8.5 ms longer").count() == 1
        assert page.get_by_role("rowheader", name="session extension").count() == 1


def test_the_step_times_are_a_file_to_take_away(browser: Browser) -> None:
    page = browser.new_page(accept_downloads=True)
    page.set_content(whole())
    with page.expect_download() as download:
        page.get_by_role("link", name="step_times.csv").click()
    lines = download.value.path().read_text().splitlines()
    assert lines[0] == "seconds" and len(lines) == 601
    page.close()


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ('<body data-jp-theme-light="true">', WHITE),
        ('<body data-jp-theme-light="false">', DARK),
        ('<body class="vscode-dark">', DARK),
        ("<body>", WHITE),
    ],
)
def test_in_a_notebook_it_follows_the_page_and_not_the_computer(
    browser: Browser, body: str, wanted: str
) -> None:
    text = f"<!doctype html>{body}{view_html(told.looked_at(told.ill()))}</body>"
    for scheme in ("light", "dark"):
        with shown(browser, text, color_scheme=scheme) as page:
            assert page.evaluate(BACKGROUND) == wanted
            for words, ratio in page.evaluate(CONTRASTS).items():
                assert ratio >= 4.5, words


NOTEBOOK_RULES = """
.a .b pre, .a .b code { padding: 0; background: red; }
.a .b :not(pre) > code { padding: 1px 5px; background: red; }
.b tbody tr:nth-child(even) { background: red; }
.b dl dt { float: left; width: 20%; }
"""


def test_the_rules_a_notebook_has_for_tables_and_code_do_not_win(browser: Browser) -> None:
    view = view_html(told.looked_at(told.ill()))
    text = f'<body class="a"><div class="b">{view}</div><style>{NOTEBOOK_RULES}</style></body>'
    with shown(browser, f"<!doctype html>{text}") as page:
        style = "(s) => { const c = getComputedStyle(document.querySelector(s)); return "
        for selector in ("pre", "code", "tbody tr:nth-child(even)", ".lk-lab code"):
            assert page.evaluate(style + "c.backgroundColor; }", selector) != "rgb(255, 0, 0)"
        assert page.evaluate(style + "c.float; }", ".lk-figures dt") == "none"
        assert page.evaluate(style + "c.paddingLeft; }", "pre") == "12px"
