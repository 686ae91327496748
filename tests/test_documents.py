"""What the documents and notebooks promise is there. Tier: make test."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

import labkit
from labkit.causes import load
from labkit.record import LABELS

ROOT = Path(__file__).parent.parent
ADDRESS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Homepage"]
REPOSITORY = ADDRESS.removeprefix("https://github.com/")
TAG = f"v{labkit.__version__}"
DOCUMENTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))

# Every address under which labkit itself is opened or installed, with the parts that can drift.
ADDRESSES = re.compile(
    r"https://colab\.research\.google\.com/github/(?P<colab>[^/\s]+/[^/\s]+)/blob/(?P<colab_tag>[^/\s]+)/"
    r"(?P<colab_file>[^\s)\"']+)"
    r"|https://mybinder\.org/v2/gh/(?P<binder>[^/\s]+/[^/\s]+)/(?P<binder_tag>[^?\s]+)"
    r"\?urlpath=lab/tree/(?P<binder_file>[^\s)\"']+)"
    r"|https://github\.com/(?P<zip>[^/\s]+/[^/\s]+)/archive/refs/tags/(?P<zip_tag>\S+?)\.zip"
    r"|https://github\.com/(?P<page>[^/\s]+/labkit)/blob/(?P<page_tag>[^/\s]+)/"
    r"(?P<page_file>[^\s)\"'#]+)"
)


def wrong_addresses(text: str, own: str | None = None) -> list[str]:
    """Return the addresses in a text that lead elsewhere than to this version of this project.

    Args:
        text: Of a document or a notebook.
        own: For a notebook, its own path: its badges must open it and no other.
    """
    wrong = []
    for match in ADDRESSES.finditer(text):
        found = {key: value for key, value in match.groupdict().items() if value}
        repository, tag, *file = found.values()
        leads_home = repository == REPOSITORY and tag == TAG
        is_badge = "page" not in found
        if not leads_home or (file and not (ROOT / file[0]).is_file()) or (
            file and is_badge and own and file[0] != own
        ):  # fmt: skip
            wrong.append(match.group())
    return wrong


def first_screen() -> str:
    return "\n".join((ROOT / "README.md").read_text().splitlines()[:25])


@pytest.mark.parametrize("command", ["make lab", "make test"])
def test_the_first_screen_names_both_commands(command: str) -> None:
    assert command in first_screen()


def test_the_first_screen_opens_the_first_notebook_in_both_places() -> None:
    assert {match.lastgroup for match in ADDRESSES.finditer(first_screen())} == {
        "colab_file",
        "binder_file",
    }


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_addresses_in_a_document_lead_here(name: str) -> None:
    assert wrong_addresses((ROOT / name).read_text()) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_addresses_in_a_notebook_lead_to_it(path: Path) -> None:
    text = "\n".join("".join(cell["source"]) for cell in json.loads(path.read_text())["cells"])
    assert wrong_addresses(text, f"notebooks/{path.name}") == []


COLAB = "https://colab.research.google.com/github"
BAD = [
    f"{COLAB}/OTHER/labkit/blob/{TAG}/README.md",
    f"{COLAB}/{REPOSITORY}/blob/main/README.md",
    f"{COLAB}/{REPOSITORY}/blob/{TAG}/notebooks/99_none.ipynb",
    f"https://mybinder.org/v2/gh/{REPOSITORY}/v9.9?urlpath=lab/tree/README.md",
    f"https://github.com/{REPOSITORY}/archive/refs/tags/v9.9.zip",
    f"https://github.com/{REPOSITORY}/blob/{TAG}/docs/none.md",
    f"https://github.com/{REPOSITORY}/blob/v9.9/docs/atlas.md",
    f"https://github.com/OTHER/labkit/blob/{TAG}/docs/atlas.md",
]


@pytest.mark.parametrize("address", BAD)
def test_an_address_that_leads_elsewhere_is_found(address: str) -> None:
    assert wrong_addresses(f"[a badge]({address})") == [address]


def test_a_badge_of_another_notebook_is_found() -> None:
    address = f"{COLAB}/{REPOSITORY}/blob/{TAG}/README.md"
    assert wrong_addresses(address) == []
    assert wrong_addresses(address, "notebooks/00.ipynb") == [address]


def test_a_notebook_may_lead_to_another_page() -> None:
    address = f"https://github.com/{REPOSITORY}/blob/{TAG}/docs/atlas.md"
    assert wrong_addresses(f"the [atlas]({address}) shows", "notebooks/00.ipynb") == []


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


def test_other_addresses_are_left_alone() -> None:
    assert wrong_addresses("https://github.com/other/thing and https://keepachangelog.com") == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_file_a_document_links_to_is_there(name: str) -> None:
    links = re.findall(r"\]\(([^)#\s]+)\)", (ROOT / name).read_text())
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (ROOT / link).is_file()] == []


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
    named = re.findall(r"`([a-z_/]+\.(?:py|css))`", table)
    assert len(named) > 10
    assert [name for name in named if not (ROOT / "labkit" / name).is_file()] == []
