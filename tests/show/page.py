"""The panel in a real browser without Jupyter: the real kernel side behind a fake `model`.

The page's model hands what the view sends to the Python `Panel` and dispatches the answers, so both
sides of the conversation are the real ones; only the road between them is ours.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page

from labkit.record import State
from labkit.show.form_view import FormView
from labkit.show.live.panel import Panel
from tests.browser.chromium import READ_PANEL
from tests.show.standin import StandInPlayer, StandInRun

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>panel</title>
<style>{css}</style><body style="margin:16px;background:{background};color:{ink}">
<div id="one"></div><div id="two"></div></body></html>"""
MODEL = """
(facts) => {
  const heard = [];
  window.model = {
    mute: false,
    lateMs: 0,
    sent: [],
    get: (key) => facts[key],
    on: (event, callback) => heard.push(callback),
    off: (event, callback) => heard.splice(heard.indexOf(callback), 1),
    hear: (content, buffers) => heard.slice().forEach((callback) => callback(content, buffers)),
    send: async (message) => {
      window.model.sent.push(message);
      if (window.model.mute) return;
      const answer = await window.toKernel(message);
      const buffers = answer.buffers.map((text) => {
        // Off by one on purpose: a real message's buffer starts anywhere.
        const bytes = Uint8Array.from("?" + atob(text), (c) => c.charCodeAt(0));
        return new DataView(bytes.buffer, 1);
      });
      if (message.t === "pull" && window.model.lateMs) {
        await new Promise((done) => setTimeout(done, window.model.lateMs));
      }
      if (!window.model.mute) window.model.hear(answer.content, buffers);
    },
  };
  const url = URL.createObjectURL(new Blob([facts._esm], { type: "text/javascript" }));
  window.show = async (id) => {
    const module = await import(url);
    const el = document.getElementById(id);
    el.replaceChildren();
    window.endView = module.default.render({ model: window.model, el });
    window.root = el.firstChild;
  };
}
"""
# What is written on the canvas from here on.
WRITTEN = """() => {
  window.written = [];
  const was = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (words, ...place) {
    window.written.push(words);
    return was.call(this, words, ...place);
  };
}"""
DARK = {
    "--jp-layout-color0": "#111111",
    "--jp-ui-font-color0": "rgba(255,255,255,1)",
}


@contextmanager
def browser_page(
    browser: Browser,
    panel: Panel | FormView,
    *,
    width: int = 1280,
    dark: bool = False,
    reduced: bool = False,
) -> Iterator[Page]:
    """Show a panel or a form on a plain page; `page.evaluate("root.labkit...")` reads a panel."""

    def to_kernel(message: dict[str, Any]) -> dict[str, Any]:
        answers: list[dict[str, Any]] = []

        def send(content: dict[str, Any], buffers: Any = ()) -> None:
            texts = [base64.b64encode(bytes(buffer)).decode() for buffer in buffers or ()]
            answers.append({"content": content, "buffers": texts})

        panel.send = send  # type: ignore[method-assign]
        panel._handle_custom_msg(message, [])
        return answers[-1]

    page = browser.new_page(
        viewport={"width": width, "height": 900},
        reduced_motion="reduce" if reduced else "no-preference",
    )
    page.set_default_timeout(10_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.expose_function("toKernel", to_kernel)
    style = "".join(f"{name}:{value};" for name, value in (DARK if dark else {}).items())
    page.set_content(PAGE.format(
        css=f":root{{{style}}}" + panel._css,
        background="#111" if dark else "#fff", ink="#eee" if dark else "#111",
    ))  # fmt: skip
    page.evaluate(READ_PANEL.read_text("utf-8"))
    page.evaluate(MODEL, {"_facts": panel._facts, "_esm": panel._esm})
    page.evaluate("show('one')")
    drawn = "root.labkit && root.labkit.draws > 0" if isinstance(panel, Panel) else "true"
    page.wait_for_function(f"window.root && {drawn}")
    yield page
    page.close()
    assert not errors, errors


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
