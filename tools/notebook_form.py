"""Holds the form of the notebooks: what may be stored, how headings run, how long a function is.

It reads one notebook at a time and runs nothing. Each rule is a small function from a notebook to
the sentences that are wrong with it.

Usage: python -m tools.notebook_form [FILE]...
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbformat.validator import iter_validate

Notebook = dict[str, Any]
Rule = Callable[[Notebook], Iterator[str]]

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
LONGEST_DEF = 10
# Of what is read before the exercises; what is folded is read by who wants it.
MOST_WORDS = 900
NOTEBOOK_METADATA = {"kernelspec", "language_info", "accelerator", "colab"}
CELL_METADATA = {"tags", "cellView", "jupyter"}
READABLE_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# What JupyterLab and Colab make up by themselves: eight hex digits, or a long random word.
MADE_UP_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){0,3}.*|[0-9a-zA-Z]{10,}")
HEADING = re.compile(r"^(#{1,6})\s+\S", re.MULTILINE)
FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
MARKDOWN_IMAGE = re.compile(r"!\[([^\]]*)\]\(")
HTML_IMAGE = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)
LINK_TARGET = re.compile(r"\]\([^)]*\)")
WORD = re.compile(r"\w[\w'.-]*")
HTML_ALT = re.compile(r"""\balt\s*=\s*(["'])\s*[^"'\s]""")


def is_valid(notebook: Notebook) -> Iterator[str]:
    """The file follows the notebook format, in the version that gives cells an id."""
    if (notebook.get("nbformat"), notebook.get("nbformat_minor")) < (4, 5):
        yield "it is older than notebook format 4.5; save it anew in JupyterLab"
        return
    # Not `validate`: that one repairs the ids first, and then finds nothing wrong with them.
    for error in iter_validate(nbformat.from_dict(notebook)):
        yield f"it is no valid notebook: {str(error).splitlines()[0]}"


def has_no_output(notebook: Notebook) -> Iterator[str]:
    """Nothing of a run is stored: outputs make diffs unreadable, and go stale."""
    for cell in _cells(notebook, "code"):
        if cell.get("outputs"):
            yield f"cell {cell.get('id')}: its output is stored; clear all outputs"
        if cell.get("execution_count") is not None:
            yield f"cell {cell.get('id')}: its execution count is stored; clear all outputs"


def has_readable_ids(notebook: Notebook) -> Iterator[str]:
    """Each cell has an id of its own that says what it is for, such as ``run-off-on``."""
    seen: set[str] = set()
    for cell in notebook["cells"]:
        name = str(cell.get("id", ""))
        if not READABLE_ID.fullmatch(name) or MADE_UP_ID.fullmatch(name):
            yield f"cell {name!r}: its id says nothing; use words such as 'run-off-on'"
        if name in seen:
            yield f"cell {name!r}: another cell has this id; each needs its own"
        seen.add(name)


def has_allowed_metadata(notebook: Notebook) -> Iterator[str]:
    """No widget state, no versions, no editor's leftovers."""
    metadata = notebook.get("metadata", {})
    for key in sorted(set(metadata) - NOTEBOOK_METADATA):
        yield f"the metadata {key!r} may not be stored; remove it"
    for key in sorted(set(metadata.get("language_info", {})) - {"name"}):
        yield f"the metadata 'language_info.{key}' may not be stored; remove it"
    for cell in notebook["cells"]:
        own = cell.get("metadata", {})
        wrong = set(own) - CELL_METADATA
        wrong |= {f"jupyter.{key}" for key in set(own.get("jupyter", {})) - {"source_hidden"}}
        for key in sorted(wrong):
            yield f"cell {cell.get('id')}: the metadata {key!r} may not be stored; remove it"


def has_ordered_headings(notebook: Notebook) -> Iterator[str]:
    """One title, in the first cell, and no level skipped: screen readers walk by headings."""
    last = 0
    titles = 0
    for place, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "markdown":
            continue
        for mark in HEADING.findall(FENCED.sub("", _text(cell))):
            titles += mark == "#"
            if mark == "#" and place > 0:
                yield f"cell {cell.get('id')}: a title (#) stands outside the first cell"
            if len(mark) > last + 1:
                yield f"cell {cell.get('id')}: a heading jumps from level {last} to {len(mark)}"
            last = len(mark)
    if titles != 1:
        yield f"it has {titles} titles (#); it needs exactly one, in the first cell"


def has_short_functions(notebook: Notebook) -> Iterator[str]:
    """No function is longer than its idea: what is longer belongs into labkit, under test."""
    for cell in _cells(notebook, "code"):
        try:
            tree = ast.parse(without_magics(_text(cell)))
        except SyntaxError as error:
            yield f"cell {cell.get('id')}: it is no Python ({error.msg}, line {error.lineno})"
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > LONGEST_DEF:
                    yield f"cell {cell.get('id')}: {node.name} has {lines} lines, not {LONGEST_DEF}"


def has_alternative_texts(notebook: Notebook) -> Iterator[str]:
    """Each picture says in words what it shows."""
    for cell in _cells(notebook, "markdown"):
        text = FENCED.sub("", _text(cell))
        silent = [alt for alt in MARKDOWN_IMAGE.findall(text) if not alt.strip()]
        silent += [tag for tag in HTML_IMAGE.findall(text) if not HTML_ALT.search(tag)]
        for _ in silent:
            yield f"cell {cell.get('id')}: a picture has no alternative text"


def is_short(notebook: Notebook) -> Iterator[str]:
    """A lab is for trying things: what explains at length is folded."""
    words = 0
    for cell in _cells(notebook, "markdown"):
        text = LINK_TARGET.sub("]", FOLDED.sub("", _text(cell)))
        text, exercises, _ = text.partition("# Fix it yourself")
        words += len(WORD.findall(text))
        if exercises:
            break
    if words > MOST_WORDS:
        yield f"it has {words:,} words before its exercises, not {MOST_WORDS}; fold some of them"


RULES: tuple[Rule, ...] = (
    is_valid, has_no_output, has_readable_ids, has_allowed_metadata, has_ordered_headings,
    has_short_functions, has_alternative_texts, is_short,
)  # fmt: skip


def faults(notebook: Notebook) -> list[str]:
    """Return one sentence for everything that is wrong with a notebook."""
    return [sentence for rule in RULES for sentence in rule(notebook)]


def read(path: Path) -> Notebook:
    """Read a notebook as it is stored, without the repairs that nbformat makes on the way."""
    notebook: Notebook = nbformat.reader.reads(path.read_text(encoding="utf-8"))
    return notebook


def chosen(wanted: Sequence[str]) -> list[Path]:
    """Return the notebooks that are wanted, all if none is named.

    Raises:
        SystemExit: If there is none of such a name; what there is has been said then.
    """
    every = {path.name: path for path in sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))}
    names = [Path(each).name for each in wanted] or every
    if unknown := set(names) - set(every):
        print(f"{min(unknown)!r} is no notebook; choose from those in {NOTEBOOKS}.")
        raise SystemExit(2)
    return [every[name] for name in names]


def _cells(notebook: Notebook, kind: str) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def _text(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def without_magics(source: str) -> str:
    """Return a cell with magics and shell lines as ``pass``; a ``%%`` cell is no Python."""
    if source.lstrip().startswith("%%"):
        return ""
    return re.sub(r"^(\s*)[%!].*$", r"\1pass", source, flags=re.MULTILINE)


if __name__ == "__main__":
    chosen = [Path(name) for name in sys.argv[1:]] or sorted(Path("notebooks").glob("*.ipynb"))
    sentences = [f"{path}: {fault}" for path in chosen for fault in faults(read(path))]
    print(*sentences, sep="\n", end="\n" if sentences else "")
    sys.exit(1 if sentences else 0)
