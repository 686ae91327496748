"""What else happens to a learner: dead kernels, cells run twice, keyboards, no anywidget.

Tier: make test-full.
"""

from __future__ import annotations

import signal
import time

import psutil
import pytest
from playwright.sync_api import Browser

from tests.browser.page import LAB, LIVE_PANEL, SETUP, open_lab, open_notebook
from tests.browser.server import LabServer

pytestmark = [pytest.mark.browser, pytest.mark.full]

BROKEN = """
from labkit.cause import Cause, Expectation, Toggle

def make_step(toggles, *, seed=0):
    done = 0

    def step():
        nonlocal done
        done += 1
        if done > 12:
            raise ValueError("the thirteenth step is one too many")

    return step

CAUSE = Cause(
    slug="broken", title="A broken loop", summary="Raises.", make_step=make_step,
    toggles=(Toggle("grow", "grow"),), sizes=(), notebook="",
    expectation=Expectation(shape="flat", steps=100, growth=0.0),
)
"""


def test_a_killed_kernel_is_called_gone_and_leaves_no_loop_behind(
    browser: Browser, server: LabServer
) -> None:
    with open_lab(browser, server, "killed") as (notebook, panel):
        panel.run(30)
        steps = panel.steps
        server.kernel_process(notebook.name).send_signal(signal.SIGKILL)
        panel.wait("lab.state === 'gone'")
        assert "the kernel is gone" in panel.words.state
        assert panel.steps >= steps, "the curve must stay on the page"
        deadline = time.monotonic() + 20
        while left := [line for line in lines(server) if "labkit.bench" in line]:
            assert time.monotonic() < deadline, left
            time.sleep(0.2)


def test_the_labs_cell_run_again_adopts_the_run_in_progress(
    browser: Browser, server: LabServer
) -> None:
    with open_lab(browser, server, "twice") as (notebook, panel):
        panel.run(30)
        run, steps = panel.name, panel.steps
        notebook.run_cell("panel")
        assert notebook.page.locator(LIVE_PANEL).count() == 1
        panel = notebook.panel()
        panel.wait_for_steps(steps + 20)
        assert panel.name == run
        panel.end()
        notebook.assert_no_fault()


def test_an_exception_in_the_loop_is_shown_with_its_traceback(
    browser: Browser, server: LabServer
) -> None:
    (server.root / "broken.py").write_text(BROKEN)
    lab = 'lab = lk.Lab("broken.py")\nlab'
    name = server.write_notebook("broken.ipynb", {"setup": SETUP, "panel": lab})
    with open_notebook(browser, server, name) as notebook:
        notebook.run_through("panel")
        panel = notebook.panel()
        panel.run()
        panel.wait("lab.state === 'failed'")
        assert "the thirteenth step is one too many" in panel.words.state
        panel.wait_for_steps(12)
        panel.root.locator(".lk-traceback summary").click()
        raised = panel.root.locator("pre").inner_text()
        assert 'raise ValueError("the thirteenth step is one too many")' in raised
        assert "in step" in raised
        notebook.assert_no_fault()


def test_the_keyboard_alone_is_enough(browser: Browser, server: LabServer) -> None:
    with open_lab(browser, server, "keyboard") as (notebook, panel):
        notebook.tab_to(".lk-run")
        notebook.page.keyboard.press("Space")
        panel.wait_for_steps(60)
        notebook.tab_to("input[name=grow]")
        notebook.page.keyboard.press("Space")
        panel.wait_for_flips(1)
        assert panel.flips[0]["text"] == "grow off"
        notebook.page.keyboard.press("Space")
        panel.wait_for_flips(2)
        notebook.tab_to(".lk-stop", backwards=True)
        notebook.page.keyboard.press("Enter")
        panel.wait("lab.state === 'stopped'")
        assert notebook.page.locator(".lk-stop:focus").count() == 1, "the focus must stay"
        run = panel.name
        notebook.tab_to(".lk-run", backwards=True)
        notebook.page.keyboard.press("Enter")
        panel.wait_for_run_after(run)
        panel.end()
        notebook.assert_no_fault()


def test_shift_enter_in_a_panel_goes_on_and_leaves_its_run_on_show(
    browser: Browser, server: LabServer
) -> None:
    active = "window.jupyterapp.shell.currentWidget.content.activeCell.model"
    with open_lab(browser, server, "on", next="print('on')") as (notebook, panel):
        panel.run(30)
        panel.end()
        run, steps = panel.name, panel.steps
        ran = notebook.page.evaluate(f"{active}.executionCount")
        notebook.page.keyboard.press("Shift+Enter")
        assert notebook.page.evaluate(f"{active}.id") == "next"
        assert notebook.page.evaluate(f"{active}.executionCount") is None
        assert (panel.name, panel.steps) == (run, steps)
        notebook.page.keyboard.press("Shift+Enter")
        notebook.page.get_by_text("on", exact=True).wait_for()
        notebook.scroll_to("panel")
        assert notebook.page.evaluate(f"{active}.executionCount") == ran
        notebook.assert_no_fault()


def test_shift_enter_in_the_last_cells_panel_leaves_its_run_on_show(
    browser: Browser, server: LabServer
) -> None:
    with open_lab(browser, server, "last") as (notebook, panel):
        panel.run(30)
        panel.end()
        run, steps = panel.name, panel.steps
        notebook.page.keyboard.press("Shift+Enter")
        assert (panel.name, panel.steps) == (run, steps)
        assert notebook.page.locator(".jp-Cell").count() == 2
        notebook.assert_no_fault()


def test_shift_enter_in_a_panel_without_a_run_runs_its_cell(
    browser: Browser, server: LabServer
) -> None:
    with open_lab(browser, server, "again", next="1") as (notebook, panel):
        count = "window.jupyterapp.shell.currentWidget.content.widgets[1].model.executionCount"
        ran = notebook.page.evaluate(count)
        panel.root.locator(".lk-run").focus()
        notebook.page.keyboard.press("Shift+Enter")
        notebook.page.wait_for_function(f"{count} > {ran}")
        notebook.assert_no_fault()


@pytest.mark.parametrize("windowing", ["contentVisibility", "full"])
def test_a_panel_scrolled_out_of_sight_and_back_shows_the_whole_run(
    browser: Browser, server: LabServer, windowing: str
) -> None:
    """JupyterLab does not draw cells that are far away: the first way is its default."""
    cells = {"setup": SETUP, "panel": LAB, **{f"far-{n}": "print('far\\n' * 60)" for n in range(8)}}
    name = server.write_notebook("scrolled.ipynb", cells)
    server.set_setting("@jupyterlab/notebook-extension:tracker", {"windowingMode": windowing})
    try:
        with open_notebook(browser, server, name) as notebook:
            notebook.run_through("panel")
            panel = notebook.panel()
            panel.run(10)
            notebook.run_through("far-7")
            notebook.scroll_to("far-7")
            panel.wait("root.getBoundingClientRect().bottom <= 0")
            steps = panel.steps
            panel.wait_for_steps(steps + 20)
            notebook.scroll_to("panel")
            draws = panel.ask("lab.draws")
            panel.wait(f"lab.draws > {draws}")
            panel.end()
            assert len(panel.seconds) == panel.steps - 1
            notebook.assert_no_fault()
    finally:
        server.set_setting("@jupyterlab/notebook-extension:tracker", {})


def lines(server: LabServer) -> list[str]:
    """Return the command lines of all processes of the server."""
    found = []
    for process in server.processes():
        try:
            found.append(" ".join(process.cmdline()))
        except psutil.Error:
            continue
    return found
