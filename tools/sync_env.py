"""Writes the two environment files from pyproject.toml; `make sync` runs it.

It knows the file format of conda environments and nothing of what the packages do.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent

# `=` and not `>=`: Binder's builder reads a version after `=` only, else it takes Python 3.10.
PYTHON = "python=3.12"

# Binder has ipykernel from conda already, so what belongs to Jupyter comes from conda as well: two
# installers for one package leave a broken one behind.
FROM_CONDA = ("ipykernel", "ipywidgets", "jupyterlab")

# Colab needs our low floor, a fresh environment does not: from this version on widget messages
# survive the kernel's subshells.
HIGHER_FLOORS = {"ipywidgets": "ipywidgets>=8.1.7,<9"}


def noun(requirement: str) -> str:
    """Return the package a requirement is about: ``"numpy"`` for ``"numpy>=1.26"``."""
    return re.split(r"[\s\[<>=!~;]", requirement, maxsplit=1)[0]


def requirements(project: Mapping[str, Any], *extras: str) -> list[str]:
    """Return the project's requirements and those of some extras, sorted."""
    chosen = list(project["dependencies"])
    for extra in extras:
        chosen += project["optional-dependencies"][extra]
    return sorted(HIGHER_FLOORS.get(noun(requirement), requirement) for requirement in chosen)


def without_marker(requirements: Sequence[str]) -> list[str]:
    """Return what Binder's x86-64 Linux needs, free of conditions on the platform.

    Of several lines for other platforms the first of a package is kept, and ``tensorflow`` goes
    where ``tensorflow-cpu`` is there.
    """
    plain = [requirement.split(";")[0].strip() for requirement in requirements]
    nouns = [noun(requirement) for requirement in plain]
    cpu = "tensorflow-cpu" in nouns
    return [line for line in plain if not (cpu and noun(line) == "tensorflow")]


def environment(head: str, requirements: Sequence[str], own: Sequence[str] = ()) -> str:
    """Return the text of one environment file.

    Args:
        head: What the file is for, as a comment.
        requirements: What to install.
        own: Further lines for pip, for example the project itself.
    """
    conda = [line for line in requirements if noun(line) in FROM_CONDA]
    pip = [line for line in requirements if noun(line) not in FROM_CONDA]
    lines = [
        f"# {head}",
        "# Written by `make sync` from pyproject.toml: edit that file, not this one.",
        "# The lowest ipywidgets is higher here: the one in pyproject.toml is Colab's.",
        "name: labkit",
        "channels:",
        "  - conda-forge",
        "dependencies:",
        *(f"  - {line}" for line in (PYTHON, "pip", *conda)),
        "  - pip:",
        *(f"      - {line}" for line in (*pip, *own)),
    ]
    return "".join(f"{line}\n" for line in lines)


def files(pyproject: str) -> dict[str, str]:
    """Return what each environment file must say, by its path, for the text of a pyproject.toml."""
    needed = requirements(tomllib.loads(pyproject)["project"], "cpu", "lab", "notebooks")
    return {
        "environment.yml": environment(
            "For people who use conda: conda env create -f environment.yml", needed, ["-e ."]
        ),
        # No line for labkit itself: it would be copied in before TensorFlow is installed, and every
        # commit would install TensorFlow again. binder/postBuild installs it.
        "binder/environment.yml": environment("For Binder.", without_marker(needed)),
    }


def drifted(root: Path) -> list[str]:
    """Return the environment files under a folder that do not say what they must."""
    wanted = files((root / "pyproject.toml").read_text())
    return [
        name
        for name, text in wanted.items()
        if not (root / name).exists() or (root / name).read_text() != text
    ]


def main() -> None:
    """Write the files."""
    for name, text in files((ROOT / "pyproject.toml").read_text()).items():
        (ROOT / name).parent.mkdir(exist_ok=True)
        (ROOT / name).write_text(text)


if __name__ == "__main__":
    main()
