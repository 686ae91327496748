"""Importing the room costs nothing: no widgets, no matplotlib until they are needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("anywidget", "ipywidgets", "matplotlib", "tensorflow", "IPython", "tqdm")


@pytest.mark.parametrize("module", ["labkit.show", "labkit.show.words", "labkit.show.progress"])
def test_a_light_module_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print([name for name in {HEAVY!r} if name in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


@pytest.mark.parametrize("module", ["live.panel", "charts.figure"])
def test_no_viewer_loads_what_it_does_not_draw_with(module: str) -> None:
    others = {
        "live.panel": ("matplotlib", "tensorflow"),
        "charts.figure": ("ipywidgets", "anywidget", "matplotlib.pyplot"),
    }[module]
    code = f"import sys, labkit.show.{module}; print([n for n in {others!r} if n in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
