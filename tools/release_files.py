"""What must be in the two files of a release, what must not, and what they say of themselves."""

from __future__ import annotations

import subprocess
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from packaging.metadata import Metadata
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import labkit

# Whoever builds from the archive must be able to test what they built.
IN_SDIST = (
    "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "Makefile", "constraints.txt",
    "environment.yml", "binder/environment.yml", "binder/postBuild",
    "labkit/__init__.py", "labkit/show/panel.js", "notebooks/00_read_the_curve.ipynb",
    "tests/conftest.py", "tools/test.sh", "docs/index.md",
)  # fmt: skip
NEVER = (".venv", ".git/", ".ci/", "__pycache__", ".ipynb_checkpoints", "test-out", "bench-out")


def sdist_faults(file: Path, root: Path) -> list[str]:
    """Return what is wrong with the source archive of a project."""
    with tarfile.open(file) as archive:
        names = [name.partition("/")[2] for name in archive.getnames() if "/" in name]
        told = archive.extractfile(f"{file.name.removesuffix('.tar.gz')}/PKG-INFO")
        text = told.read().decode() if told is not None else ""
    missing = sorted({*IN_SDIST, *package_files(root)} - set(names))
    return [
        *_said(file, "lacks", missing),
        *_said(file, "holds", _strays(names)),
        *metadata_faults(text, root, file.name),
    ]


def wheel_faults(file: Path, root: Path) -> list[str]:
    """Return what is wrong with the wheel: it is the package, whole, and nothing else."""
    with zipfile.ZipFile(file) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        folder = f"labkit-{labkit.__version__}.dist-info"
        text = archive.read(f"{folder}/METADATA").decode()
        points = archive.read(f"{folder}/entry_points.txt").decode()
    inside = {name for name in names if not name.startswith(f"{folder}/")}
    project = _project(root)
    commands = [f"{name} = {place}" for name, place in project["scripts"].items()]
    return [
        *_said(file, "lacks", sorted(set(package_files(root)) - inside)),
        *_said(file, "holds", sorted(inside - set(package_files(root)))),
        *_said(file, "lacks the command", [line for line in commands if line not in points]),
        *metadata_faults(text, root, file.name),
    ]


def package_files(root: Path) -> list[str]:
    """Return the package's files: those of git, and those that pyproject.toml adds to a build."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "labkit"],  # noqa: S607
        cwd=root, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    patterns = tomllib.loads(text)["tool"]["hatch"].get("build", {}).get("artifacts", [])
    added = [path for pattern in patterns for path in root.glob(pattern.lstrip("/"))]
    names = {*listed, *(str(path.relative_to(root)) for path in added)}
    return sorted(name for name in names if (root / name).is_file())


def metadata_faults(text: str, root: Path, name: str) -> Iterator[str]:
    """Yield in what a file's metadata is not what pyproject.toml says.

    Args:
        text: The metadata.
        root: The project's folder.
        name: The file's.
    """
    said, project = Metadata.from_email(text, validate=False), _project(root)
    needs = {need.name: need.specifier for need in said.requires_dist or []
             if "extra" not in str(need.marker)}  # fmt: skip
    asked = {need.name: need.specifier for need in map(Requirement, project["dependencies"])}
    home = (said.project_urls or {}).get("Homepage")
    pairs = {
        "name": (said.name, project["name"]),
        "version": (str(said.version), labkit.__version__),
        "summary": (said.summary, project["description"]),
        "licence": (said.license_expression, project["license"]),
        "Python": (said.requires_python, SpecifierSet(project["requires-python"])),
        "needs": (needs, asked),
        "home": (home, project["urls"]["Homepage"]),
    }
    for key, (is_now, wanted) in pairs.items():
        if is_now != wanted:
            yield f"{name}: {key}: {is_now}, not {wanted}"
    # On Colab TensorFlow must never be touched, so nothing but an extra may ask for it.
    yield from (f"{name}: it needs {each}" for each in needs if each.startswith("tensorflow"))
    if not (said.description or "").lstrip().startswith("# labkit"):
        yield f"{name}: its description is not the README"


def _project(root: Path) -> dict[str, Any]:
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


def _strays(names: Iterable[str]) -> list[str]:
    return sorted({name for name in names for part in NEVER if part in f"{name}/"})


def _said(file: Path, what: str, names: list[str]) -> list[str]:
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return [f"{file.name} {what} {', '.join(names[:5])}{more}"] if names else []
