"""The course on the stand-in card: every notebook, as on a runtime that has a graphics card.

Tier: make test runs one of them, make test-full all.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.in_turn

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
IN_EVERY_TEST = "05_garbage.ipynb"
NBVAL = (
    "-p", "nbval.plugin", "-p", "no:cacheprovider", "-c", os.devnull, "--nbval-lax",
    "--nbval-current-env", "--nbval-cell-timeout=300",
)  # fmt: skip
FAILED = re.compile(r"^FAILED .*::Cell (\d+)", re.MULTILINE)
# TensorFlow has no XLA compiler for this card; a real one has.
NEEDS_XLA = re.compile("xla|jit_compile")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(file.name, marks=[pytest.mark.full] if file.name != IN_EVERY_TEST else [])
        for file in sorted(NOTEBOOKS.glob("*.ipynb"))
    ],
)
def test_every_cell_of_a_notebook_holds_on_the_card(
    variables: dict[str, str], tmp_path: Path, name: str
) -> None:
    file = shutil.copy(NOTEBOOKS / name, tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *NBVAL, str(file)],
        env={**os.environ, **variables, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, cwd=tmp_path,
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    cells = json.loads(Path(file).read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    failed = [int(number) for number in FAILED.findall(done.stdout)]
    # What reads a run of XLA fails with it.
    begins = next((at for at, each in enumerate(code) if NEEDS_XLA.search(each)), len(code))
    assert [number for number in failed if number < begins] == [], done.stdout[-4_000:]
    assert done.returncode == (1 if failed else 0), done.stdout[-4_000:] + done.stderr[-4_000:]
