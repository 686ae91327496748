"""One lesson broken, and its notebook run: does it notice?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from labkit.causes import SLUGS, load
from labkit.record import ToggleValue
from tools.lessons.broken import VARIABLE

ROOT = Path(__file__).parents[2]
CELL_SECONDS = 180
STARTUP = "from tools.lessons.broken import break_lesson\nbreak_lesson()\n"
Outcome = Literal["fails", "passes", "not played"]


@dataclass(frozen=True)
class Break:
    """A toggle that stands at one value, whatever a run asks for.

    Args:
        notebook: The lab's file name.
        cause: The slug.
        toggle: The toggle's name.
        value: What it stands at.
        says: What is broken, for a reader.
        when: Only in runs in which this toggle is not at its default; empty for all runs.
    """

    notebook: str
    cause: str
    toggle: str
    value: ToggleValue
    says: str
    when: str = ""


def breaks(*, only_main: bool = False) -> Iterator[Break]:
    """Yield what can be broken: toggles without effect, causes switched off, guilty controls.

    A control is made guilty by the cause itself, at work in every run that has the control.

    Args:
        only_main: Leave out what is not a cause's first toggle.
    """
    for slug in SLUGS:
        cause = load(slug)
        for place, toggle in enumerate(cause.toggles):
            usual = toggle.parse(toggle.default)
            if place and only_main:
                break
            yield Break(cause.notebook, slug, toggle.name, usual, f"{toggle.name} does nothing")
            if place == 0:
                for word in toggle.choices:
                    if toggle.parse(word) != usual:
                        yield Break(cause.notebook, slug, toggle.name, toggle.parse(word),
                                    f"{toggle.name} is {word} behind its back")  # fmt: skip
            if toggle.role == "control":
                main = cause.toggles[0]
                yield Break(cause.notebook, slug, main.name, main.parse(main.default),
                            f"{toggle.name} is guilty", when=toggle.name)  # fmt: skip


def outcome(broken: Break) -> Outcome:
    """Run the notebook with its lesson broken, until a cell fails.

    Raises:
        RuntimeError: If the kernel was not changed, or the notebook could not be run.
    """
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "told")
        startup = Path(folder, "ipython", "profile_default", "startup")
        startup.mkdir(parents=True)
        (startup / "00-break.py").write_text(STARTUP, encoding="utf-8")
        about = {
            "cause": broken.cause,
            "toggle": broken.toggle,
            "value": broken.value,
            "when": broken.when,
        }
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", "-p", "nbval.plugin", "-p",
             "tests.notebook_kernels", "--nbval-lax", "--nbval-current-env",
             f"--nbval-cell-timeout={CELL_SECONDS}", "-p", "no:cacheprovider",
             f"notebooks/{broken.notebook}"],
            cwd=ROOT, capture_output=True, text=True, check=False,
            env={**os.environ, "IPYTHONDIR": str(Path(folder, "ipython")),
                 "PYTHONPATH": str(ROOT), VARIABLE: json.dumps({**about, "told": str(told)})},
        )  # fmt: skip
        if not told.exists() or ran.returncode not in (0, 1):
            raise RuntimeError(f"{broken} could not be tried: {ran.stdout[-2000:]}")
        if ran.returncode:
            return "fails"
        return "passes" if told.read_text("utf-8") else "not played"
