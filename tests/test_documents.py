"""What the documents and notebooks promise is there. Tier: make test."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from labkit.causes import load
from labkit.record import LABELS

ROOT = Path(__file__).parent.parent
DOCUMENTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]


def first_screen() -> str:
    return "\n".join((ROOT / "README.md").read_text().splitlines()[:25])


@pytest.mark.parametrize("command", ["make lab", "make test"])
def test_the_first_screen_names_both_commands(command: str) -> None:
    assert command in first_screen()


def test_the_first_screen_opens_the_first_notebook_in_both_places() -> None:
    """Owner and version of each address: tests/tools/test_address.py."""
    first = "notebooks/00_read_the_curve.ipynb"
    badge = r"\]\(https://(colab|mybinder)\.\S+?/(?:blob/[^/]+|[^/?]+\?urlpath=lab/tree)/(\S+?)\)"
    assert re.findall(badge, first_screen()) == [("colab", first), ("mybinder", first)]
    assert (ROOT / first).is_file()


def test_the_readme_says_where_the_command_is_and_how_to_shorten_it() -> None:
    text = (ROOT / "README.md").read_text()
    long, short = text.index(".venv/bin/labkit"), text.index("source .venv/bin/activate")
    assert long < short
    bare = re.search(r"(?<!/)\blabkit (list|run|verdict)", text)
    assert bare is not None and bare.start() > short, "the bare word comes before its explanation"


def test_the_loop_files_the_readme_runs_are_causes() -> None:
    paths = re.findall(r"labkit run (\S+\.py)", (ROOT / "README.md").read_text())
    assert paths and all(load(str(ROOT / path)).slug for path in paths)


def test_the_first_notebook_speaks_in_the_labels_of_a_verdict_and_leads_to_the_atlas() -> None:
    cells = json.loads((ROOT / "notebooks" / "00_read_the_curve.ipynb").read_text())["cells"]
    sources = {cell["id"]: "".join(cell["source"]) for cell in cells}
    offered = re.findall(r"^- `(\w+)`:", sources["see-warmup-note"], re.MULTILINE)
    assert offered == [label for label in LABELS if label != "too_short"]
    assert "/docs/atlas.md)" in sources["see-warmup-note"]


def test_who_adds_a_cause_is_told_how_to_claim_something_about_the_clock() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    assert "`assert_clock(...)`" in text
    assert "def assert_clock(" in (ROOT / "tests" / "causes" / "curves.py").read_text()


def test_the_code_shown_to_contributors_stands_in_the_project() -> None:
    """Else the examples go stale, and newcomers copy what nobody writes any more."""
    shown = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    everything = [path.read_text() for path in ROOT.glob("labkit/record/*.py")]
    everything += [path.read_text() for path in ROOT.glob("tests/record/*.py")]
    assert len(shown) == 2
    for example in shown:
        assert any(example in text for text in everything), example


def test_every_command_a_document_names_is_in_the_makefile() -> None:
    text = "".join((ROOT / name).read_text() for name in DOCUMENTS)
    named = set(re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE))
    there = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {"lab", "test", "test-full", "bench", "torture", "sync"} <= named
    assert named - there == set()


def test_the_changelog_has_a_place_for_what_comes_next() -> None:
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text()


def test_the_way_of_a_step_names_files_that_are_there_and_what_stands_in_them() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    way = text.partition("## The way of a step")[2].partition("\n## ")[0]
    stops = re.findall(r"(?m)^\d+\. (.*?`):", way)
    assert len(stops) == 10
    for stop in stops:
        source = ""
        for word in re.findall(r"`([^`]+)`", stop):
            if "/" in word:
                source = (ROOT / "labkit" / word).read_text()
            else:
                assert re.search(rf"(def|class) {word.rpartition('.')[2]}\b", source), stop


def test_what_stands_where_names_files_that_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    table = text.partition("## What stands where")[2].partition("\n## ")[0]
    rows = [re.findall(r"`([a-z_/]+\.(?:py|css|js))`", row) for row in table.splitlines()]
    assert sum(map(len, rows)) > 30
    for row in rows:
        tests = [name for name in row if name.startswith("tests/")]
        files = [name for name in row if name not in tests]
        assert [name for name in tests if not (ROOT / name).is_file()] == []
        assert [name for name in files if not (ROOT / "labkit" / name).is_file()] == []
        # The rule above the table, where the row names no other.
        for path in (Path(name) for name in files if name.endswith(".py") and not tests):
            if path.name != "__init__.py":
                assert (ROOT / "tests" / path.parent / f"test_{path.name}").is_file(), path
