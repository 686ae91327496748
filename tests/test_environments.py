"""Environments that cannot be made here are checked as far as text goes: conda, Binder, Colab.

Whether a channel has what the files ask for only a channel can tell (docs/not_run.md).
Tier: make test.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
FILES = ("environment.yml", "binder/environment.yml")
files = pytest.mark.parametrize("name", FILES)
# How Binder's builder looks for the version of Python; without a match it takes 3.10.
BINDERS_PYTHON = re.compile(r"python\s*=+\s*([\d.]*)")
# Colab has the first two, in versions its list of August 2026 was not read for; pip brings
# the other two, a file each.
NOT_PINNED_FOR_COLAB = {"click", "tqdm", "rcssmin", "rjsmin"}


def conda_and_pip(name: str) -> tuple[list[str], list[str]]:
    """Return what a file takes from conda, Python and pip left out, and what from pip."""
    listed = yaml.safe_load((ROOT / name).read_text())["dependencies"]
    return [line for line in listed[2:] if isinstance(line, str)], listed[-1]["pip"]


def read_requirements(lines: Iterable[str]) -> list[Requirement]:
    """Return lines as requirements; one that is none raises."""
    return [Requirement(line) for line in lines if not line.startswith("-e ")]


def pins(name: str) -> dict[str, str]:
    """Return the exact versions of a file of constraints."""
    lines = (ROOT / name).read_text().splitlines()
    pairs = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(package): version for package, version in pairs}


def unmet(needs: Iterable[Requirement], have: dict[str, str]) -> list[str]:
    """Return the requirements that a set of exact versions does not meet."""
    asked = [need for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
    known = [(need, have.get(canonicalize_name(need.name))) for need in asked]
    return [str(need) for need, version in known if version and version not in need.specifier]


@files
def test_an_environment_file_has_one_name_and_one_channel_and_nothing_strange(name: str) -> None:
    told = yaml.safe_load((ROOT / name).read_text())
    assert set(told) == {"name", "channels", "dependencies"}
    assert (told["name"], told["channels"]) == ("labkit", ["conda-forge"])
    python, pip, *rest = told["dependencies"]
    assert python.startswith("python=") and pip == "pip"
    assert [list(line) for line in rest if isinstance(line, dict)] == [["pip"]]


@files
def test_the_python_is_written_as_binder_reads_it_and_one_that_labkit_supports(name: str) -> None:
    found = BINDERS_PYTHON.search((ROOT / name).read_text())
    assert found is not None
    assert f"{found.group(1)}.1" in SpecifierSet(PROJECT["requires-python"])
    spelled = BINDERS_PYTHON.search("  - python>=3.12")
    assert spelled is None, "the builder would understand that, too: say so in tools/sync_env.py"


@files
def test_every_line_is_a_requirement_that_the_project_makes_and_none_is_made_twice(
    name: str,
) -> None:
    conda, pip = conda_and_pip(name)
    # A condition on the platform is for pip alone: conda would take it for part of a name.
    assert [line for line in conda if ";" in line or "[" in line] == []
    needs = [need for need in read_requirements([*conda, *pip]) if unconditional(need)]
    names = [canonicalize_name(need.name) for need in needs]
    assert len(set(names)) == len(names)
    extras = (line for extra in ("cpu", "lab", "notebooks") for line in EXTRAS[extra])
    asked = read_requirements([*PROJECT["dependencies"], *extras])
    assert set(names) == {canonicalize_name(need.name) for need in asked if unconditional(need)}


def unconditional(need: Requirement) -> bool:
    """Tell whether a requirement is one on Binder's kind of machine."""
    linux = {"sys_platform": "linux", "platform_machine": "x86_64", "extra": ""}
    return need.marker is None or need.marker.evaluate(linux)


@files
def test_no_file_asks_for_less_than_the_project_does(name: str) -> None:
    conda, pip = conda_and_pip(name)
    there = {canonicalize_name(need.name): need for need in read_requirements([*conda, *pip])}
    extras = [*EXTRAS["lab"], *EXTRAS["notebooks"]]
    for need in read_requirements([*PROJECT["dependencies"], *extras]):
        tested = pins("constraints.txt")[canonicalize_name(need.name)]
        assert tested in there[canonicalize_name(need.name)].specifier, need.name
        floors = [str(each.version) for each in need.specifier if each.operator == ">="]
        listed = there[canonicalize_name(need.name)].specifier
        higher = [str(each.version) for each in listed if each.operator == ">="]
        assert SpecifierSet(f">={floors[0]}").contains(higher[0]), need.name


@pytest.mark.parametrize("extra", ["cpu", "lab", "test", "docs", "hub"])
def test_the_versions_that_all_tests_run_with_meet_every_requirement(extra: str) -> None:
    needs = read_requirements([*PROJECT["dependencies"], *EXTRAS[extra]])
    have = pins("constraints.txt")
    assert unmet(needs, have) == []
    assert {canonicalize_name(need.name) for need in needs} <= set(have), "run: make constraints"


def test_binder_installs_no_local_folder() -> None:
    """A local line would make every commit install TensorFlow again."""
    _, pip = conda_and_pip("binder/environment.yml")
    assert [line for line in pip if line.startswith(("-", "."))] == []


def test_colab_has_everything_that_the_kit_imports_in_a_version_it_takes() -> None:
    """So the set-up cell can leave all else alone, and no restart is asked for."""
    needs = read_requirements(PROJECT["dependencies"])
    assert unmet(needs, pins("constraints-colab.txt")) == []
    missing = {need.name for need in needs} - set(pins("constraints-colab.txt"))
    assert missing == NOT_PINNED_FOR_COLAB
    tensorflow = [need for need in read_requirements(EXTRAS["cpu"]) if unconditional(need)]
    assert unmet(tensorflow, pins("constraints-colab.txt")) == []
