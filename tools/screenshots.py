"""Pictures the live panel for docs: JupyterLab, light and dark, in the middle of a run, and a film.

Usage: python -m tools.screenshots [light|dark|film]   On a quiet machine: its other work is spikes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.chromium import open_chromium
from tests.browser.page import open_notebook
from tests.browser.panel import PanelOnPage
from tests.browser.server import LabServer
from tools.atlas.chart import fewer_colours
from tools.film import Film

DOCS = Path(__file__).parents[1] / "docs"
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
WIDTH = 1280
SCALE = 2.0
PALETTE = 128
GHOST_MS = 8_500
GROWTH_MS = 6_000
FILM_WIDTH, FILM_HEIGHT = 1_000, 1_200
# A picture takes a core for a while: of steps of 0.2 ms hardly one would be left alone.
GROWING_SECONDS, FALLEN_SECONDS, FALLEN_FOR = 0.35, 1.2, 6.0
CELLS = {
    "setup": "import labkit as lk\nlk.setup()",
    "panel": 'lab = lk.Lab("graph_growth", steps=200_000)\nlab',
}


def main(wanted: list[str]) -> None:
    """Write docs/panel-light.png, docs/panel-dark.png and docs/panel.gif, or the one wanted."""
    DOCS.mkdir(exist_ok=True)
    with open_chromium() as browser, LabServer() as server:
        for name in wanted or (*THEMES, "film"):
            path = _film(browser, server) if name == "film" else _shoot(browser, server, name)
            print(f"{path.relative_to(DOCS.parent)}: {path.stat().st_size / 1e3:.0f} kB")


def _shoot(browser: Browser, server: LabServer, name: str) -> Path:
    server.set_setting("@jupyterlab/apputils-extension:themes", {"theme": THEMES[name]})
    notebook = server.write_notebook(f"{name}.ipynb", CELLS)
    path = DOCS / f"panel-{name}.png"
    with open_notebook(browser, server, notebook, width=WIDTH, scale=SCALE) as opened:
        opened.page.evaluate("window.jupyterapp.shell.collapseLeft()")
        opened.run_through("panel")
        panel = opened.panel()
        _play(panel)
        path.write_bytes(fewer_colours(panel.root.screenshot(animations="disabled"), PALETTE))
    return path


def _film(browser: Browser, server: LabServer) -> Path:
    """Film a run from its first step: the curve climbs, the switch is flipped, the curve falls."""
    server.set_setting("@jupyterlab/apputils-extension:themes", {"theme": THEMES["light"]})
    notebook = server.write_notebook("film.ipynb", CELLS)
    path = DOCS / "panel.gif"
    with open_notebook(browser, server, notebook, width=FILM_WIDTH, height=FILM_HEIGHT) as opened:
        opened.page.evaluate("window.jupyterapp.shell.collapseLeft()")
        opened.run_through("panel")
        panel = opened.panel()
        # The launcher has imported TensorFlow when the film begins.
        panel.run(1)
        panel.end()
        opened.run_through("panel")
        panel = opened.panel()
        film = Film(panel.root, panel.root.locator("canvas"))
        film.take(0.5, GROWING_SECONDS)
        panel.run()
        film.take(GROWTH_MS / 1e3, GROWING_SECONDS)
        panel.flip("grow", False)
        film.take(FALLEN_FOR, FALLEN_SECONDS)
        film.save(path)
        panel.end()
    return path


def _play(panel: PanelOnPage) -> None:
    """Leave a mended run as a ghost, let the next one grow, and switch the growing off."""
    panel.flip("build_once", True)
    panel.run()
    panel.wait_for_steps(10)
    panel.page.wait_for_timeout(GHOST_MS)
    panel.stop()
    panel.wait("lab.state === 'stopped'")
    mended = panel.name
    panel.flip("build_once", False)
    panel.run()
    panel.wait_for_run_after(mended)
    panel.page.wait_for_timeout(GROWTH_MS)
    panel.flip("grow", False)
    # With a line for each stretch the panel has its final height.
    panel.wait("lab.words().verdict.length === 2 && !lab.words().verdict[1].includes('too short')")
    panel.page.wait_for_timeout(1e3 * FALLEN_SECONDS)


if __name__ == "__main__":
    main(sys.argv[1:])
