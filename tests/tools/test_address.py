"""The public address stands in one place; badges and set-up cells follow it.

Tier: make test, in turn.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import labkit
from tools.address import ASKS_FOR_GPU, PLACEHOLDER, UNPUBLISHED, Address, address, changes
from tools.notebook_form import faults

pytestmark = pytest.mark.in_turn

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
REAL = Address("an-owner/labkit", "v9.8.7")


def cell(notebook: Path, name: str) -> str:
    cells = json.loads(notebook.read_text())["cells"]
    return next("".join(cell["source"]) for cell in cells if cell["id"] == name)


@pytest.fixture
def moved(tmp_path: Path) -> Path:
    """A copy of what follows the address, of a project with an address and a version of its own."""
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "notebooks", tmp_path / "notebooks")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    text = (ROOT / "pyproject.toml").read_text().replace(address(ROOT).repository, REAL.repository)
    (tmp_path / "pyproject.toml").write_text(text)
    (tmp_path / "labkit").mkdir()
    (tmp_path / "labkit" / "__init__.py").write_text('__version__ = "9.8.7"\n')
    return tmp_path


def test_everything_follows_the_address_and_the_version() -> None:
    assert [str(path.relative_to(ROOT)) for path in changes(ROOT)] == [], "run: make sync"
    assert address(ROOT).tag == f"v{labkit.__version__}"


def test_one_command_moves_every_badge_and_set_up_cell(moved: Path) -> None:
    for path, text in changes(moved).items():
        path.write_text(text)
    assert changes(moved) == {}
    texts = [path.read_text() for path in (moved / "README.md", *moved.glob("notebooks/*.ipynb"))]
    assert all(REAL.repository in text and REAL.tag in text for text in texts)
    every = "".join(
        path.read_text() for path in moved.rglob("*") if path.suffix in (".md", ".ipynb")
    )
    assert f"{PLACEHOLDER}/" not in every and f"labkit/blob/v{labkit.__version__}/" not in every
    assert "not published yet, so these two links" not in every


def test_nothing_else_in_a_notebook_or_a_document_moves(moved: Path) -> None:
    for path, text in changes(moved).items():
        if path.suffix == ".md":
            before = [line for line in path.read_text().splitlines() if PLACEHOLDER not in line]
            assert [line for line in before if line not in text] in ([], [UNPUBLISHED])
            continue
        old, new = json.loads(path.read_text()), json.loads(text)
        assert old["metadata"] == new["metadata"]
        for was, is_now in zip(old["cells"], new["cells"], strict=True):
            followed = was["id"] in ("setup", "badges") or PLACEHOLDER in str(was["source"])
            assert was == is_now or (followed and was["id"] == is_now["id"])


def test_a_set_up_cell_installs_labkit_alone_and_touches_nothing_else() -> None:
    """That of each notebook is this one: they all follow."""
    lines = REAL.setup_cell(gpu=False).splitlines()
    installs = [line for line in lines if "install" in line]
    assert len(installs) == 2
    for line in installs:
        assert re.findall(r"[\w-]+", line[line.index("install") :])[1:3] == ["-q", "--no-deps"]
        assert line.startswith("    ")  # never unasked
    assert [line for line in lines if "tensorflow" in line or "upgrade" in line] == []


WHEEL = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
METADATA = "Metadata-Version: 2.1\nName: labkit\nVersion: 9.8.7\n"


def set_up(folder: Path, ending: str = "", before: str = "") -> tuple[Path, Path, str]:
    """Run the set-up cell beside a wheel; return both folders, and what was said."""
    place, target, left = (folder / name for name in ("uploaded", "target", "left"))
    place.mkdir()
    left.mkdir()
    with zipfile.ZipFile(place / f"labkit-9.8.7-py3-none-any{ending}.whl", "w") as wheel:
        wheel.writestr("labkit/__init__.py", "")
        wheel.writestr("labkit-9.8.7.dist-info/METADATA", METADATA)
        wheel.writestr("labkit-9.8.7.dist-info/WHEEL", WHEEL)
        wheel.writestr("labkit-9.8.7.dist-info/RECORD", "")
    (place / "setup.ipy").write_text(before + REAL.setup_cell(gpu=False))
    paths = {"PIP_TARGET": str(target), "PYTHONPATH": str(target), "TMPDIR": str(left)}
    done = subprocess.run(
        [sys.executable, "-m", "IPython", "--no-banner", "setup.ipy"],
        cwd=place, capture_output=True, text=True, check=False, env={**os.environ, **paths},
    )  # fmt: skip
    assert len(list(place.iterdir())) == 2
    return target, left, done.stdout + done.stderr


@pytest.mark.parametrize("ending", ["", " (1)", "-2", "$(touch obeyed)", "{open('obeyed', 'w')}"])
def test_a_set_up_cell_installs_what_was_uploaded_under_any_name_and_obeys_none(
    tmp_path: Path, ending: str
) -> None:
    """Recorded: a name with a space was none to pip, and all names went through a shell."""
    target, left, said = set_up(tmp_path, ending)
    assert (target / "labkit" / "__init__.py").exists(), said
    assert list(left.glob("tmp*")) == []


def test_a_set_up_cell_installs_nothing_that_another_account_has_put_there(tmp_path: Path) -> None:
    """Recorded: in a shared folder a classmate's wheel was installed, and ran as the learner."""
    target, _, said = set_up(tmp_path, before="import os\nos.geteuid = lambda: 123456\n")
    assert not target.exists(), said


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_asks_colab_for_a_gpu_if_and_only_if_it_needs_one(path: Path) -> None:
    """A runtime with a GPU is not given to everybody: asking for one in vain is a warning."""
    notebook = json.loads(path.read_text())
    assert [each["id"] for each in notebook["cells"][:3]] == ["title", "badges", "setup"]
    metadata = notebook["metadata"]
    asked = ASKS_FOR_GPU in cell(path, "setup")
    assert (metadata.get("accelerator") == "GPU") == asked
    assert ("colab" in metadata) == asked
    assert ("no GPU" in cell(path, "title")) != asked


def stored(**cells: str) -> str:
    made: list[dict[str, Any]] = [
        {"cell_type": "markdown", "id": "title", "metadata": {}, "source": ["# A title"]}
    ]
    made += [
        {"cell_type": "code", "execution_count": None, "id": name, "metadata": {}, "outputs": [],
         "source": source.splitlines(keepends=True)} for name, source in cells.items()
    ]  # fmt: skip
    kernel = {"name": "python3", "display_name": "Python 3"}
    return json.dumps(
        {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    )


def test_a_notebook_without_badges_gets_them_once_and_keeps_the_form() -> None:
    once = REAL.in_notebook(stored(setup="import labkit", run="1 + 1"), "notebooks/a.ipynb")
    assert REAL.in_notebook(once, "notebooks/a.ipynb") == once
    made = json.loads(once)
    assert [each["id"] for each in made["cells"]] == ["title", "badges", "setup", "run"]
    assert faults(made) == []
    badges = "".join(made["cells"][1]["source"])
    assert (
        "colab.research.google.com/github/an-owner/labkit/blob/v9.8.7/notebooks/a.ipynb" in badges
    )
    assert "mybinder.org/v2/gh/an-owner/labkit/v9.8.7?urlpath=lab/tree/notebooks/a.ipynb" in badges
    assert "".join(made["cells"][3]["source"]) == "1 + 1"


def test_a_lab_that_asks_for_a_gpu_goes_on_asking() -> None:
    made = json.loads(REAL.in_notebook(stored(setup=f"import x\n{ASKS_FOR_GPU}"), "a"))
    assert "".join(made["cells"][2]["source"]).endswith(ASKS_FOR_GPU)


def test_addresses_of_others_are_left_alone() -> None:
    others = (
        "https://github.com/googlecolab/colabtools/blob/main/README.md "
        "https://github.com/an-owner/other/archive/refs/tags/v1.zip https://example.com/labkit"
    )
    assert REAL.in_document(others) == others


@pytest.mark.parametrize("home", ["", "https://example.com/labkit", "https://github.com/labkit"])
def test_an_address_that_is_none_is_refused_with_its_form(moved: Path, home: str) -> None:
    text = (moved / "pyproject.toml").read_text()
    (moved / "pyproject.toml").write_text(re.sub(r'Homepage = ".*"', f'Homepage = "{home}"', text))
    with pytest.raises(ValueError, match="is no address"):
        changes(moved)
