"""Which Python the set-up takes: tools/python.sh. Tier: make test."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SEARCH = Path(__file__).parents[2] / "tools" / "python.sh"
# A Python as far as the search can see: it says yes when it is asked for its own version.
STAND_IN = """#!/bin/sh
case "$2" in *"'{version}'"*) exit {status} ;; esac
exit 1
"""

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the set-up needs bash")


class Machine:
    """A path and a pyenv folder with some Pythons."""

    def __init__(self, folder: Path) -> None:
        self.path, self.kept = folder / "path", folder / "pyenv" / "versions"
        self.path.mkdir()
        # The one tool the search uses; with the system's path it would find the system's Python.
        tail = shutil.which("tail")
        assert tail is not None
        (self.path / "tail").symlink_to(tail)

    def has_on_path(self, version: str, *, works: bool = True) -> str:
        return self._made(self.path / f"python{version}", version, works)

    def keeps_aside(self, version: str) -> str:
        return self._made(self.kept / f"{version}.4" / "bin" / "python3", version, works=True)

    def finds(self, *wanted: str) -> str:
        environment = {"PATH": str(self.path), "PYENV_ROOT": str(self.kept.parent)}
        bash = shutil.which("bash")
        assert bash is not None
        said = subprocess.run(
            [bash, str(SEARCH), *wanted], env=environment, capture_output=True, text=True
        )
        return said.stdout.strip() if said.returncode == 0 else said.stderr

    @staticmethod
    def _made(file: Path, version: str, works: bool) -> str:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(STAND_IN.format(version=version, status=0 if works else 1))
        file.chmod(0o755)
        return str(file)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_newest_on_the_path_is_taken(machine: Machine) -> None:
    machine.has_on_path("3.11")
    newest = machine.has_on_path("3.13")
    assert machine.finds() == newest


def test_what_its_owner_put_on_the_path_goes_before_what_is_kept_aside(machine: Machine) -> None:
    machine.keeps_aside("3.13")
    own = machine.has_on_path("3.11")
    assert machine.finds() == own


def test_the_first_version_named_is_taken_wherever_it_is(machine: Machine) -> None:
    aside = machine.keeps_aside("3.13")
    own = machine.has_on_path("3.11")
    assert machine.finds("3.13", "3.12", "3.11") == aside
    assert machine.finds("3.12", "3.11") == own


def test_a_stand_in_that_fails_is_passed_over(machine: Machine) -> None:
    machine.has_on_path("3.13", works=False)
    works = machine.keeps_aside("3.12")
    assert machine.finds("3.13", "3.12") == works


def test_where_none_is_the_sentence_names_the_versions_and_what_to_do(machine: Machine) -> None:
    machine.has_on_path("3.11", works=False)
    assert "No Python 3.9 that can make" in machine.finds("3.9")
    assert "PYTHON=/path/to/python3" in machine.finds("3.9")
