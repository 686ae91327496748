"""A live panel on the page: pressed like a learner presses it, read through its test hook."""

from __future__ import annotations

import re
from dataclasses import dataclass
from statistics import median
from typing import Any

from playwright.sync_api import Locator, Page

WAIT_MS = 60_000


@dataclass(frozen=True)
class Spoken:
    """The words on the page at one moment."""

    state: str
    verdict: tuple[str, ...]
    ledger: str
    alt: str
    headline: str = ""

    @property
    def steps(self) -> int:
        """How many steps the alternative text speaks of."""
        found = re.search(r", ([\d,]+) steps?\b", self.alt)
        assert found, self.alt
        return _whole(found[1])

    @property
    def ops(self) -> tuple[int, int]:
        """The op count in the alternative text: after the first step and after the last."""
        found = re.search(r"ops in the graph: ([\d,]+) to ([\d,]+) ops", self.alt)
        if found is not None:
            return _whole(found[1]), _whole(found[2])
        found = re.search(r"ops in the graph: ([\d,]+) ops throughout", self.alt)
        assert found, self.alt
        return _whole(found[1]), _whole(found[1])


class PanelOnPage:
    """One panel.

    Args:
        page: The tab it is in.
        root: Its outermost element.
    """

    def __init__(self, page: Page, root: Locator) -> None:
        self.page = page
        self.root = root

    def run(self, steps: int = 0) -> None:
        """Press Run, and wait for so many steps."""
        self.root.locator(".lk-run").click()
        if steps:
            self.wait_for_steps(steps)

    def stop(self) -> None:
        """Press Stop."""
        self.root.locator(".lk-stop").click()

    def end(self) -> None:
        """Press Stop, and wait until the run has stopped."""
        self.stop()
        self.wait("lab.state === 'stopped'")

    def flip(self, name: str, on: bool) -> None:
        """Set a two-way toggle."""
        self.root.locator(f"input[name={name}]").set_checked(on)

    def ask(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in which ``lab`` is the panel's hook."""
        return self.root.evaluate(f"(root) => {{ const lab = root.labkit; return {expression}; }}")

    def wait(self, condition: str, milliseconds: float = WAIT_MS) -> None:
        """Wait until such an expression is true."""
        handle = self.root.element_handle()
        self.page.wait_for_function(
            f"(root) => {{ const lab = root.labkit; return Boolean(lab && ({condition})); }}",
            arg=handle,
            timeout=milliseconds,
            polling=50,
        )

    def wait_for_steps(self, count: int) -> None:
        """Wait until so many steps of the run on show are on the page."""
        self.wait(f"lab.steps() >= {count}")

    def wait_for_run_after(self, name: str) -> None:
        """Wait until another run than the one named is on show and has begun."""
        self.wait(f"root.dataset.run !== '{name}' && lab.steps() > 2")

    @property
    def name(self) -> str:
        """The run on show; empty before the first."""
        return str(self.root.get_attribute("data-run"))

    @property
    def state(self) -> str:
        return str(self.ask("lab.state"))

    @property
    def steps(self) -> int:
        return int(self.ask("lab.steps()"))

    @property
    def curve(self) -> list[dict[str, float]]:
        """What the picture is drawn from: ``step, steps, mean, min, max`` of every bucket."""
        return list(self.ask("lab.curve()"))

    @property
    def seconds(self) -> list[float]:
        """The step times on the page, without the first step's."""
        curve = self.curve
        assert all(bucket["steps"] == 1 for bucket in curve), "the page holds no single steps"
        return [bucket["mean"] for bucket in curve]

    @property
    def flips(self) -> list[dict[str, Any]]:
        """The marks of flipped toggles; a collection of garbage may have left one, too."""
        return [mark for mark in self.ask("lab.marks()") if mark["kind"] == "toggle"]

    def wait_for_flips(self, count: int) -> None:
        """Wait until so many flips of toggles are marked."""
        self.wait(f"lab.marks().filter((mark) => mark.kind === 'toggle').length === {count}")

    @property
    def words(self) -> Spoken:
        said = self.ask("lab.words()")
        return Spoken(said["state"], tuple(said["verdict"]), said["ledger"], said["alt"],
                      said["headline"])  # fmt: skip

    @property
    def alert(self) -> str:
        """The error the panel shows; empty while all is well."""
        return self.root.locator(".lk-error").inner_text().strip()

    def level(self, last: int = 15) -> float:
        """Return the median of the newest points on the page, in seconds."""
        return median([bucket["mean"] for bucket in self.curve][-last:])


def _whole(text: str) -> int:
    return int(text.replace(",", ""))
