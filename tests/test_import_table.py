"""The import table in pyproject.toml refuses what it should. `make lint` holds it against the code.

TensorFlow inside functions only: tests/test_imports.py imports every file without it.

Tier: make test, in turn.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

pytestmark = pytest.mark.in_turn

ROOT = Path(__file__).parent.parent
LINT = Path(sysconfig.get_path("scripts")) / "lint-imports"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of labkit's Python files, in which a test puts one more and takes it away."""
    root = tmp_path_factory.mktemp("tree")
    python_only = shutil.ignore_patterns("recordings", "lessons", "__pycache__", "*.js", "*.css")
    shutil.copytree(ROOT / "labkit", root / "labkit", ignore=python_only)
    return root


def judged(tree: Path, name: str, source: str) -> tuple[bool, str]:
    """Return whether the table is kept with one more file in labkit, and what is said of it."""
    file = tree / "labkit" / name
    was_there = file.parent.is_dir()
    file.parent.mkdir(exist_ok=True)
    file.write_text(source)
    try:
        done = subprocess.run(
            [LINT, "--no-cache", "--config", ROOT / "pyproject.toml"], cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree)}, capture_output=True, text=True,
        )  # fmt: skip
    finally:
        file.unlink()
        if not was_there:
            file.parent.rmdir()
    return done.returncode == 0, done.stdout + done.stderr


REFUSED = {
    "up": ("show/view.py", "import labkit.lab.lab"),
    "up, in a function": ("show/view.py", "def f():\n    from labkit.lab import lab"),
    "up, for types only": (
        "show/view.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import labkit.lab.lab",
    ),
    "a stranger": ("show/new.py", "import labkit.bench.session.session"),
    "another stranger": ("course/new.py", "import labkit.claims.claim"),
    "labkit itself": ("cli/new.py", "from labkit import Run"),
    "another package in record": ("record/new.py", "def f():\n    import numpy"),
    "another package in cause": ("cause/new.py", "from tqdm import tqdm"),
    "a file in no room": ("utils.py", ""),
    "a folder that is no room": ("extras/__init__.py", ""),
}


@pytest.mark.parametrize(("name", "source"), REFUSED.values(), ids=REFUSED.keys())
def test_a_wrong_import_is_refused(tree: Path, name: str, source: str) -> None:
    kept, words = judged(tree, name, source)
    assert not kept and "Contracts: 2 kept, 1 broken." in words, words
