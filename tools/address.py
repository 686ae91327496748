"""The public address: it stands in pyproject.toml, and all badges and set-up cells follow it.

`make sync` runs it. It changes addresses of labkit, the cells ``setup`` and ``badges`` of each
notebook, and the remark that labkit is not published yet. All other text stays as it is.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
# Nobody can have an account of this name, so what leads there leads nowhere and to nobody.
PLACEHOLDER = "YOUR_ORG"
HOME = re.compile(r"https://github\.com/([A-Za-z0-9_.-]+/labkit)/?")
VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
OWN = r"[^/\s\"')]+/labkit"
# The owner and the tag are what changes; the forms are those of each service.
FORMS = (
    (rf"(colab\.research\.google\.com/github/){OWN}/blob/[^/\s]+/", r"\1{repository}/blob/{tag}/"),
    (rf"(mybinder\.org/v2/gh/){OWN}/[^?\s]+\?", r"\1{repository}/{tag}?"),
    (rf"(github\.com/){OWN}(/archive/refs/tags/)\S+?\.zip", r"\1{repository}\2{tag}.zip"),
    (rf"((?<!google\.com/)github\.com/){OWN}/blob/[^/\s]+/", r"\1{repository}/blob/{tag}/"),
    # By its branch: of a tag nbgitpuller fails when a learner opens the link again.
    (rf"(git-pull\?repo=https://github\.com/){OWN}&branch=[^&\s]+", r"\1{repository}&branch=main"),
)
COLAB = "[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]"
BINDER = "[![Open in Binder](https://mybinder.org/badge_logo.svg)]"
UNPUBLISHED = "(labkit is not published yet, so these two links lead nowhere so far.)"
BADGES, SETUP = "badges", "setup"
ASKS_FOR_GPU = "lk.setup(gpu=True)"


@dataclass(frozen=True)
class Address:
    """Where this version of labkit is, or will be.

    Args:
        repository: Owner and name.
        tag: The version's.
    """

    repository: str
    tag: str

    @property
    def published(self) -> bool:
        """Whether it is a real address and no placeholder."""
        return not self.repository.startswith(f"{PLACEHOLDER}/")

    def badges(self, file: str) -> str:
        """Return the two badges of a notebook, and the remark while they lead nowhere."""
        lines = [
            f"{COLAB}(https://colab.research.google.com/github/{self.repository}/blob/{self.tag}/{file})",
            f"{BINDER}(https://mybinder.org/v2/gh/{self.repository}/{self.tag}?urlpath=lab/tree/{file})",
        ]
        return "\n".join(lines if self.published else [*lines, UNPUBLISHED])

    def setup_cell(self, *, gpu: bool) -> str:
        """Return the first code of a notebook.

        Args:
            gpu: Whether the lab is better with a graphics card.
        """
        archive = f"https://github.com/{self.repository}/archive/refs/tags/{self.tag}.zip"
        return f"""\
# @title Set-up: run me first
import os
import subprocess
import sys
from glob import glob
from shutil import copy
from tempfile import TemporaryDirectory

me = getattr(os, "geteuid", int)()  # what others put into a shared folder is left alone
wheels = [each for each in glob("labkit-*.whl") if os.stat(each).st_uid == me]
if wheel := max(wheels, key=os.path.getmtime, default=""):  # the newest you uploaded
    with TemporaryDirectory() as folder:
        # A browser makes "... (1).whl" of a name it has had before, and pip takes no such name.
        named = copy(wheel, os.path.join(folder, wheel.partition("-any")[0] + "-any.whl"))
        pip = [sys.executable, "-m", "pip"]
        subprocess.run([*pip, "install", "-q", "--no-deps", named], check=True)
elif "google.colab" in sys.modules:
    %pip install -q --no-deps {archive}
import labkit as lk

{ASKS_FOR_GPU if gpu else "lk.setup()"}"""

    def in_text(self, text: str) -> str:
        """Return a text in which every address of labkit is this one."""
        for form, own in FORMS:
            text = re.sub(form, own.format(repository=self.repository, tag=self.tag), text)
        return text

    def in_document(self, text: str) -> str:
        """Return a document that follows: addresses, and the remark while they lead nowhere."""
        text = self.in_text(text)
        return text.replace(f"{UNPUBLISHED}\n", "") if self.published else text

    def in_notebook(self, text: str, file: str) -> str:
        """Return a notebook that follows: addresses, badges under the title, and set-up cell.

        Args:
            text: Of the file.
            file: Its path in the project.
        """
        notebook: dict[str, Any] = json.loads(text)
        cells = [cell for cell in notebook["cells"] if cell["id"] != BADGES]
        for cell in cells:
            source = "".join(cell["source"])
            if cell["id"] == SETUP:
                made = self.setup_cell(gpu=ASKS_FOR_GPU in source)
            else:
                made = self.in_text(source)
            cell["source"] = made.splitlines(keepends=True)
        # The tag keeps the pictures off our own site, which loads nothing from elsewhere.
        badges = {
            "cell_type": "markdown",
            "id": BADGES,
            "metadata": {"tags": ["remove-cell"]},
            "source": self.badges(file).splitlines(keepends=True),
        }
        notebook["cells"] = [*cells[:1], badges, *cells[1:]]
        return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def address(root: Path) -> Address:
    """Return the address that a project's pyproject.toml and version say.

    Raises:
        ValueError: If it is no address of a repository called labkit on GitHub.
    """
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    home = project["urls"]["Homepage"]
    found = HOME.fullmatch(home)
    if found is None:
        raise ValueError(
            f"Homepage = {home!r} in pyproject.toml is no address that badges can be made from; "
            "write https://github.com/OWNER/labkit."
        )
    version = VERSION.search((root / "labkit" / "__init__.py").read_text(encoding="utf-8"))
    if version is None:
        raise ValueError("labkit/__init__.py has no line __version__ = ...; write one.")
    return Address(found.group(1), f"v{version.group(1)}")


def changes(root: Path) -> dict[Path, str]:
    """Return what each file that does not follow the address would say if it did.

    Args:
        root: The project's folder.

    Raises:
        ValueError: If pyproject.toml has no address that can be used.
    """
    here = address(root)
    wanted: dict[Path, str] = {}
    for path in [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]:
        wanted[path] = here.in_document(path.read_text(encoding="utf-8"))
    for path in sorted(root.glob("notebooks/*.ipynb")):
        file = f"notebooks/{path.name}"
        wanted[path] = here.in_notebook(path.read_text(encoding="utf-8"), file)
    return {path: text for path, text in wanted.items() if path.read_text(encoding="utf-8") != text}


def main() -> None:
    """Write the files that do not follow, and say which."""
    for path, text in changes(ROOT).items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    try:
        main()
    except ValueError as error:
        sys.exit(str(error))
