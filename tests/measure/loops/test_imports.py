"""A script's imports are as with Python, whatever goes wrong in ours. Tier: make test."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from labkit.measure.loops.imports import AfterImport, ReaderModules, Sources
from labkit.record import LabkitError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def awaiting(name: str, error: Exception) -> AfterImport:
    def fail() -> None:
        raise error

    return AfterImport({name: fail})


def test_what_is_built_into_python_comes_before_a_file_of_its_name(folder: Path) -> None:
    finder = ReaderModules(Sources(1, lambda number, loop: None))
    built_in = next(name for name in sys.builtin_module_names if name != "builtins")
    for name in (built_in, "zipimport", "mine"):  # built in, frozen, the reader's own
        (folder / f"{name}.py").write_text("")
    found = [finder.find_spec(name, None) for name in (built_in, "zipimport", "mine")]
    assert found[:2] == [None, None]
    assert found[2] is not None and found[2].origin == str(folder / "mine.py")


def test_a_fault_of_ours_after_an_import_leaves_the_module_as_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "awaited_one.py").write_text("value = 1\n")
    kits = LabkitError("raised here, in no file of a program")
    monkeypatch.setattr("labkit.measure.clock.source_names.KIT", str(Path(__file__)))
    monkeypatch.setattr(sys, "meta_path", [awaiting("awaited_one", kits), *sys.meta_path])
    assert importlib.import_module("awaited_one").value == 1


def test_an_error_of_the_programs_own_goes_to_the_program(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "awaited_two.py").write_text("value = 1\n")
    alarm = awaiting("awaited_two", TimeoutError("the program's alarm"))
    monkeypatch.setattr(sys, "meta_path", [alarm, *sys.meta_path])
    with pytest.raises(TimeoutError):
        importlib.import_module("awaited_two")
