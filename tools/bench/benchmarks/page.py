"""What a learner waits for, and what watching costs, in a real JupyterLab in a real browser.

Clicks and drawn points are timed inside the page, by its own clock. For what an open, polling panel
does to the steps it shows, its polls are held back and let go every few seconds, turn about in one
run. A flip of a toggle that the loop does not read (``chain``, while the graph is built once) marks
each change in the run itself. What the moving dots of a step cost is measured likewise: they stand
still, or move, while the panel polls.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

import numpy as np

from labkit.record import Run, load_run
from tests.browser.chromium import open_chromium
from tests.browser.page import NotebookPage, open_notebook
from tests.browser.panel import PanelOnPage
from tests.browser.server import LabServer
from tools.bench.figure import Figure, median_wait

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
  const before = { run: root.dataset.run, marks: root.labkit.marks().length };
  const there = new Function("lab", "root", "before", `return ${wanted};`);
  let { draws } = root.labkit;
  const clicked = performance.now();
  root.querySelector(selector).click();
  const look = () => {
    const lab = root.labkit;
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
TARGETS_MS = (0.5, 5.0)
MOST_P99 = 1.5
TURNS = 5
PART_SECONDS = 3.5
# After a flip the panel polls quickly for a second; that is no part of its steady state.
SETTLE_SECONDS = 1.3
SIZES = (64, 128, 192, 256, 320, 384, 448, 512, 640, 768, 896, 1024)

SIZING = f"""
import labkit as lk
from statistics import median
from labkit.record import save_run

def size_for(milliseconds):
    best = None
    for size in {SIZES}:
        run = lk.run("graph_growth", steps=150, build_once="on", size=size)
        ratio = median(run.steps.seconds[20:]) * 1e3 / milliseconds
        if best is None or abs(ratio - 1) < best[0]:
            best = abs(ratio - 1), size
        if ratio > 1:  # and not where one step takes longer by chance than a larger one
            break
    return best[1]
"""
LAB = """
lab_{number} = lk.Lab(
    "graph_growth", steps=1_000_000, seconds=60.0, build_once="on", size=size_for({milliseconds})
)
lab_{number}
"""
# Each of its steps makes a batch of records, so the dots move; without a producer it maps nothing.
LAB_OF_DOTS = 'lab_dots = lk.Lab("input_pipeline", source="iterator", width=64)\nlab_dots'
STILL = "(still) => document.body.toggleAttribute('data-still', still)"
STILL_STYLE = "[data-still] .lk-inside i { animation: none !important }"
# Pulls are kept back in the page, before the socket; all else passes.
HOLD = """
() => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const send = kernel.sendShellMessage.bind(kernel);
  const kept = [];
  let holding = false;
  kernel.sendShellMessage = (message, ...rest) => {
    const content = ((message.content || {}).data || {}).content;
    if (holding && content && content.t === "pull") {
      kept.push([message, ...rest]);
      return { done: Promise.resolve(), dispose: () => {} };
    }
    return send(message, ...rest);
  };
  window.holdPulls = (hold) => {
    holding = hold;
    if (!hold) kept.splice(0).forEach((held) => send(...held));
  };
}
"""


def measure() -> list[Figure]:
    """Return the waits after Run and after a flip, and what an open panel does to short steps."""
    with open_chromium() as browser, LabServer() as server:
        cells = {"setup": SETUP, "panel": 'lab = lk.Lab("graph_growth", steps=20_000)\nlab'}
        name = server.write_notebook("clicks.ipynb", cells)
        with open_notebook(browser, server, name) as notebook:
            notebook.run_through("panel")
            figures = _clicks(notebook)
        with open_notebook(browser, server, _write_turns(server)) as notebook:
            return figures + _disturbance(notebook) + _dots(notebook)


def _clicks(notebook: NotebookPage) -> list[Figure]:
    panel = notebook.panel()
    _first_point(panel)  # the first Run of a kernel finds nothing cached
    starts = [_first_point(panel) for _ in range(CLICKS)]
    panel.run()
    panel.wait_for_steps(20)
    # A pause, because a learner does not click within the second in which the panel polls quickly.
    flips = [_after_pause(panel) for _ in range(CLICKS)]
    panel.stop()
    group = "waiting on the page"
    return [
        median_wait(group, "Run click to first point drawn, launcher warm", starts, 0.3),
        median_wait(group, "toggle click to first new point drawn", flips, 0.2),
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


def _write_turns(server: LabServer) -> str:
    """Write the notebook with a lab for each length of step, and return its name."""
    cells = {"setup": SIZING}
    for number, milliseconds in enumerate(TARGETS_MS):
        cells[f"lab-{number}"] = LAB.format(number=number, milliseconds=milliseconds)
        cells[f"save-{number}"] = f"save_run(lab_{number}.run, 'steps-{number}.jsonl.gz')"
    cells |= {"lab-dots": LAB_OF_DOTS, "save-dots": "save_run(lab_dots.run, 'steps-dots.jsonl.gz')"}
    return server.write_notebook("disturbance.ipynb", cells)


def _disturbance(notebook: NotebookPage) -> list[Figure]:
    """Return median and p99 of both steps with the panel polling and without, and the ratios."""
    notebook.run_cell("setup")
    notebook.page.evaluate(HOLD)
    figures: list[Figure] = []
    for number, milliseconds in enumerate(TARGETS_MS):
        notebook.run_cell(f"lab-{number}")

        def poll(on: bool) -> None:
            notebook.page.evaluate("(hold) => window.holdPulls(hold)", not on)

        run = _alternate(notebook, number, str(number), poll, marked_by="chain")
        name = f"{milliseconds:g} ms step"
        figures += _disturbed(name, _parts(run), ("panel polling", "panel silent"))
    return figures


def _dots(notebook: NotebookPage) -> list[Figure]:
    """Return median and p99 of a step with the dots moving and still, and the ratios."""
    notebook.page.add_style_tag(content=STILL_STYLE)
    notebook.run_cell("lab-dots")

    def move(on: bool) -> None:
        notebook.page.evaluate(STILL, not on)

    run = _alternate(notebook, len(TARGETS_MS), "dots", move, marked_by="parallel_map")
    return _disturbed("step of input_pipeline", _parts(run), ("dots moving", "dots still"))


def _alternate(
    notebook: NotebookPage, place: int, name: str, switch: Callable[[bool], None], *, marked_by: str
) -> Run:
    panel = notebook.panel(place)
    panel.run()
    panel.wait_for_steps(100)
    for turn in range(2 * TURNS):
        on = turn % 2 == 0
        switch(on)
        panel.flip(marked_by, on)
        notebook.page.wait_for_timeout(PART_SECONDS * 1e3)
    switch(True)
    panel.stop()
    panel.wait("lab.state === 'stopped'")
    notebook.run_cell(f"save-{name}")
    return load_run(notebook.server.root / f"steps-{name}.jsonl.gz")


def _parts(run: Run) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the step times of each part with what is switched on, and of each without, in s."""
    starts = np.array(run.steps.column("start_seconds"))
    seconds = np.array(run.steps.seconds)
    flips = [event for event in run.events if event.kind == "toggle"]
    ends = [starts[event.step] for event in flips[1:]] + [starts[-1]]
    found: dict[bool, list[np.ndarray]] = {True: [], False: []}
    for event, end in zip(flips, ends, strict=True):
        inside = (starts >= starts[event.step] + SETTLE_SECONDS) & (starts < end)
        found[bool(event.detail["value"])].append(seconds[inside])
    return found[True], found[False]


def _disturbed(
    name: str, parts: tuple[list[np.ndarray], list[np.ndarray]], states: tuple[str, str]
) -> list[Figure]:
    group = "disturbance by the open panel"
    polled, alone = parts
    counts = [sum(map(len, steps)) for steps in (polled, alone)]
    note = f"{counts[0]:,} steps with, {counts[1]:,} without, in {TURNS} turns"
    made = []
    for statistic, rank in (("median", 50), ("p99", 99)):
        without, with_panel = (
            float(np.percentile(np.concatenate(steps), rank)) * 1e3 for steps in (alone, polled)
        )
        # Neighbours compared, because a shared machine drifts over the run.
        ratios = [
            float(np.percentile(one, rank) / np.percentile(other, rank))
            for one, other in zip(polled, alone, strict=True)
        ]
        made += [
            Figure(group, f"{name}, {statistic}, {states[1]}", without, "ms", note=note),
            Figure(group, f"{name}, {statistic}, {states[0]}", with_panel, "ms"),
            Figure(group, f"{name}, {statistic}, ratio", median(ratios), "x",
                   MOST_P99 if statistic == "p99" else None,
                   note=f"median of {len(ratios)} pairs of neighbours, "
                        f"from {min(ratios):.2f} to {max(ratios):.2f}"),
        ]  # fmt: skip
    return made
