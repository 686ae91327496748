"""A program finds with labkit what it finds with Python: each is run both ways.

Tier: make test.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

WHERE = "import sys\nprint(__name__, __package__, sys.path, sys.argv[1:])\n"
RUN = (
    "import sys; from labkit.bench.worker.script.program import run_program; "
    "run_program(sys.argv[2], sys.argv[3:], module=sys.argv[1] == '-m', "
    "compiled=lambda source, path: compile(source, path, 'exec'))"
)


@pytest.fixture(autouse=True)
def in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project with the same module in three places, and a package in a folder of its own."""
    for folder in ("lib", "rel", "scripts", "src/train", "elsewhere/deep"):
        (tmp_path / folder).mkdir(parents=True)
    for place in ("lib", "rel", "."):
        (tmp_path / place / "places.py").write_text(f"PLACE = {place!r}\n")
    (tmp_path / "scripts" / "say.py").write_text(WHERE + "import places\nprint(places.PLACE)\n")
    (tmp_path / "src" / "train" / "__init__.py").write_text("")
    (tmp_path / "src" / "train" / "go.py").write_text(WHERE)
    (tmp_path / "elsewhere" / "say.py").write_text("print('the right one', __file__)\n")
    (tmp_path / "say.py").write_text("print('another one', __file__)\n")
    (tmp_path / "linked").symlink_to("elsewhere/deep")
    monkeypatch.chdir(tmp_path)


def said(*command: str, path: str = "") -> str:
    setting = {**os.environ, "PYTHONPATH": path} if path else dict(os.environ)
    done = subprocess.run(
        [sys.executable, *command], env=setting, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    return done.stdout + done.stderr.strip().rpartition("\n")[2]


@pytest.mark.parametrize(
    "path",
    ["{here}/lib:rel", "{here}/lib:.", "rel:{here}/lib", ":{here}/none", "{here}/none:",
     "{here}/rel:rel:{here}/none/", "scripts:rel"],
)  # fmt: skip
def test_all_of_pythonpath_is_looked_through_in_its_order(path: str, tmp_path: Path) -> None:
    """Recorded: an empty entry, the current folder, was dropped; relative ones came first."""
    path = path.replace(":", os.pathsep).format(here=tmp_path)
    with_python = said("scripts/say.py", "--steps", "3", path=path)
    assert with_python == said("-P", "-c", RUN, "", "scripts/say.py", "--steps", "3", path=path)
    assert "PLACE" not in with_python and "['--steps', '3']" in with_python


def test_a_module_is_found_by_a_relative_entry(tmp_path: Path) -> None:
    with_python = said("-m", "train.go", "now", path="src")
    assert with_python.startswith("__main__ train ['")
    assert with_python == said("-P", "-c", RUN, "-m", "train.go", "now", path="src")


def test_a_script_with_no_such_setting_finds_what_it_finds_with_python() -> None:
    with_python = said("scripts/say.py")
    assert "No module named 'places'" in with_python
    assert with_python == said("-P", "-c", RUN, "", "scripts/say.py")


def test_above_a_linked_folder_is_the_one_that_the_link_leads_to() -> None:
    """Recorded: shortened as text, the name was that of another script, and that was run."""
    with_python = said("linked/../say.py")
    assert with_python.startswith("the right one")
    assert with_python == said("-P", "-c", RUN, "", "linked/../say.py")
