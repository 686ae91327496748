"""Importing the room costs nothing: no viewer loads what it does not draw with."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("anywidget", "ipywidgets", "matplotlib", "tensorflow", "IPython", "tqdm")
WIDGETS, PYPLOT = ("ipywidgets", "anywidget"), "matplotlib.pyplot"


@pytest.mark.parametrize(
    ("module", "unloaded"),
    [
        ("words", HEAVY),
        ("progress", HEAVY),
        ("report.report", HEAVY),
        ("live.panel", ("matplotlib", "tensorflow")),
        ("charts.figure", (*WIDGETS, PYPLOT)),
        ("charts.pool", (*WIDGETS, PYPLOT)),
    ],
)
def test_a_viewer_loads_only_what_it_draws_with(module: str, unloaded: tuple[str, ...]) -> None:
    code = f"import sys, labkit.show.{module}; print([n for n in {unloaded!r} if n in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
