"""The journeys that depend on the front end, each in JupyterLab and in Notebook 7.

Tier: make test-full.
"""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Browser

from tests.browser.page import LAB, SETUP, Front, open_lab, open_notebook
from tests.browser.server import LabServer
from tests.show.axe import violations

pytestmark = [pytest.mark.browser, pytest.mark.full]

THEMES = "@jupyterlab/apputils-extension:themes"
# An answer's headings are the next level below these.
TITLE = 'from IPython.display import Markdown\nMarkdown("# A lab\\n\\n## What came out")'
# A loop in the kernel itself, for a diagnosis to show.
ANSWER = "for _ in (w := lk.watch(range(300))):\n    sum(range(1000))\nlk.diagnose(w)"


@pytest.fixture(params=["lab", "notebook"])
def front(request: pytest.FixtureRequest) -> Front:
    return "lab" if request.param == "lab" else "notebook"


def test_the_panel_goes_on_while_a_cell_keeps_the_kernel_busy(
    browser: Browser, server: LabServer, front: Front
) -> None:
    with open_lab(browser, server, "busy", front=front, busy="time.sleep(12)") as (notebook, panel):
        panel.run(10)
        notebook.run_cell("busy", wait=False)
        before, pulls = panel.steps, panel.ask("lab.pulls")
        time.sleep(2.5)
        during, pulled = panel.steps, panel.ask("lab.pulls")
        panel.end()
        assert notebook.is_running("busy"), "the cell must still be sleeping"
        assert during > before + 20
        assert pulled >= pulls + 4
        notebook.assert_no_fault()


def test_a_page_reloaded_in_the_middle_of_a_run_goes_on_with_it(
    browser: Browser, server: LabServer, front: Front
) -> None:
    with open_lab(browser, server, "reloaded", front=front) as (notebook, panel):
        panel.run(30)
        run, curve = panel.name, panel.curve
        notebook.save()
        notebook.reload()
        panel = notebook.panel()
        panel.wait_for_steps(len(curve) + 20)
        assert (panel.name, panel.state) == (run, "running")
        assert panel.curve[: len(curve)] == curve, "what was there must be there again"
        panel.flip("grow", False)
        panel.wait_for_flips(1)
        panel.end()
        notebook.assert_no_fault()


def test_a_hidden_tab_draws_nothing_and_shows_the_whole_run_when_it_is_back(
    browser: Browser, server: LabServer, front: Front
) -> None:
    with open_lab(browser, server, "hidden", front=front) as (notebook, panel):
        panel.run(10)
        notebook.hide()
        # The frame that was asked for before may still come.
        notebook.page.wait_for_timeout(200)
        draws, steps = panel.ask("lab.draws"), panel.steps
        panel.wait_for_steps(steps + 40)
        assert panel.ask("lab.draws") == draws
        assert panel.state == "running", "a page out of sight is no kernel that is gone"
        notebook.show_again()
        panel.wait(f"lab.draws > {draws}")
        panel.end()
        assert len(panel.seconds) == panel.steps - 1
        notebook.assert_no_fault()


def test_two_labs_run_side_by_side_and_two_views_show_one_run(
    browser: Browser, server: LabServer, front: Front
) -> None:
    cells = {"setup": SETUP, "panel": LAB, "other": 'other = lk.Lab("graph_growth")\nother'}
    name = server.write_notebook("two.ipynb", {**cells, "again": "lab"})
    with open_notebook(browser, server, name, front=front) as notebook:
        notebook.run_through("again")
        first, second, view = (notebook.panel(nth) for nth in range(3))
        first.run()
        second.run()
        for panel in (first, second, view):
            panel.wait_for_steps(40)
        assert first.name == view.name != second.name
        view.flip("grow", False)
        first.wait("!root.querySelector('input[name=grow]').checked")
        first.stop()
        view.wait("lab.state === 'stopped' || lab.state === 'done'")
        assert second.state == "running"
        second.end()
        first.wait(f"lab.steps() === {view.steps}")
        assert first.curve == view.curve
        notebook.assert_no_fault()


def test_a_restarted_kernel_and_the_cell_run_again_give_a_fresh_panel(
    browser: Browser, server: LabServer, front: Front
) -> None:
    with open_lab(browser, server, "restarted", front=front) as (notebook, panel):
        panel.run(30)
        notebook.restart_kernel()
        panel.wait("lab.state === 'gone'")
        notebook.run_through("panel")
        panel = notebook.panel()
        assert panel.state == "ready"
        panel.run(30)
        assert panel.alert == ""


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_axe_finds_nothing_wrong_with_what_cells_show_in_the_front_ends_style(
    browser: Browser, server: LabServer, front: Front, theme: str
) -> None:
    cells = {
        "title": TITLE, "setup": SETUP, "panel": LAB, "quiz": 'lk.quiz("graph_growth")',
        "answer": ANSWER,
    }  # fmt: skip
    name = server.write_notebook("axe.ipynb", cells)
    server.set_setting(THEMES, {"theme": theme})
    try:
        with open_notebook(browser, server, name, front=front) as notebook:
            notebook.run_through("answer")
            panel = notebook.panel()
            panel.wait(f"root.dataset.theme === '{theme.split()[-1].lower()}'")
            panel.run(40)
            panel.end()
            panel.root.get_by_role("button", name="as table").click()
            panel.root.locator("tbody tr").first.wait_for()
            notebook.page.locator(".labkit-form").wait_for()
            notebook.page.locator(".labkit-diagnosis").wait_for()
            assert violations(notebook.page, "[class^=labkit-]") == []
            notebook.assert_no_fault()
    finally:
        server.set_setting(THEMES, {})
