"""``%diagnose`` and ``%%diagnose`` in IPython: a script, and a cell's own loop.

Tier: make test, in turn.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

import labkit as lk
from labkit.course.cells import LINE_OPTIONS, read_options
from labkit.lab.own_loop.diagnosed import Diagnosed
from tests.lab.loop_file import SMALL

pytestmark = pytest.mark.in_turn

FAILING = """
import tensorflow as tf

def make_step():
    def step():
        raise ValueError("went wrong")

    return step
"""


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    made = InteractiveShell.instance()
    made.history_manager.enabled = False  # type: ignore[union-attr]
    yield made
    InteractiveShell.clear_instance()


@pytest.fixture
def knowing(shell: InteractiveShell) -> InteractiveShell:
    shell.run_cell("%load_ext labkit").raise_error()
    return shell


def told(shell: InteractiveShell, cell: str) -> Diagnosed:
    """Run a cell and return what it shows."""
    result = shell.run_cell(cell)
    result.raise_error()
    assert isinstance(result.result, Diagnosed)
    return result.result


def refused(shell: InteractiveShell, cell: str) -> str:
    """Run a cell that is refused and return the sentence; there must be no other error."""
    error = shell.run_cell(cell).error_in_exec
    assert isinstance(error, UsageError), error
    return str(error)


def test_labkit_alone_makes_no_magic_known_and_loading_it_does(shell: InteractiveShell) -> None:
    shell.run_cell("import labkit").raise_error()
    assert shell.find_cell_magic("diagnose") is None
    shell.run_cell("%load_ext labkit").raise_error()
    assert shell.find_cell_magic("diagnose") is not None


def test_setup_makes_it_known_too(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    lk.setup()
    assert shell.find_cell_magic("diagnose") is not None
    assert "ready: " in capsys.readouterr().out


def test_a_cell_is_run_alone_and_leaves_no_file_behind(
    knowing: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    said = told(knowing, f"%%diagnose --steps 60\n{SMALL}")
    assert said.run.title == "this cell" and len(said.run.steps) == 60
    assert said.run.state.name == "done"
    assert "make_step" not in knowing.user_ns
    assert list(tmp_path.glob("labkit-cell-*")) == []


def test_an_error_names_the_line_that_is_seen_in_the_cell(knowing: InteractiveShell) -> None:
    cell = f"%%diagnose\n{FAILING}"
    said = told(knowing, cell)
    assert said.run.state.reason == "The loop raised ValueError: went wrong"
    line = next(at for at, text in enumerate(cell.splitlines(), 1) if "raise" in text)
    (place,) = re.findall(r'File "this cell", line (\d+), in step', said.run.state.traceback)
    assert int(place) == line
    assert 'raise ValueError("went wrong")' in said.run.state.traceback


def test_a_name_of_the_notebook_is_not_there_and_the_sentence_says_why(
    knowing: InteractiveShell,
) -> None:
    knowing.run_cell("elsewhere = 3").raise_error()
    said = told(knowing, "%%diagnose\ndef make_step():\n    return lambda: elsewhere")
    assert "NameError" in said.run.state.reason
    assert "import in it what it uses" in said.run.state.reason


def test_a_cell_without_make_step_is_told_the_three_lines(knowing: InteractiveShell) -> None:
    sentence = refused(knowing, "%%diagnose\nx = 1")
    assert sentence.startswith("this cell defines no make_step()")
    assert sentence.endswith(
        "def make_step():\n    ...  # build the model and the data here\n    return train_step"
    )


def test_a_cell_that_is_not_python_is_told_its_line(knowing: InteractiveShell) -> None:
    assert "this cell is not Python in line 3" in refused(knowing, "%%diagnose\nx = 1\ndef (:\n")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--step 3", ["'--step'", "--steps, --seconds"]),
        ("300", ["'300'", "--steps, --seconds"]),
        ("--steps", ["--steps", "a whole number"]),
        ("--steps many", ["'many'", "a whole number"]),
        ("--seconds=x", ["'x'", "a number"]),
        ("--seconds 0.1", ["0.1", "from 1 to 3,600"]),
        ("--steps 0", ["0", "from 1 to 1,000,000"]),
    ],
)
def test_a_wrong_option_is_one_sentence(
    knowing: InteractiveShell, options: str, words: list[str]
) -> None:
    sentence = refused(knowing, f"%%diagnose {options}\n{SMALL}")
    assert "\n" not in sentence and all(word in sentence for word in words), sentence


def test_a_cell_with_a_mended_loop_shows_itself_in_words(knowing: InteractiveShell) -> None:
    shown: Any = told(knowing, f"%%diagnose --steps 200\n{SMALL}")._repr_mimebundle_()
    assert "this cell" in shown["text/plain"]


SCRIPT = """
import sys
import tensorflow as tf
w = tf.Variable(tf.zeros([8, 8]))

@tf.function
def train():
    w.assign_add(tf.random.normal([8, 8]))

for step in range(int(sys.argv[1])):
    train()
"""


@pytest.mark.parametrize("named", ["train.py", "-m train"])
def test_a_script_is_diagnosed_in_a_line(
    knowing: InteractiveShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    (tmp_path / "train.py").write_text(SCRIPT)
    monkeypatch.chdir(tmp_path)
    said = told(knowing, f"%diagnose --whole {named} -- 40")
    assert len(said.run.steps) == 39
    assert said.diagnosis.loop is not None and said.diagnosis.loop.kind == "for"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("%diagnose", "Nothing to diagnose was named"),
        ("%diagnose -- 3", "Nothing to diagnose was named"),
        ("%diagnose --stop 3 train.py", "There is no option of %diagnose '--stop'"),
        ("%diagnose --seconds soon train.py", "--seconds 'soon' is not allowed; give a number"),
        ("%diagnose not_there.py", "not_there.py"),
        ("%diagnose 'train.py", "cannot be read"),
    ],
)
def test_what_is_wrong_in_the_line_is_one_sentence(
    knowing: InteractiveShell, line: str, sentence: str
) -> None:
    assert sentence in refused(knowing, line)


@pytest.mark.parametrize("words", [["--step", "my runs/a=b.py:3"], ["--step=my runs/a=b.py:3"]])
def test_a_place_keeps_its_spaces_and_signs(words: list[str]) -> None:
    assert read_options(words, LINE_OPTIONS) == {"step": "my runs/a=b.py:3"}
