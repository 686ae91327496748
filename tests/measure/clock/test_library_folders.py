"""Which files are a reader's own, and which a package's, wherever it was installed. Tier: quick."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from labkit.measure.clock.source_names import PACKAGES, library_folders


def test_packages_that_pip_has_put_anywhere_are_known_by_their_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recorded: with ``pip install --target`` loops of TensorFlow's passed for the script's."""
    for name in PACKAGES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    code = (
        "import sys\n"
        f"sys.path[:0] = [{str(tmp_path)!r}]\n"
        "from labkit.measure.clock.source_names import library_folders\n"
        "print(*library_folders(), sep='\\n')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    folders = done.stdout.splitlines()
    assert {f"{tmp_path / name}{os.sep}" for name in PACKAGES} <= {*folders}
    assert str(tmp_path) + os.sep not in folders


def test_a_script_beside_them_is_the_readers_own(tmp_path: Path) -> None:
    assert not str(tmp_path / "train.py").startswith(library_folders())


def test_to_ask_imports_none_of_them() -> None:
    code = (
        "import sys\n"
        "from labkit.measure.clock.source_names import library_folders\n"
        "library_folders()\n"
        "print('tensorflow' in sys.modules, 'keras' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
