"""Registry, files, tests, notebooks and README name the same causes. Tier: make test."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from labkit.causes import SLUGS, load

ROOT = Path(__file__).parent.parent
NOTEBOOKS = {path.name for path in (ROOT / "notebooks").glob("*.ipynb")}


def code_of(notebook: str) -> str:
    cells = json.loads((ROOT / "notebooks" / notebook).read_text())["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def test_every_file_is_registered_once_and_every_name_has_a_file_and_tests() -> None:
    files = {path.stem for path in (ROOT / "labkit" / "causes").glob("*.py")} - {"__init__"}
    assert sorted(SLUGS) == sorted(files)
    tested = {path.stem for path in (ROOT / "tests" / "causes").glob("test_*.py")}
    assert {f"test_{slug}" for slug in SLUGS} <= tested


@pytest.mark.parametrize("slug", SLUGS)
def test_a_cause_goes_by_the_name_of_its_file(slug: str) -> None:
    assert load(slug).slug == slug


@pytest.mark.parametrize("slug", SLUGS)
def test_the_notebook_of_a_cause_is_there_and_runs_it(slug: str) -> None:
    notebook = load(slug).notebook
    assert notebook in NOTEBOOKS
    assert f'"{slug}"' in code_of(notebook)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_readme_names_the_cause_and_its_notebook(slug: str) -> None:
    readme = (ROOT / "README.md").read_text()
    assert re.search(rf"\| `{slug}` \|.*\(notebooks/{load(slug).notebook}\)", readme), slug


def test_every_notebook_teaches_a_cause_or_stands_before_or_after_them() -> None:
    taught = {load(slug).notebook for slug in SLUGS}
    assert {name[:2] for name in NOTEBOOKS - taught} <= {"00", "14", "15", "16"}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_switch_says_the_name_that_the_curve_is_marked_with(slug: str) -> None:
    """The mark of a flip has no room for a title; "preallocate on" is of no switch "one block"."""
    for toggle in load(slug).toggles:
        words = toggle.name.split("_")
        assert any(word[:5] in toggle.title.lower() for word in words), (toggle.name, toggle.title)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_cause_has_a_main_toggle_and_something_that_is_innocent_or_mends(slug: str) -> None:
    toggles = load(slug).toggles
    assert toggles, slug
    mends = [toggle for toggle in toggles if toggle.role in ("fix", "control")]
    # A toggle of many values may hold cause, fix and control in one.
    assert mends or any(len(toggle.choices) > 2 for toggle in toggles), slug


@pytest.mark.parametrize("slug", SLUGS)
def test_a_cause_that_grows_says_where_and_one_that_does_not_says_nowhere(slug: str) -> None:
    expectation = load(slug).expectation
    assert (expectation.growth > 0) == bool(expectation.places)
