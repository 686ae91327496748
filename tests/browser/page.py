"""A notebook open in the browser: its cells run one by one, its faults collected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, ConsoleMessage, Page, Route

from tests.browser.chromium import READ_PANEL
from tests.browser.panel import PanelOnPage
from tests.browser.server import LabServer

Front = Literal["lab", "notebook"]  # JupyterLab, Notebook 7
SLOW_MS = 60_000
MOST_TABS = 40
# Of itself: of its settings with any notebook, an empty one too; and of the file browser's command,
# which is not on that page. Seen with Notebook 7.6.
NOT_OURS = (
    "Cannot read properties of undefined (reading 'schema')",
    "Command 'filebrowser:open-path' not registered.",
)
# The badges at a notebook's head are pictures from outside, and the tests need no network.
OUTSIDE = re.compile(r"^https?://(?!127\.0\.0\.1[:/])")
NO_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
SETUP = "import time\nimport labkit as lk\nlk.setup()"
LAB = 'lab = lk.Lab("graph_growth")\nlab'
# A form of questions looks the same, and has no run.
LIVE_PANEL = ".labkit-panel[data-state]"
READY = """
async (name) => {
  const moment = () => new Promise((done) => setTimeout(done, 50));
  while (!window.jupyterapp) await moment();
  const app = window.jupyterapp;
  await app.restored;
  const ready = () => {
    const panel = app.shell.currentWidget;
    const session = panel && panel.context && panel.context.path === name && panel.sessionContext;
    const kernel = session && session.isReady && session.session && session.session.kernel;
    return kernel && kernel.connectionStatus === "connected" && kernel.status === "idle";
  };
  while (!ready()) await moment();
}
"""
RUN_CELL = """
async ([id, wait]) => {
  const app = window.jupyterapp;
  const notebook = app.shell.currentWidget.content;
  const index = notebook.widgets.findIndex((cell) => cell.model.id === id);
  if (index < 0) throw new Error(`the notebook has no cell ${id}`);
  notebook.deselectAll();
  notebook.activeCellIndex = index;
  const ran = app.commands.execute("notebook:run-cell");
  if (wait) await ran;
  const model = notebook.widgets[index].model;
  return model.outputs ? model.outputs.toJSON() : [];
}
"""
CODE_CELLS = """
() => window.jupyterapp.shell.currentWidget.content.widgets
  .filter((cell) => cell.model.type === "code").map((cell) => cell.model.id)
"""
IS_RUNNING = """
(id) => window.jupyterapp.shell.currentWidget.content.widgets
  .find((cell) => cell.model.id === id).model.executionState === "running"
"""
SCROLL_TO = """
async (id) => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  const index = notebook.widgets.findIndex((cell) => cell.model.id === id);
  notebook.activeCellIndex = index;
  await notebook.scrollToItem(index, "start");
}
"""
# What a browser withholds from a hidden tab: frames at all, and timers more than once a second.
HIDE = """
() => {
  const { requestAnimationFrame, setTimeout } = window;
  const held = [];
  const tell = (hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    const value = hidden ? "hidden" : "visible";
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  };
  window.requestAnimationFrame = (draw) => held.push(draw);
  window.setTimeout = (act, wait, ...rest) => setTimeout(act, Math.max(1000, wait || 0), ...rest);
  window.showAgain = () => {
    Object.assign(window, { requestAnimationFrame, setTimeout });
    tell(false);
    held.forEach((draw) => requestAnimationFrame(draw));
  };
  tell(true);
}
"""


class NotebookPage:
    """One notebook in one tab.

    Args:
        page: The tab, empty.
        server: Where the notebook is.
        name: Its file.
        front: In which front end it is opened.
    """

    def __init__(self, page: Page, server: LabServer, name: str, front: Front = "lab") -> None:
        self.page = page
        self.server = server
        self.name = name
        self.front = front
        self.faults: list[str] = []
        page.set_default_timeout(SLOW_MS)
        page.add_init_script(path=READ_PANEL)
        page.on("pageerror", lambda error: self._note_uncaught(str(error)))
        page.on("console", self._note)
        page.route(OUTSIDE, self._stay_inside)
        # A workspace of its own, or JupyterLab opens the notebooks of earlier tests again.
        workspace = f"lab/workspaces/{Path(name).stem}/tree"
        folder = workspace if front == "lab" else "notebooks"
        page.goto(f"{server.url}{folder}/{name}?token={server.token}")
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until the notebook is there and its kernel rests."""
        self.page.evaluate(READY, self.name)

    def run_cell(self, cell: str, *, wait: bool = True) -> list[dict[str, Any]]:
        """Run one cell by its id; return its outputs, or at once where `wait` is False.

        Raises:
            AssertionError: If the cell raised.
        """
        outputs: list[dict[str, Any]] = self.page.evaluate(RUN_CELL, [cell, wait])
        for output in outputs if wait else ():
            assert output["output_type"] != "error", (
                f"{cell}: {output['ename']}: {output['evalue']}"
            )
        return outputs

    def run_through(self, last: str) -> None:
        """Run the code cells from the first up to and including one."""
        for cell in self.page.evaluate(CODE_CELLS):
            self.run_cell(cell)
            if cell == last:
                return
        raise AssertionError(f"{self.name} has no code cell {last}")

    def panel(self, nth: int = 0) -> PanelOnPage:
        """Return a live panel on this page, once it is drawn."""
        root = self.page.locator(LIVE_PANEL).nth(nth)
        root.wait_for()
        panel = PanelOnPage(self.page, root)
        panel.wait("lab.draws > 0")
        return panel

    def is_running(self, cell: str) -> bool:
        """Tell whether a cell has been started and has not ended."""
        return bool(self.page.evaluate(IS_RUNNING, cell))

    def restart_kernel(self) -> None:
        """Restart the kernel, as the menu does after its question."""
        self.page.evaluate(
            "async () => { await window.jupyterapp.shell.currentWidget.sessionContext.session"
            ".kernel.restart(); }"
        )
        self.wait_until_ready()

    def scroll_to(self, cell: str) -> None:
        """Bring a cell into view and make it the active one."""
        self.page.evaluate(SCROLL_TO, cell)

    def tab_to(self, selector: str, *, backwards: bool = False) -> None:
        """Press Tab until an element of the page has the focus."""
        for _ in range(MOST_TABS):
            self.page.keyboard.press("Shift+Tab" if backwards else "Tab")
            if self.page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
                return
        raise AssertionError(f"{MOST_TABS} tabs did not reach {selector}")

    def save(self) -> None:
        """Save the notebook."""
        self.page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")

    def reload(self) -> None:
        """Load the page anew, as F5 does."""
        self.page.reload()
        self.wait_until_ready()

    def hide(self) -> None:
        """Treat the tab as a browser treats a hidden one; Playwright keeps all of them in sight."""
        self.page.evaluate(HIDE)

    def show_again(self) -> None:
        """Treat the tab as one in sight again."""
        self.page.evaluate("showAgain()")

    def assert_no_fault(self) -> None:
        """See that nothing was complained of, in the console, in a dialog or by a panel."""
        assert not self.faults, self.faults
        assert self.page.locator(".jp-Dialog").count() == 0
        alerts = self.page.locator(".lk-error").all_inner_texts()
        assert not any(text.strip() for text in alerts), alerts

    def _stay_inside(self, route: Route) -> None:
        if route.request.resource_type == "image":
            route.fulfill(body=NO_PICTURE, content_type="image/svg+xml")
        else:
            self.faults.append(f"asked for {route.request.url}")
            route.abort()

    def _note_uncaught(self, error: str) -> None:
        if self.front == "lab" or error not in NOT_OURS:
            self.faults.append(f"uncaught: {error}")

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"console: {message.text}")


@contextmanager
def open_notebook(
    browser: Browser, server: LabServer, name: str, *, width: int = 1280, height: int = 1100,
    scale: float = 1.0, front: Front = "lab",
) -> Iterator[NotebookPage]:  # fmt: skip
    """Open a notebook in a tab of its own; at the end its kernel is ended, too."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=scale
    )
    try:
        yield NotebookPage(context.new_page(), server, name, front)
    finally:
        context.close()
        for session in server.ask("api/sessions"):
            if session["path"] == name:
                server.ask(f"api/sessions/{session['id']}", "DELETE")


@contextmanager
def open_lab(
    browser: Browser, server: LabServer, name: str, *, front: Front = "lab", **more: str
) -> Iterator[tuple[NotebookPage, PanelOnPage]]:
    """Open a new notebook that shows the panel of the first lab.

    Args:
        browser: Where it is opened.
        server: Where it is.
        name: What it is called, without its ending.
        front: In which front end.
        more: Cells below the panel, by their ids; they are not run.
    """
    file = server.write_notebook(f"{name}.ipynb", {"setup": SETUP, "panel": LAB, **more})
    with open_notebook(browser, server, file, front=front) as notebook:
        notebook.run_through("panel")
        yield notebook, notebook.panel()
