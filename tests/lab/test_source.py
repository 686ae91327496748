"""One reads what a step does before the first curve, and the rest if one likes.

Tier: make test.
"""

from __future__ import annotations

import ast

import pytest

import labkit as lk
from labkit.causes import SLUGS
from labkit.lab.source import MOST_LINES
from labkit.record import ChoiceError


def test_the_source_is_plain_tensorflow_without_the_framework() -> None:
    shown = lk.source("graph_growth")
    assert "tf.matmul" in shown.step and "def make_step(" in shown.whole
    assert "labkit" not in shown.whole and repr(shown) == shown.whole


@pytest.mark.parametrize("slug", sorted({*SLUGS} - {"memory_limit"}))
def test_what_a_step_does_is_a_few_lines_and_is_python(slug: str) -> None:
    shown = lk.source(slug)
    assert len(shown.step.splitlines()) <= MOST_LINES
    assert "def step() -> " in shown.step
    ast.parse(shown.step.replace("nonlocal ", "global "))
    ast.parse(shown.whole)


def test_what_a_toggle_changes_is_shown_before_what_it_does_not() -> None:
    assert "def end_epoch()" in lk.source("fragmentation").step
    assert "def pipeline(" in lk.source("input_pipeline").step


def test_a_loop_whose_step_has_no_name_shows_what_makes_it() -> None:
    shown = lk.source("memory_limit")
    assert shown.step.startswith("def make_step(") and shown.step != shown.whole


def test_a_notebook_folds_the_rest() -> None:
    told = lk.source("observer")._repr_markdown_()
    assert told.startswith("```python\n") and told.index("def step(") < told.index("<details>")
    assert told.index("<details>") < told.index("def make_step(") < told.index("</details>")
    assert told.count("```") == 4


def test_a_loop_that_does_not_exist_is_refused_with_the_list() -> None:
    with pytest.raises(ChoiceError, match="graph_growth"):
        lk.source("graph_grwth")
