"""Every link and picture of the documents leads somewhere, and they make a site without a network.

Tier: make test; the building of the site is marked full.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from html import unescape
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import labkit
from labkit.causes import load
from tools.notebook_form import FENCED, HTML_ALT, HTML_IMAGE, MARKDOWN_IMAGE

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OWN = f"{PROJECT['urls']['Homepage']}/blob/v{labkit.__version__}/"
PAGES = sorted(
    page
    for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("notebooks/*.ipynb")]
    if page.parent != DOCS / "measured"  # parts of other pages
)

CODE = re.compile(r"(`+)[^`]+\1")
INLINE = re.compile(r"\]\(\s*<?([^)\s>]+)")
REFERENCE = re.compile(r"^\[[^\]]+\]:\s+<?([^\s>]+)", re.MULTILINE)
HTML = re.compile(r"""<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)=["']([^"']+)""")
PICTURE = re.compile(r"^```\{(?:image|figure)\} +(\S+)\n((?::.*\n)*)", re.MULTILINE)
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
NAMED = re.compile(r'\bid="([^"]+)"')
LED = re.compile(r'<a\b[^>]*?\bhref="([^"]+)"')
LOADED = re.compile(
    r'<(?:img|script|source|iframe)\b[^>]*?\bsrc="([^"]+)"'
    r'|<link\b(?=[^>]*\brel="(?:stylesheet|preload|icon)")[^>]*?\bhref="([^"]+)"'
)
DOCUMENTED = re.compile(r"^\.\. auto\w+:: (labkit\S+)$", re.MULTILINE)


def text_of(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    if page.suffix != ".ipynb":
        return text
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
    return "\n\n".join("".join(cell["source"]) for cell in cells)


def links(text: str) -> list[str]:
    """Return where a page leads to: links, pictures, and pictures in HTML."""
    prose = CODE.sub("", FENCED.sub("", text))
    found = [link for pattern in (INLINE, REFERENCE, HTML) for link in pattern.findall(prose)]
    return found + [path for path, _ in PICTURE.findall(text)]


def anchors(text: str) -> set[str]:
    """Return what the headings of a page are called in its address."""
    found: dict[str, int] = {}
    for title in HEADING.findall(FENCED.sub("", text)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
    return {f"{name}-{n}" if n else name for name, most in found.items() for n in range(most + 1)}


def leads_nowhere(page: Path, link: str) -> bool:
    """Tell whether a link of a page names a file or a heading that is not there."""
    own = link.startswith(OWN)
    if not own and re.match(r"[a-z][a-z0-9+.-]*:", link):
        return False
    path, _, heading = unquote(link.removeprefix(OWN)).partition("#")
    target = (ROOT if own else page.parent) / path if path else page
    if not target.is_file():
        return True
    return bool(heading) and heading not in anchors(text_of(target))


def silent_pictures(text: str) -> list[str]:
    """Return the pictures of a page that do not say in words what they show."""
    prose = CODE.sub("", FENCED.sub("", text))
    silent = [f"![{alt}]" for alt in MARKDOWN_IMAGE.findall(prose) if not alt.strip()]
    silent += [tag for tag in HTML_IMAGE.findall(prose) if not HTML_ALT.search(tag)]
    told = re.compile(r"^:alt: +\S", re.MULTILINE)
    return silent + [path for path, options in PICTURE.findall(text) if not told.search(options)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere_and_every_picture_speaks(page: Path) -> None:
    text = text_of(page)
    assert [link for link in links(text) if leads_nowhere(page, link)] == []
    assert silent_pictures(text) == []


LOST = [
    "[a](none.md)", "[a](#none)", "[a](docs/atlas.md#none)", "![a curve](docs/none.png)",
    '<img src="docs/none.png" alt="a curve">', "[a]: none.md", "[`a`](none.md)", "[a](docs)",
    f"[a]({OWN}docs/none.md)", f"[a]({OWN}docs/atlas.md#none)",
    "```{image} docs/none.png\n:alt: a curve\n```\n",
]  # fmt: skip
SILENT = ["![](a.png)", '<img src="a.png" alt="">', "```{image} a.png\n:class: only-dark\n```\n"]


@pytest.mark.parametrize("text", LOST)
def test_a_link_that_leads_nowhere_is_found(text: str) -> None:
    assert [leads_nowhere(ROOT / "README.md", link) for link in links(text)] == [True]


@pytest.mark.parametrize("text", SILENT)
def test_a_silent_picture_is_found(text: str) -> None:
    assert len(silent_pictures(text)) == 1


def test_what_leads_somewhere_or_is_no_link_is_left_alone() -> None:
    good = (
        "[a](docs/atlas.md#too_short) [b](#the-causes) ![a curve](docs/atlas/flat.png) `[c](d)`\n"
        f"[e](https://example.com/f#g) [h]({OWN}docs/atlas.md#flat)\n\n```\n[i](j) ![](k)\n```\n"
    )
    assert [link for link in links(good) if leads_nowhere(ROOT / "README.md", link)] == []
    assert len(links(good)) == 5 and silent_pictures(good) == []
    assert anchors("# `A` *b*: c\n## d e\n## d e\n") == {"a-b-c", "d-e", "d-e-1"}


def test_every_page_is_in_the_contents() -> None:
    entries = [
        line
        for block in TOCTREE.findall((DOCS / "index.md").read_text())
        for line in block.splitlines()
        if line and not line.startswith(":")
    ]
    listed = {
        found.resolve() for entry in entries for end in (".md", ".ipynb")
        for found in DOCS.glob(f"{entry}{end}")
    }  # fmt: skip
    unlisted = {"README.md", "docs/index.md"}
    assert {page for page in PAGES if str(page.relative_to(ROOT)) not in unlisted} == listed


def test_a_notebook_has_25_names_at_most() -> None:
    """One more takes the place of another, or is reached from what another returns."""
    assert len({*labkit.__all__, "Watch"}) <= 26


def test_every_public_name_is_documented_once() -> None:
    documented = DOCUMENTED.findall((DOCS / "api.md").read_text())
    assert len(set(documented)) == len(documented)
    names = {name.removeprefix("labkit.") for name in documented if name.count(".") == 1}
    assert names == {*labkit.__all__, "Watch"}
    for name in set(documented) - {"labkit.Watch"}:  # that one would load Keras
        module, _, own = name.rpartition(".")
        assert getattr(import_module(module), own).__doc__, name


def shown() -> list[str]:
    """Return the files that the guide has its reader write: the cause, its test, a cell."""
    return re.findall(r"```python\n(.*?)```", (DOCS / "add_a_cause.md").read_text(), re.DOTALL)


@pytest.fixture
def shown_cause(tmp_path: Path) -> Path:
    path = tmp_path / "whole_table.py"
    path.write_text(shown()[0])
    return path


def test_the_cause_that_is_shown_is_one_and_imports_no_tensorflow(shown_cause: Path) -> None:
    cause = load(str(shown_cause))
    assert cause.slug == shown_cause.stem and (ROOT / "notebooks" / cause.notebook).is_file()
    assert [toggle.role for toggle in cause.toggles] == ["cause", "fix", "control"]
    assert set(cause.expectation.per_step) == {column.name for column in cause.counters}
    assert set(cause.expectation.places) == set(cause.functions.values())


def test_the_test_that_is_shown_uses_what_there_is(shown_cause: Path) -> None:
    cause = load(str(shown_cause))
    tree = ast.parse(shown()[1])
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith(("labkit", "tests")):
            for name in node.names:
                assert hasattr(import_module(str(node.module)), name.name), name.name
    for toggles in re.findall(r"\{\"\w+\": \"o\w+\".*?\}", shown()[1]):
        cause.toggle_values(ast.literal_eval(toggles))


@pytest.mark.parametrize("page", [DOCS / "add_a_cause.md", ROOT / "CONTRIBUTING.md"])
def test_each_test_that_a_guide_names_is_there(page: Path) -> None:
    named = re.findall(r"\b(tests/[\w/]+\.py)(?:::(\w+))?", page.read_text())
    the_readers = {"tests/causes/test_whole_table.py", "tests/X/test_y.py"}
    theirs = [(file, test) for file, test in named if file not in the_readers]
    assert theirs
    for file, test in theirs:
        assert f"def {test}" in (ROOT / file).read_text(), (file, test)


@pytest.mark.full
@pytest.mark.parametrize("setting", ["whole=on", "batch_only=on"])
def test_the_cause_that_is_shown_counts_what_it_declares(shown_cause: Path, setting: str) -> None:
    run = ["run", str(shown_cause), "--steps", "60", "--set", setting, "--json"]
    told = json.loads(subprocess.check_output([sys.executable, "-m", "labkit.cli", *run]))
    assert told["state"] == "done"
    assert told["evidence"]["table_ids"]["per_step"] == 2048.0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built by what `make docs` runs; a proxy that is none stops calls."""
    folder = tmp_path_factory.mktemp("site")
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTPS_PROXY"), "http://127.0.0.1:9")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-c", "docs",
         "-d", str(folder / "doctrees"), ".", str(folder / "html")],
        cwd=ROOT, env={**os.environ, **nowhere}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "html"


def built(site: Path) -> dict[Path, str]:
    return {page: page.read_text(encoding="utf-8") for page in sorted(site.rglob("*.html"))}


@pytest.mark.full
def test_every_document_is_a_page_of_the_site(site: Path) -> None:
    pages = {str(page.relative_to(site).with_suffix("")) for page in built(site)}
    assert {str(page.relative_to(ROOT).with_suffix("")) for page in PAGES} - {"README"} <= pages


@pytest.mark.full
def test_no_built_page_loads_anything_from_elsewhere_or_hides_a_picture(site: Path) -> None:
    text = "".join(built(site).values())
    loaded = ["".join(found) for found in LOADED.findall(text)]
    assert loaded and [one for one in loaded if urlsplit(one).netloc] == []
    assert [tag for tag in HTML_IMAGE.findall(text) if not HTML_ALT.search(tag)] == []


@pytest.mark.full
def test_every_link_of_the_built_site_leads_somewhere(site: Path) -> None:
    pages = built(site)
    names = {page: set(NAMED.findall(text)) for page, text in pages.items()}
    lost = []
    for page, text in pages.items():
        for link in set(LED.findall(text)):
            parts = urlsplit(unescape(link))
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            heading = unquote(parts.fragment)
            if not target.is_file() or (heading and heading not in names.get(target, {heading})):
                lost.append((page.name, link))
    assert lost == []
