"""The main journey in a real browser: the first lab from Run to a reloaded page.

Tier: make test in JupyterLab, make test-full in Notebook 7.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

import pytest
from playwright.sync_api import Browser

from labkit.causes import load
from tests.browser.page import NotebookPage, open_notebook
from tests.browser.panel import PanelOnPage
from tests.browser.server import LabServer

pytestmark = pytest.mark.browser

CAUSE = load("graph_growth")
OPS_A_STEP = CAUSE.expectation.per_step["graph_ops"]


@pytest.fixture(scope="module", params=["lab", pytest.param("notebook", marks=pytest.mark.full)])
def notebook(
    browser: Browser, server: LabServer, request: pytest.FixtureRequest
) -> Iterator[NotebookPage]:
    with open_notebook(browser, server, CAUSE.notebook, front=request.param) as opened:
        opened.run_through("panel")
        yield opened


def test_a_learner_sees_the_curve_rise_and_fall_and_finds_it_again(notebook: NotebookPage) -> None:
    panel = notebook.panel()
    assert panel.state == "ready"

    panel.run(250)
    seconds = panel.seconds
    # The quickest of many: what else the machine does can only make a step slower.
    assert min(seconds[-40:]) > 1.3 * min(seconds[:40])
    said = panel.words
    assert said.ops[1] - said.ops[0] == OPS_A_STEP * (said.steps - 1) > 0
    assert "so far" in said.verdict[0]

    panel.flip("grow", False)
    panel.wait_for_flips(1)
    (mark,) = panel.flips
    assert mark["text"] == "grow off"
    flipped = int(mark["step"])
    panel.wait_for_steps(flipped + 40)
    seconds = panel.seconds  # seconds[0] is step 1
    before = median(seconds[flipped - 31 : flipped - 1])
    assert median(seconds[flipped + 5 : flipped + 35]) < before / 3

    panel.end()
    first_steps = panel.steps
    said = panel.words
    grown, rested = said.verdict
    assert grown.startswith(f"steps 0-{flipped - 1:,}, grow on: ")
    assert rested.startswith(f"steps {flipped:,}-{first_steps - 1:,}, grow off: ")
    assert "ms per step" in grown
    lines = panel.ask("lab.words().fits")
    for line, own_steps in zip(lines, (range(flipped), range(flipped, first_steps)), strict=True):
        assert all(step in own_steps for step in line["steps"])
        # A busy machine can leave a stretch without a level; what has a direction has a line.
        assert line["steps"] or line["tone"] not in ("slower", "faster", "even")
    assert said.headline and len(said.headline.split()) <= 8
    # Which verdict it is depends on how quiet this machine is; the two lines must agree.
    assert ("slowdown: " in grown or "shift: " in grown) == said.ledger.startswith(
        (
            f"where it went, steps 0-{flipped - 1:,}: ",
            f"where it went, steps 0-{flipped - 1:,}, per",
        )
    )
    assert said.ops[1] - said.ops[0] == OPS_A_STEP * (flipped - 1)

    first_run = panel.name
    panel.flip("grow", True)
    panel.run()
    panel.wait_for_run_after(first_run)
    panel.wait_for_steps(60)
    panel.end()
    assert panel.words.state.startswith(f"stopped after {panel.steps} steps")
    assert panel.steps >= 60
    (ghost,) = panel.ask("lab.ghosts()")
    assert ghost["count"] == first_steps

    shown = panel.steps, panel.curve, panel.words
    notebook.save()
    notebook.reload()
    panel = notebook.panel()
    panel.wait(f"lab.steps() === {shown[0]} && lab.words().verdict.join('')")
    assert (panel.steps, panel.curve, panel.words) == shown
    assert_all_well(notebook, panel)


@pytest.mark.full
def test_a_chain_stays_expensive_after_growing_and_building_once_is_cheap(
    notebook: NotebookPage,
) -> None:
    panel = notebook.panel()
    panel.flip("grow", True)
    panel.flip("chain", True)
    fresh_run(panel, 80)
    panel.flip("grow", False)
    panel.wait_for_flips(1)
    flipped = int(panel.flips[0]["step"])
    panel.wait_for_steps(flipped + 40)
    chain = median(panel.seconds[flipped + 5 : flipped + 35])
    panel.end()

    panel.flip("build_once", True)
    fresh_run(panel, 200)
    panel.end()
    first, last = panel.words.ops
    assert first == last, "the ops must rest"
    assert panel.level(200) < chain / 3
    assert_all_well(notebook, panel)


def fresh_run(panel: PanelOnPage, steps: int) -> str:
    """Press Run, wait for so many steps of the new run, and return its name."""
    before = panel.name
    panel.run()
    panel.wait_for_run_after(before)
    panel.wait_for_steps(steps)
    return panel.name


def assert_all_well(notebook: NotebookPage, panel: PanelOnPage) -> None:
    assert panel.alert == ""
    assert notebook.page.locator(".jp-Dialog").count() == 0
    assert notebook.faults == []
