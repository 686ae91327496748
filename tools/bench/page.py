"""What a learner waits for, and what watching costs, in a real JupyterLab in a real browser.

Clicks and drawn points are timed inside the page, by its own clock.
"""

from __future__ import annotations

from statistics import median

from tests.browser.chromium import open_chromium
from tests.browser.page import NotebookPage, open_notebook
from tests.browser.panel import PanelOnPage
from tests.browser.server import LabServer
from tools.bench import disturbance
from tools.bench.figure import Figure

CLICKS = 10
SETUP = """
import labkit as lk
from labkit.lab.kernel import bench
bench().warm()
assert bench().launcher.wait_until_ready(120)
"""
# Resolves with the milliseconds from the click to the first picture that holds what is wanted.
# A picture is drawn one frame after its data came, so the draw counts and not the data.
CLICK = """
(root, [selector, wanted]) => new Promise((done) => {
  const lab = root.labkit;
  const before = { run: root.dataset.run, marks: lab.marks().length };
  const there = new Function("lab", "root", "before", `return ${wanted};`);
  let draws = lab.draws;
  const clicked = performance.now();
  root.querySelector(selector).click();
  const look = () => {
    if (!there(lab, root, before)) draws = lab.draws;
    else if (lab.draws > draws) return done(performance.now() - clicked);
    setTimeout(look, 2);
  };
  look();
})
"""
FIRST_POINT = "root.dataset.run !== before.run && lab.curve().length > 0"
POINT_AFTER_FLIP = (
    "lab.marks().length > before.marks && lab.steps() > lab.marks()[lab.marks().length - 1].step"
)


def measure() -> list[Figure]:
    """Return the waits after Run and after a flip, and what an open panel does to short steps."""
    with open_chromium() as browser, LabServer() as server:
        cells = {"setup": SETUP, "panel": 'lab = lk.Lab("graph_growth", steps=20_000)\nlab'}
        name = server.write_notebook("clicks.ipynb", cells)
        with open_notebook(browser, server, name) as notebook:
            notebook.run_through("panel")
            figures = _clicks(notebook)
        with open_notebook(browser, server, disturbance.write_notebook(server)) as notebook:
            return figures + disturbance.measure(notebook)


def _clicks(notebook: NotebookPage) -> list[Figure]:
    panel = notebook.panel()
    _first_point(panel)  # the first Run of a kernel finds nothing cached
    starts = [_first_point(panel) for _ in range(CLICKS)]
    panel.run()
    panel.wait_for_steps(20)
    # A pause, because a learner does not click within the second in which the panel polls quickly.
    flips = [_after_pause(panel) for _ in range(CLICKS)]
    panel.stop()
    return [
        _figure("Run click to first point drawn, launcher warm", starts, 0.3),
        _figure("toggle click to first new point drawn", flips, 0.2),
    ]


def _first_point(panel: PanelOnPage) -> float:
    waited = _click(panel, ".lk-run", FIRST_POINT)
    panel.stop()
    panel.wait("lab.state === 'stopped'")
    panel.page.wait_for_timeout(1_500)
    return waited


def _after_pause(panel: PanelOnPage) -> float:
    panel.page.wait_for_timeout(1_500)
    return _click(panel, "input[name=grow]", POINT_AFTER_FLIP)


def _click(panel: PanelOnPage, selector: str, wanted: str) -> float:
    return float(panel.root.evaluate(CLICK, [selector, wanted])) / 1e3


def _figure(name: str, waits: list[float], goal: float) -> Figure:
    note = f"median of {len(waits)}, from {min(waits):.2f} to {max(waits):.2f}"
    return Figure("waiting on the page", name, median(waits), "s", goal, note)
