"""Each repair that labkit can print has two loops, before it and after it. Tier: make test.

No loop is run here: `python -m tools.bench repairs` does that.
"""

from __future__ import annotations

import ast

import pytest

from labkit.show.report.fixes import FIXES
from tests.repairs.pairs import FOLDER, LOOPS, MADE, NUMBERS, alone, pairs

TEXT = '''"""What is wrong."""

import collections

LIMIT = 5


def helper(value):
    return deeper(value)


def deeper(value):
    return value + LIMIT


def other():
    return collections.deque(maxlen=3)


def before_1():
    """A loop."""
    return lambda: helper(1)


def after_1():
    return other
'''


def test_every_repair_has_its_file_and_every_file_its_repair() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} - {"__init__"} == set(FIXES)


@pytest.mark.parametrize("fix", FIXES)
def test_a_repair_has_two_pairs_that_compile_and_differ(fix: str) -> None:
    found = pairs(fix)
    assert [each.number for each in found] == [*NUMBERS]
    assert len({each.loop for each in found}) == len(NUMBERS) and all(each.loop for each in found)
    for each in found:
        assert each.before != each.after
        for source in (each.before, each.after):
            made = [
                node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)
            ]
            assert made.count(MADE) == 1 and not set(made) & set(LOOPS)
            compile(source, f"{fix}.py", "exec")


@pytest.mark.parametrize("fix", FIXES)
def test_a_file_says_its_fault_in_one_line(fix: str) -> None:
    told = ast.get_docstring(ast.parse((FOLDER / f"{fix}.py").read_text(encoding="utf-8")))
    assert told and "\n" not in told


def test_a_loop_alone_has_what_it_needs_and_nothing_of_the_other() -> None:
    before, after = (alone(TEXT, chosen) for chosen in ("before_1", "after_1"))
    assert "import collections" in before and "import collections" in after
    assert "def helper" in before and "def deeper" in before and "LIMIT = 5" in before
    assert "maxlen" not in before and "wrong" not in before
    assert "maxlen" in after and "def helper" not in after and "LIMIT" not in after
    assert before.count(f"def {MADE}(") == after.count(f"def {MADE}(") == 1
