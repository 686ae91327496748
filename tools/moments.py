"""Pictures the main moments of a panel, for the question that each is to answer in two seconds.

    python -m tools.moments              all nine, in three views, into build/moments (ten minutes)
    python -m tools.moments comb done    only these

Show a picture for two seconds to somebody who has not seen it, and ask: what happened here?
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.chromium import open_chromium
from tests.browser.page import open_notebook
from tests.browser.panel import PanelOnPage
from tests.browser.server import LabServer

FOLDER = Path(__file__).parents[1] / "build" / "moments"
THEME_SETTING = "@jupyterlab/apputils-extension:themes"
ENDLESS = "while True:\n    pass\n"
BESIDE = 3


@dataclass(frozen=True)
class View:
    """A window that somebody looks at."""

    width: int
    height: int
    theme: str = "JupyterLab Light"
    presenter: bool = False


VIEWS = {
    "1280-light": View(1280, 720),
    "1024-presenter": View(1024, 768, presenter=True),
    "800-dark": View(800, 720, "JupyterLab Dark"),
}


@dataclass(frozen=True)
class Moment:
    """What is run, and until when.

    Args:
        lab: The arguments of the lab.
        until: Brings the panel there.
        beside: How many endless loops run beside it.
    """

    lab: str
    until: Callable[[PanelOnPage], object]
    beside: int = 0


def _nothing(panel: PanelOnPage) -> None:
    panel.page.wait_for_timeout(500)


def _after(seconds: float) -> Callable[[PanelOnPage], None]:
    def run(panel: PanelOnPage) -> None:
        panel.run(2)
        panel.page.wait_for_timeout(1e3 * seconds)

    return run


def _after_flip(panel: PanelOnPage) -> None:
    _after(5)(panel)
    panel.flip("grow", False)
    panel.page.wait_for_timeout(2_000)


def _ended(panel: PanelOnPage) -> None:
    panel.run(2)
    panel.wait("!['', 'starting', 'running'].includes(lab.state)")
    panel.page.wait_for_timeout(1_500)


MOMENTS = {
    "rest": Moment('"graph_growth"', _nothing),
    "growing": Moment('"graph_growth"', _after(5)),
    "flipped": Moment('"graph_growth"', _after_flip),
    "done": Moment('"graph_growth", steps=150', _ended),
    "comb": Moment('"garbage", steps=200', _ended),
    "stairs": Moment('"fragmentation", steps=620, pairs=5, layers=10, epoch=50', _ended),
    "failed": Moment('"fragmentation", memory_limit="64 MB", pairs=5, layers=10, epoch=10', _ended),
    "two": Moment('"two_workers", steps=300', _ended),
    "busy": Moment('"graph_growth"', _after_flip, beside=BESIDE),
}


def main() -> None:
    """Write the pictures wanted."""
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m tools.moments", description=summary)
    parser.add_argument("moments", nargs="*", choices=[[], *MOMENTS], default=[])
    wanted = parser.parse_args().moments or MOMENTS
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open_chromium() as browser, LabServer() as server:
        for view in VIEWS:
            server.set_setting(THEME_SETTING, {"theme": VIEWS[view].theme})
            for name in wanted:
                print(_picture(browser, server, view, name), flush=True)


def _picture(browser: Browser, server: LabServer, view: str, name: str) -> Path:
    moment, seen = MOMENTS[name], VIEWS[view]
    presenter = ", presenter=True" if seen.presenter else ""
    cells = {
        "setup": "import labkit as lk\nlk.setup()",
        "panel": f"lab = lk.Lab({moment.lab}{presenter})\nlab",
    }
    # No name that gives the answer away: it stands in the tab.
    notebook = server.write_notebook(f"{[*MOMENTS].index(name)}-{view}.ipynb", cells)
    path = FOLDER / f"{name}-{view}.png"
    size = {"width": seen.width, "height": seen.height}
    with open_notebook(browser, server, notebook, **size) as opened:
        opened.page.evaluate("window.jupyterapp.shell.collapseLeft()")
        opened.run_through("panel")
        opened.scroll_to("panel")
        panel = opened.panel()
        with _endless(moment.beside):
            moment.until(panel)
            panel.root.scroll_into_view_if_needed()
            opened.page.screenshot(path=path, animations="disabled")
        if panel.state == "running":
            panel.end()
    return path


@contextmanager
def _endless(count: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", ENDLESS]) for _ in range(count)]
    try:
        yield
    finally:
        for each in loops:
            each.kill()
            each.wait()


if __name__ == "__main__":
    main()
