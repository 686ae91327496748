"""The form of the notebooks, and the checker that holds it. Tier: make test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.notebook_form import chosen, faults, is_valid, read

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_notebook_keeps_the_form(path: Path) -> None:
    assert faults(read(path)) == []


def markdown(name: str, *lines: str, **metadata: Any) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": name, "metadata": metadata, "source": "\n".join(lines)}


def code(name: str, *lines: str, **more: Any) -> dict[str, Any]:
    cell = {"cell_type": "code", "id": name, "metadata": {}, "source": "\n".join(lines),
            "outputs": [], "execution_count": None}  # fmt: skip
    return {**cell, **more}


def stored(tmp_path: Path, *cells: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Write a notebook to a file and read it back, so that the reader is tested as well."""
    notebook = {
        "nbformat": 4, "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        "cells": [markdown("title", "# A title"), *cells], **more,
    }  # fmt: skip
    path = tmp_path / "notebook.ipynb"
    path.write_text(json.dumps(notebook))
    return read(path)


def assert_found(notebook: dict[str, Any], words: str) -> None:
    sentences = faults(notebook)
    assert len(sentences) == 1, sentences
    assert words in sentences[0]


LONG = ["def long():", *(f"    x = {n}" for n in range(10))]
STREAM = {"output_type": "stream", "name": "stdout", "text": "1"}
MANY = " ".join(["word"] * 900)
BAD = {
    "too many words": (markdown("text", MANY), "902 words before its exercises"),
    "output": (code("run", "1", outputs=[STREAM]), "output is stored"),
    "execution count": (code("run", "1", execution_count=3), "execution count is stored"),
    "id of JupyterLab": (code("1fe0a2b4", "1"), "id says nothing"),
    "longer id of JupyterLab": (code("b0e3d9aa-5a3f-4c2e-9f27-0f0a", "1"), "id says nothing"),
    "id of Colab": (code("aBcDeFgHiJkL", "1"), "id says nothing"),
    "id that is a number": (code("3", "1"), "id says nothing"),
    "id twice": (markdown("title", "words"), "another cell has this id"),
    "metadata of an editor": (markdown("text", "words", collapsed=True), "'collapsed' may not"),
    "metadata of jupyter": (markdown("text", "words", jupyter={"outputs_hidden": True}),
                            "'jupyter.outputs_hidden' may not"),
    "level skipped": (markdown("text", "### Deep"), "jumps from level 1 to 3"),
    "long function": (code("run", *LONG), "long has 11 lines"),
    "long function inside": (code("run", "if 1:", *(f"  {line}" for line in LONG)), "11 lines"),
    "long function after a magic": (code("run", "%time 1", *LONG), "long has 11 lines"),
    "no Python": (code("run", "def :"), "no Python"),
    "silent picture": (markdown("text", "![](a.png)"), "no alternative text"),
    "silent picture in HTML": (markdown("text", '<img src="a.png" alt="">'), "alternative text"),
    "no valid cell": ({**code("run", "1"), "source": 7}, "no valid notebook"),
}  # fmt: skip


@pytest.mark.parametrize(("cell", "words"), BAD.values(), ids=BAD.keys())
def test_a_bad_cell_is_found(tmp_path: Path, cell: dict[str, Any], words: str) -> None:
    if words == "no valid notebook":
        assert words in " ".join(is_valid(stored(tmp_path, cell)))
    else:
        assert_found(stored(tmp_path, cell), words)


def test_widget_state_is_found(tmp_path: Path) -> None:
    metadata = {"widgets": {"application/vnd.jupyter.widget-state+json": {"state": {}}}}
    assert any("'widgets' may not" in each for each in faults(stored(tmp_path, metadata=metadata)))


def test_a_stored_python_version_is_found(tmp_path: Path) -> None:
    metadata = {"language_info": {"name": "python", "version": "3.12.1"}}
    assert_found(stored(tmp_path, metadata=metadata), "language_info.version")


def test_a_second_title_is_found(tmp_path: Path) -> None:
    words = " ".join(faults(stored(tmp_path, markdown("second", "# Another"))))
    assert "outside the first cell" in words
    assert "it has 2 titles" in words


def test_a_notebook_without_a_title_is_found(tmp_path: Path) -> None:
    notebook = stored(tmp_path, cells=[markdown("text", "Some words.")])
    assert_found(notebook, "it has 0 titles")


def test_an_old_format_is_found(tmp_path: Path) -> None:
    cell = {"cell_type": "markdown", "metadata": {}, "source": "# A title"}
    words = " ".join(faults(stored(tmp_path, cells=[cell], nbformat_minor=4)))
    assert "older than notebook format 4.5" in words


GOOD = {
    "as many as there may be": markdown("text", MANY[:-10]),
    "many in a fold": markdown("text", "Few.", "<details>", MANY, "</details>"),
    "many behind the exercises": markdown("text", "## Fix it yourself", MANY),
    "code": code("run-off-on", "%pip install x", "!ls", "import labkit as lk", "lk.setup()"),
    "another language": code("listing", "%%bash", "for f in *; do echo $f; done"),
    "short function": code("step", *LONG[:10]),
    "hidden solution": code("solution", "1", metadata={
        "tags": ["hide-input"], "cellView": "form", "jupyter": {"source_hidden": True}}),
    "hash in a code block": markdown("text", "```python", "# no title", "### no heading", "```"),
    "hash in code": code("comment", "# no title"),
    "picture with words": markdown("text", "![a rising curve](a.png) <img src='a' alt='a curve'>"),
    "headings in order": markdown("text", "## One", "### Under it", "## Two"),
    "a link": markdown("text", "[](a.png) is no picture"),
    "ids of words": code("check-2", "1"),
}  # fmt: skip


@pytest.mark.parametrize("cell", GOOD.values(), ids=GOOD.keys())
def test_a_good_cell_is_left_alone(tmp_path: Path, cell: dict[str, Any]) -> None:
    assert faults(stored(tmp_path, cell)) == []


def test_the_metadata_of_a_gpu_notebook_is_left_alone(tmp_path: Path) -> None:
    metadata = {"accelerator": "GPU", "colab": {"provenance": [], "gpuType": "T4"},
                "language_info": {"name": "python"}}  # fmt: skip
    assert faults(stored(tmp_path, metadata=metadata)) == []


def test_a_notebook_is_chosen_by_its_name_and_one_that_is_not_there_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert chosen([f"notebooks/{NOTEBOOKS[1].name}"]) == [NOTEBOOKS[1]]
    assert chosen([]) == NOTEBOOKS
    with pytest.raises(SystemExit, match="2"):
        chosen(["99_nothing.ipynb"])
    assert "'99_nothing.ipynb' is no notebook" in capsys.readouterr().out
