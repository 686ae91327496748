"""A script's imports are as with Python, whatever goes wrong in ours. Tier: make test."""

from __future__ import annotations

import importlib
import importlib.util
import runpy
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

from labkit.measure.clock.source_names import REWRITTEN
from labkit.measure.loops.imports import AfterImport, Sources, compile_imports
from labkit.record import LabkitError
from labkit.record.loop import SourceLoop


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def awaiting(name: str, error: Exception) -> AfterImport:
    def fail() -> None:
        raise error

    return AfterImport({name: fail})


@pytest.fixture
def found() -> Iterator[dict[int, SourceLoop]]:
    """The loops in what is loaded meanwhile, by number."""
    loops: dict[int, SourceLoop] = {}
    patches = compile_imports(Sources(1, loops.__setitem__))
    yield loops
    for patch in patches:
        patch.close()


def by_import(path: Path) -> None:
    importlib.import_module(path.stem)


def by_its_path(path: Path) -> None:
    spec = importlib.util.spec_from_file_location("loaded_by_its_path", path)
    assert spec is not None and spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def by_run_path(path: Path) -> None:
    runpy.run_path(str(path))


def by_run_module(path: Path) -> None:
    runpy.run_module(path.stem)


LOADED = (by_import, by_its_path, by_run_path, by_run_module)
LOOP = "def train():\n    for each in (1, 2):\n        print(each)\n"


@pytest.mark.parametrize("load", LOADED)
def test_a_file_of_the_readers_own_tells_of_its_loops_however_it_is_loaded(
    load: Callable[[Path], None], folder: Path, found: dict[int, SourceLoop]
) -> None:
    path = folder / f"loaded_{load.__name__}.py"
    path.write_text(LOOP)
    load(path)
    assert [(each.file, each.line) for each in found.values()] == [(str(path), 2)]


@pytest.mark.parametrize("load", LOADED)
def test_what_is_no_readers_own_or_has_a_loader_of_its_own_is_loaded_as_python_does(
    load: Callable[[Path], None],
    folder: Path,
    found: dict[int, SourceLoop],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = folder / f"installed_{load.__name__}.py"
    path.write_text(LOOP)
    installed = "labkit.measure.loops.imports.library_folders"
    monkeypatch.setattr(installed, lambda: (f"{folder}/",))
    others: dict[int, SourceLoop] = {}
    patches = compile_imports(Sources(1, others.__setitem__))
    found.clear()

    class Rewriting(SourceFileLoader):
        pass

    load(path)
    Rewriting("rewritten", str(path)).load_module("rewritten")
    for patch in patches:
        patch.close()
    assert others == {}


def test_what_tensorflow_has_rewritten_is_no_file_of_the_readers(
    folder: Path, found: dict[int, SourceLoop]
) -> None:
    path = folder / f"{REWRITTEN}abc.py"
    path.write_text(LOOP)
    by_its_path(path)
    assert found == {}


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
