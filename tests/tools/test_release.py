"""What a release must hold and say, and that a wheel without it is found.

Tier: make test; the real build, installed and run, is marked full (`make release` is the same).
"""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import labkit
from tools.release_files import IN_SDIST, package_files, sdist_faults, wheel_faults

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
VERSION = labkit.__version__
INFO = f"labkit-{VERSION}.dist-info"


def metadata() -> str:
    """Return what a build writes: hatchling turns round some specifiers, as here."""
    needs = [f"Requires-Dist: {line}" for line in PROJECT["dependencies"]]
    extras = [f"Requires-Dist: {line.split(';')[0]}; extra == 'cpu'"
              for line in PROJECT["optional-dependencies"]["cpu"]]  # fmt: skip
    lines = [
        "Metadata-Version: 2.4", "Name: labkit", f"Version: {VERSION}",
        f"Summary: {PROJECT['description']}", f"License-Expression: {PROJECT['license']}",
        f"Project-URL: Homepage, {PROJECT['urls']['Homepage']}",
        f"Requires-Python: {','.join(reversed(PROJECT['requires-python'].split(',')))}",
        *needs, *extras, "", (ROOT / "README.md").read_text(),
    ]  # fmt: skip
    return "\n".join(lines)


def wheel(folder: Path, change: Callable[[dict[str, str]], object] = lambda files: None) -> Path:
    """Write a wheel that is as it must be, but for a change."""
    files = dict.fromkeys(package_files(ROOT), "")
    commands = "".join(f"{name} = {place}\n" for name, place in PROJECT["scripts"].items())
    files[f"{INFO}/METADATA"] = metadata()
    files[f"{INFO}/entry_points.txt"] = f"[console_scripts]\n{commands}"
    files[f"{INFO}/RECORD"] = files[f"{INFO}/WHEEL"] = ""
    change(files)
    path = folder / f"labkit-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def sdist(folder: Path, change: Callable[[dict[str, str]], object] = lambda files: None) -> Path:
    """Write a source archive that is as it must be, but for a change."""
    files = dict.fromkeys([*IN_SDIST, *package_files(ROOT)], "")
    files["PKG-INFO"] = metadata()
    change(files)
    path = folder / f"labkit-{VERSION}.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"labkit-{VERSION}/{name}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


def replaced(name: str, old: str, new: str) -> Callable[[dict[str, str]], object]:
    def change(files: dict[str, str]) -> None:
        assert old in files[name]
        files[name] = files[name].replace(old, new)

    return change


def test_a_wheel_and_an_archive_that_are_whole_are_left_alone(tmp_path: Path) -> None:
    assert wheel_faults(wheel(tmp_path), ROOT) == []
    assert sdist_faults(sdist(tmp_path), ROOT) == []


METADATA = f"{INFO}/METADATA"
CLICK = "Requires-Dist: click"
BROKEN: dict[str, tuple[Callable[[dict[str, str]], object], str]] = {
    "no script of the panel": (lambda files: files.pop("labkit/show/panel.js"), "lacks labkit"),
    "a stray test": (lambda files: files.update({"tests/a.py": ""}), "holds tests/a.py"),
    "no command": (lambda files: files.update({f"{INFO}/entry_points.txt": ""}), "the command"),
    "another version": (replaced(METADATA, f"Version: {VERSION}\n", "Version: 9\n"), "version: 9"),
    "no licence": (replaced(METADATA, "License-Expression: MIT", "Licence: MIT"), "licence: None"),
    "tensorflow for everybody": (
        replaced(METADATA, CLICK, f"Requires-Dist: tensorflow\n{CLICK}"),
        "it needs tensorflow",
    ),
    "a floor that Colab lacks": (
        replaced(METADATA, "ipywidgets>=7.7", "ipywidgets>=8.0"), "needs: "),
    "another Python": (replaced(METADATA, "<3.14", "<3.20"), "Python: "),
    "another home": (replaced(METADATA, "Homepage, ", "Homepage, https://example.com/"), "home: "),
    "no README": (replaced(METADATA, "# labkit", "nothing"), "README"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_wheel_that_is_not_as_it_must_be_is_found(name: str, tmp_path: Path) -> None:
    change, words = BROKEN[name]
    assert words in "; ".join(wheel_faults(wheel(tmp_path, change), ROOT))


def test_an_archive_without_a_notebook_or_with_what_was_built_is_found(tmp_path: Path) -> None:
    lost = sdist(tmp_path, lambda files: files.pop("notebooks/00_read_the_curve.ipynb"))
    assert "lacks notebooks/00" in "; ".join(sdist_faults(lost, ROOT))
    stray = sdist(tmp_path, lambda files: files.update({"labkit/__pycache__/a.pyc": ""}))
    assert "holds labkit/__pycache__/a.pyc" in "; ".join(sdist_faults(stray, ROOT))


@pytest.mark.full
def test_a_release_is_built_installed_and_runs_a_cause_from_the_wheel() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.release", "--here"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "labkit run graph_growth: 60 steps, 6 ops per step" in done.stdout
    assert "the wheel has the same bytes" in done.stdout and ".cdx.json: " in done.stdout
    assert "the set-up cell installs an uploaded wheel" in done.stdout
    if (ROOT / ".git").exists():
        assert "the set-up cell installs the archive of a tag, as on Colab" in done.stdout
