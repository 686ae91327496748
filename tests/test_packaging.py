"""The files around the package agree with it and with each other. Tier: make test."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import labkit
from tools.sync_env import drifted, files

ROOT = Path(__file__).parent.parent
PYPROJECT = (ROOT / "pyproject.toml").read_text()
PROJECT = tomllib.loads(PYPROJECT)["project"]
DRAWERS = {"utils.py", "helpers.py", "common.py", "misc.py"}

# Put together from parts, or this file would be the first to be found.
HOSTS = [
    ".".join(parts)
    for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"),
                  ("anaconda", "org"), ("deb", "debian", "org"), ("unpkg", "com"),
                  ("jsdelivr", "net"), ("crates", "io"), ("golang", "org"))
]  # fmt: skip
PLACES = [f"/{name}/" for name in ("work", "root")]


def project_files() -> list[Path]:
    """Return every file that is tracked, or would be after ``git add .``."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    return [ROOT / name for name in listed if (ROOT / name).is_file()]


def test_the_environment_files_say_what_pyproject_says() -> None:
    assert drifted(ROOT) == [], "run: make sync"


def test_a_drifted_and_a_missing_environment_file_are_found(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    text = files(PYPROJECT)["environment.yml"]
    (tmp_path / "environment.yml").write_text(text.replace("scipy", "scipi"))
    assert drifted(tmp_path) == ["environment.yml", "binder/environment.yml"]


@pytest.mark.parametrize("name", ["binder/postBuild", ".ci/run"])
def test_a_script_that_others_start_can_be_started(name: str) -> None:
    assert os.access(ROOT / name, os.X_OK)
    assert "set -euo pipefail" in (ROOT / name).read_text()


def test_the_version_is_written_in_one_place() -> None:
    assert "version" not in PROJECT
    written = re.compile(rf"""version\w*["']?\s*[=:]\s*["']{re.escape(labkit.__version__)}["']""")
    found = [path for path in project_files() if path.suffix in (".py", ".toml", ".js")]
    found = [path for path in found if written.search(path.read_text(encoding="utf-8"))]
    assert found == [ROOT / "labkit" / "__init__.py"]


def test_the_public_names_are_sorted_and_there() -> None:
    assert labkit.__all__ == sorted(labkit.__all__)
    for name in labkit.__all__:
        assert getattr(labkit, name) is not None


def test_a_name_that_is_not_public_is_refused_with_the_list() -> None:
    with pytest.raises(AttributeError, match="setup"):
        labkit.nothing_of_the_kind  # noqa: B018  # asking is the test


def test_the_command_line_starts_where_pyproject_says() -> None:
    module, function = PROJECT["scripts"]["labkit"].split(":")
    place = ROOT / module.replace(".", "/")
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    tree = ast.parse(file.read_text())
    assert function in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


def test_no_file_names_a_registry_or_a_place_on_one_machine() -> None:
    found = []
    for path in project_files():
        text = path.read_text(encoding="utf-8", errors="ignore")
        found += [(path.name, word) for word in (*HOSTS, *PLACES) if word in text]
    assert found == []


def test_there_is_no_drawer() -> None:
    assert [path for path in project_files() if path.name in DRAWERS] == []
