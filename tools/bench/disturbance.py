"""What an open, polling panel does to the steps it shows: with and without, turn about in one run.

The page's polls are held back and let go every few seconds. A flip of a toggle that the loop does
not read (``chain``, while the graph is built once) marks each change in the run itself.
"""

from __future__ import annotations

from statistics import median

import numpy as np

from labkit.record import Run, load_run
from tests.browser.page import NotebookPage
from tests.browser.server import LabServer
from tools.bench.figure import Figure

TARGETS_MS = (0.5, 5.0)
TURNS = 5
PART_SECONDS = 3.5
# After a flip the panel polls quickly for a second; that is no part of its steady state.
SETTLE_SECONDS = 1.3
SIZES = (64, 128, 192, 256, 320, 384, 448, 512, 640, 768, 896, 1024)

SETUP = f"""
import labkit as lk
from statistics import median
from labkit.record import save_run

def size_for(milliseconds):
    best = None
    for size in {SIZES}:
        run = lk.run("graph_growth", steps=150, build_once="on", size=size)
        off = abs(median(run.steps.seconds[20:]) * 1e3 / milliseconds - 1)
        if best is not None and off > best[0]:
            break
        best = off, size
    return best[1]
"""
LAB = """
lab_{number} = lk.Lab(
    "graph_growth", steps=1_000_000, seconds=60.0, build_once="on", size=size_for({milliseconds})
)
lab_{number}
"""
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


def write_notebook(server: LabServer) -> str:
    """Write the notebook with a lab for each length of step, and return its name."""
    cells = {"setup": SETUP}
    for number, milliseconds in enumerate(TARGETS_MS):
        cells[f"lab-{number}"] = LAB.format(number=number, milliseconds=milliseconds)
        cells[f"save-{number}"] = f"save_run(lab_{number}.run, 'steps-{number}.jsonl.gz')"
    return server.write_notebook("disturbance.ipynb", cells)


def measure(notebook: NotebookPage) -> list[Figure]:
    """Return median and p99 of both steps with the panel polling and without, and the ratios."""
    notebook.run_cell("setup")
    notebook.page.evaluate(HOLD)
    figures: list[Figure] = []
    for number, milliseconds in enumerate(TARGETS_MS):
        notebook.run_cell(f"lab-{number}")
        run = _alternate(notebook, number)
        polled, alone = parts(run)
        figures += _figures(f"{milliseconds:g} ms step", polled, alone)
    return figures


def _alternate(notebook: NotebookPage, number: int) -> Run:
    panel = notebook.panel(number)
    page = notebook.page
    panel.run()
    panel.wait_for_steps(100)
    for turn in range(2 * TURNS):
        polling = turn % 2 == 0
        page.evaluate("(hold) => window.holdPulls(hold)", not polling)
        panel.flip("chain", polling)
        page.wait_for_timeout(PART_SECONDS * 1e3)
    page.evaluate("() => window.holdPulls(false)")
    panel.stop()
    panel.wait("lab.state === 'stopped'")
    notebook.run_cell(f"save-{number}")
    return load_run(notebook.server.root / f"steps-{number}.jsonl.gz")


def parts(run: Run) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the step times of each part with polling, and of each without, in seconds."""
    starts = np.array(run.steps.column("start_seconds"))
    seconds = np.array(run.steps.seconds)
    flips = [event for event in run.events if event.kind == "toggle"]
    ends = [starts[event.step] for event in flips[1:]] + [starts[-1]]
    found: dict[bool, list[np.ndarray]] = {True: [], False: []}
    for event, end in zip(flips, ends, strict=True):
        inside = (starts >= starts[event.step] + SETTLE_SECONDS) & (starts < end)
        found[bool(event.detail["value"])].append(seconds[inside])
    return found[True], found[False]


def _figures(name: str, polled: list[np.ndarray], alone: list[np.ndarray]) -> list[Figure]:
    group = "disturbance by the open panel"
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
            Figure(group, f"{name}, {statistic}, panel silent", without, "ms", note=note),
            Figure(group, f"{name}, {statistic}, panel polling", with_panel, "ms"),
            Figure(group, f"{name}, {statistic}, ratio", median(ratios), "x",
                   note=f"median of {len(ratios)} pairs of neighbours, "
                        f"from {min(ratios):.2f} to {max(ratios):.2f}"),
        ]  # fmt: skip
    return made
