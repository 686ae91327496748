"""A run with its diagnosis: printed, as JSON, in a notebook, and saved as a file.

Tier: make test. No loop is run: runs and diagnoses are made up.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from labkit.causes import SLUGS, load
from labkit.diagnosis import unsampled
from labkit.lab.own_loop.diagnosed import Diagnosed
from labkit.record import Column, LabkitError, Steps
from labkit.show.report.cause_words import CAUSE_WORDS, NEAREST_LABS, lab_of
from tests.show import told
from tests.show.markup_tree import read

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"


def diagnosed(sampled: int = 0) -> Diagnosed:
    """Return a run some of whose steps were looked at closely, and took ten times as long."""
    run = told.run()
    columns = {name: np.array(run.steps.column(name)) for name in run.steps.names}
    columns["sampled"] = np.zeros(len(run.steps))
    places = np.arange(50, 50 + 10 * sampled, 10)
    columns["sampled"][places] = 1
    columns["seconds"][places] *= 10
    more = (*run.columns, Column("sampled", "looked at closely", "", "machine"))
    run = replace(run, columns=more, steps=Steps(columns))
    return Diagnosed(replace(told.ill(unsampled(run)), run=run))


def test_a_notebook_gets_words_and_a_view() -> None:
    shown = diagnosed()._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html"}
    assert shown["text/plain"] == str(diagnosed())
    root = read(shown["text/html"])
    assert len(root.every("svg")) == 1 and "Graph growth" in root.text
    assert not root.every("html") and not root.every("a")


def test_steps_that_were_looked_at_closely_are_counted_and_not_drawn() -> None:
    page = read(diagnosed(7)._repr_mimebundle_()["text/html"])
    assert "593, and 7 more that were looked at closely and left out" in page.text
    assert "above the scale" not in page.text
    left_out = "left out: 7 steps that labkit looked at closely"
    assert f"done after 600 steps\n  {left_out}" in str(diagnosed(7))


def test_where_none_was_looked_at_closely_nothing_is_said_of_it() -> None:
    assert "looked at closely" not in diagnosed()._repr_mimebundle_()["text/html"]


def test_the_json_can_be_read_back() -> None:
    made = json.loads(json.dumps(diagnosed().as_json(), allow_nan=False))
    assert [finding["cause"] for finding in made["findings"]] == ["graph_growth", "kept_objects"]


def test_a_file_is_written_and_can_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    assert diagnosed().save(path) == path
    assert read(path.read_text("utf-8")).every("title")[0].text == "loop.py: labkit report"
    assert os.listdir(tmp_path) == ["report.html"], "nothing half written stays behind"


def test_a_file_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere" / "report.html"
    with pytest.raises(LabkitError, match=r"nowhere.*No such file.*choose a folder that exists"):
        diagnosed().save(missing)
    with pytest.raises(LabkitError, match=r"is a folder; give the name of a file.*report\.html"):
        diagnosed().save(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(LabkitError, match="Not a directory"):
        diagnosed().save(tmp_path / "file" / "report.html")
    assert os.listdir(tmp_path) == ["file"]


def test_labs_are_notebooks_that_are_there() -> None:
    found = {slug: lab_of(slug) for slug in CAUSE_WORDS}
    without = {slug for slug, nearest in NEAREST_LABS.items() if not nearest}
    assert {slug for slug, name in found.items() if not name} == without
    assert all((NOTEBOOKS / name).is_file() for name in found.values() if name)


def test_a_cause_is_called_what_its_lab_calls_it() -> None:
    for slug, words in CAUSE_WORDS.items():
        if slug in SLUGS:
            assert words.title == load(slug).title
