"""The guides for instructors: one a notebook, in one form, and what they name is there.

Tier: make test.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import labkit
from labkit.causes import SLUGS, load

ROOT = Path(__file__).parent.parent
GUIDES = sorted((ROOT / "docs" / "teaching").glob("[0-9][0-9].md"))
INDEX = ROOT / "docs" / "teaching" / "index.md"
PARTS = ["Goals", "What to say", "What goes wrong", "If the effect is small here", "Discuss"]
guides = pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)


def test_each_notebook_has_a_guide_and_each_guide_a_notebook() -> None:
    notebooks = [path.name[:2] for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    assert [path.stem for path in GUIDES] == notebooks
    assert re.findall(r"\]\((\d\d)\.md\)", INDEX.read_text()) == notebooks


@guides
def test_a_guide_has_its_five_parts_and_three_questions(path: Path) -> None:
    text = path.read_text()
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == PARTS
    assert len(re.findall(r"^\d\. ", text.partition("## Discuss")[2], re.MULTILINE)) == 3
    assert 30 <= len(text.splitlines()) <= 60


@guides
def test_a_guide_opens_its_own_notebook_and_has_its_title(path: Path) -> None:
    (found,) = (ROOT / "notebooks").glob(f"{path.stem}_*.ipynb")
    first, _, second, *_ = path.read_text().splitlines()
    assert f"](../../notebooks/{found.name})" in second
    title = re.search(r'"# (.+?)(?:\\n)?"', found.read_text())
    assert title is not None and first == f"# {path.stem} {title.group(1)}"


@pytest.mark.parametrize("path", [*GUIDES, INDEX], ids=lambda path: path.stem)
def test_what_a_guide_tells_to_write_can_be_written(path: Path) -> None:
    text = path.read_text()
    named = set(re.findall(r"\blk\.(\w+)", text))
    assert named <= {*labkit.__all__, "Watch"}, named
    for slug, settings in re.findall(r'lk\.(?:Lab|run)\("(\w+)"([^)]*)\)', text):
        assert slug in SLUGS
        cause = load(slug)
        known = {each.name for each in (*cause.toggles, *cause.sizes)}
        known |= {"steps", "recorded", "presenter", "exposed"}
        assert set(re.findall(r"(\w+)=", settings)) <= known, settings
