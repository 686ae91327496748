"""A reader's own file is looked at without being run, and what it lacks is said with the lines.

Tier: make test.
"""

from __future__ import annotations

import importlib.util
import marshal
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from labkit.cause import names_defined, own_loop, run_file
from labkit.causes import SLUGS
from labkit.record import LabkitError

LOOP = """
from dataclasses import dataclass

import beside_it

@dataclass
class Batch:
    size: int

def make_step():
    batch = Batch(beside_it.SIZE)
    return lambda: batch.size
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def written(folder: Path, text: str, name: str = "my_loop.py") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "text",
    (
        "def make_step(): ...",
        "async def make_step(): ...",
        "make_step = print",
        "from elsewhere import make_step",
        "from elsewhere import build as make_step",
        "try:\n    import a\nexcept ImportError:\n    def make_step(): ...",
        "a, (make_step, *c) = 1, (2, 3)",
    ),
)
def test_make_step_is_found_however_it_is_defined(folder: Path, text: str) -> None:
    assert "make_step" in names_defined(written(folder, text))


@pytest.mark.parametrize(
    "text",
    (
        "",
        "def make_steps(): ...",
        "'''def make_step(): ...'''",
        "# def make_step(): ...",
        "class A:\n    def make_step(self): ...",
        "def other():\n    make_step = 1",
    ),
)
def test_a_file_without_it_is_told_the_three_lines(folder: Path, text: str) -> None:
    path = written(folder, text)
    with pytest.raises(LabkitError, match=r"my_loop\.py defines no make_step") as error:
        own_loop(path)
    assert "def make_step():\n    ..." in str(error.value) and "return train_step" in str(
        error.value
    )


def test_a_file_is_not_run_before_its_loop_is_built(folder: Path) -> None:
    path = written(folder, "raise SystemExit('ran')\ndef make_step(): ...")
    cause = own_loop(path)
    assert (cause.slug, cause.title) == ("my_loop.py", "my_loop.py")


def test_what_make_step_returns_must_be_a_function(folder: Path) -> None:
    path = written(folder, "def make_step():\n    return 3")
    with pytest.raises(LabkitError, match=r"returned int, not a function; return the function"):
        own_loop(path).make_step(SimpleNamespace(), seed=0)


@pytest.mark.parametrize(
    ("step", "kind"),
    (
        ("async def step(): pass", "an async function"),
        ("def step():\n        yield 1", "a generator function"),
    ),
)
def test_a_step_of_which_a_call_only_begins_is_refused(folder: Path, step: str, kind: str) -> None:
    path = written(folder, f"def make_step():\n    {step}\n    return step")
    with pytest.raises(LabkitError, match=f"returned {kind}, and calling it does nothing yet"):
        own_loop(path).make_step(SimpleNamespace(), seed=0)


def test_a_pipe_is_refused_and_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "loop.py")
    with pytest.raises(LabkitError, match=r"loop.py' is a pipe or a device; give the path of a"):
        names_defined(folder / "loop.py")


@pytest.mark.parametrize(
    ("text", "words"),
    (
        ("def make_step(:", "is not Python in line 1"),
        ("def make_step(): ...\0", r"is not Python \(source code"),
    ),
)
def test_what_is_not_python_is_said_with_its_line(folder: Path, text: str, words: str) -> None:
    with pytest.raises(LabkitError, match=words):
        names_defined(written(folder, text))


def test_a_file_that_is_not_there_is_named(folder: Path) -> None:
    with pytest.raises(LabkitError, match=r"There is no file .*gone\.py"):
        names_defined(folder / "gone.py")


def test_a_file_is_compiled_anew_whatever_lies_in_its_folder(tmp_path: Path) -> None:
    """Recorded: another account's bytecode was run, and an edit of the same size was not seen."""
    file = tmp_path / "loop.py"
    file.write_text("NUMBER = 1\n")
    planted = compile("NUMBER = 2\n", str(file), "exec")
    cache = Path(importlib.util.cache_from_source(str(file)))
    cache.parent.mkdir()
    unchecked = importlib.util.MAGIC_NUMBER + b"\1\0\0\0" + bytes(8) + marshal.dumps(planted)
    cache.write_bytes(unchecked)
    assert run_file(file, "labkit_compiled_anew").NUMBER == 1
    assert cache.read_bytes() == unchecked
    cache.unlink()
    run_file(file, "labkit_compiled_anew")
    assert list(cache.parent.iterdir()) == []


def test_a_loop_in_a_file_that_is_named_like_a_cause_is_not_that_cause(folder: Path) -> None:
    """Recorded: the course's recordings of History were played for a reader's ``history.py``."""
    (folder / "history.py").write_text("def make_step():\n    return lambda: None\n")
    assert own_loop(folder / "history.py").slug not in SLUGS


@pytest.mark.parametrize("arguments", ["", "seed=0", "*, seed=0", "*all, **named"])
def test_a_make_step_that_needs_no_argument_is_labkits(folder: Path, arguments: str) -> None:
    text = f"def make_step({arguments}):\n    return print\n"
    assert "make_step" in names_defined(written(folder, text))


@pytest.mark.parametrize("arguments", ["model", "model, rate=0.1", "*, rate", "model, /"])
def test_one_that_must_be_given_something_is_the_readers_own(folder: Path, arguments: str) -> None:
    """Recorded: such a script was taken for a loop, and failed in its first line."""
    text = f"def make_step({arguments}):\n    return print\n"
    assert "make_step" not in names_defined(written(folder, f"{text}make_step(1)\n"))
    # Where nothing else is done it is meant for labkit, which then says what is wrong.
    assert "make_step" in names_defined(written(folder, f'"""A loop."""\n{text}'))
