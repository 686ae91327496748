"""The panel's switch between processor and graphics card, in a real browser. Tier: make test-full.

On the stand-in card, whose kernels are told to take 5 ms each: so the two curves are far apart.
"""

from __future__ import annotations

from statistics import median

import pytest
from playwright.sync_api import Browser

from tests.browser.page import SETUP, open_notebook
from tests.browser.server import LabServer
from tests.card.build import card_environment

pytestmark = [pytest.mark.browser, pytest.mark.full]

KERNEL_US = 5_000


def test_the_same_cause_on_both_devices_is_drawn_over_each_other(
    browser: Browser, server: LabServer
) -> None:
    # Set before the launcher is started, as a runtime with a card has it from the beginning.
    card = f"import os\nos.environ.update({card_environment(kernel_us=KERNEL_US)!r})\n{SETUP}"
    lab = 'lab = lk.Lab("host_transfer", keep_on_device=True)\nlab'
    name = server.write_notebook("device_switch.ipynb", {"setup": card, "panel": lab})
    with open_notebook(browser, server, name) as notebook:
        notebook.run_through("panel")
        panel = notebook.panel()
        device = panel.root.locator("select[name=device]")
        assert device.input_value() == "gpu"
        panel.run(20)
        assert "STAND_IN_CARD" in panel.root.inner_text()
        on_card, first = median(panel.seconds), panel.name
        assert on_card > KERNEL_US / 1e6

        device.select_option("cpu")  # which needs a fresh process, and starts one
        panel.wait_for_run_after(first)
        panel.wait_for_steps(20)
        assert "STAND_IN_CARD" not in panel.root.locator(".lk-place").inner_text()
        assert median(panel.seconds) < on_card / 2
        (ghost,) = panel.ask("lab.ghosts()")
        assert ghost["label"] == "device gpu"
        panel.end()
        notebook.assert_no_fault()
