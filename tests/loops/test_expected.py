"""The table of expectations and the loop files agree, and no file gives itself away.

Tier: make test. No loop is run here.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import get_args

import pytest

from labkit.record.verdict import Label
from tests.loops.expected import EVERY, FOLDER, HELD_OUT, LOOPS, SLOW_TO_SHOW, Expectation
from tools.bench.diagnosis.injected import FAULTS

FILES = sorted(FOLDER.rglob("loop_*.py"))
# What design.md lets a diagnosis name.
CAUSES = {
    "graph_growth", "session_churn", "retracing", "open_tape", "fragmentation", "garbage",
    "checkpoint_io", "input_pipeline", "host_transfer", "history", "kept_objects", "observer",
    "memory_limit", "work_growth",
}  # fmt: skip
TELLING = re.compile(
    r"leak|slow|grow|retrac|registr|(?<!de)fault|health|bug|wrong|mistake|fix|spike|cause|finding"
    r"|verdict|kept|forever|unclosed|garbage|fragment|churn|expected|labkit",
    re.IGNORECASE,
)


def test_every_file_has_its_row_and_every_row_its_file() -> None:
    assert sorted(each.path for each in EVERY) == FILES


def test_held_out_loops_are_in_their_own_folder() -> None:
    assert all(each.held_out for each in HELD_OUT)
    assert not any(each.held_out for each in LOOPS)


def test_enough_held_out_loops_have_nothing_to_be_found() -> None:
    assert len(HELD_OUT) >= 24
    assert sum(each.healthy for each in HELD_OUT) >= 9


@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.file)
def test_a_row_speaks_the_words_of_the_product(each: Expectation) -> None:
    assert each.labels and set(each.labels) <= set(get_args(Label))
    assert {*each.first, *each.tolerated} <= CAUSES
    assert not set(each.first) & set(each.tolerated)


@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.file)
def test_a_row_does_not_contradict_itself(each: Expectation) -> None:
    assert (each.leaking == "no") <= (not each.keeps)
    assert (each.leaking == "yes") <= bool(each.keeps and each.first)
    if each.slower:
        slower = set(each.labels) <= {"slowdown", "shift"}
        assert each.first and (slower or each.labels == SLOW_TO_SHOW)


def test_injected_faults_are_causes_of_the_product() -> None:
    assert set(FAULTS) <= CAUSES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_loop_defines_make_step_without_arguments(path: Path) -> None:
    tree = ast.parse(path.read_text())
    compile(tree, str(path), "exec")
    made = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert not ast.unparse(made["make_step"].args)
    assert any(isinstance(node, ast.Return) for node in made["make_step"].body)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_loop_does_not_say_what_is_the_matter_with_it(path: Path) -> None:
    text = path.read_text()
    assert TELLING.findall(text) == []
    assert not any(ast.get_docstring(node) for node in ast.walk(ast.parse(text)) if _may_tell(node))
    assert re.findall(r"#(?! noqa)", text) == []


def test_a_telling_word_is_seen() -> None:
    assert TELLING.search("losses = []  # never cleared, so this leaks")


def _may_tell(node: ast.AST) -> bool:
    return isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
