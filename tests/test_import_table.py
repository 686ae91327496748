"""The import table of the house, held against the code; and the checker, held against bad trees.

Tier: make test.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.import_table import LEVELS, violations

ROOT = Path(__file__).parent.parent / "labkit"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small labkit with a file in every room that the tests below import from."""
    root = tmp_path / "labkit"
    for name in ("record/run.py", "stats/judge.py", "measure/clock.py", "show/panel.py"):
        _write(root, name, "")
    for name in ("__init__.py", "cause.py", "cli.py", "lab/lab.py", "bench/worker.py"):
        _write(root, name, "")
    return root


def _write(root: Path, name: str, source: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)


def assert_found(root: Path, name: str, source: str, words: str) -> None:
    _write(root, name, source)
    sentences = violations(root)
    assert len(sentences) == 1, sentences
    assert sentences[0].startswith(name)
    assert words in sentences[0]


def assert_quiet(root: Path, name: str, source: str) -> None:
    _write(root, name, source)
    assert violations(root) == []


def test_labkit_keeps_the_table() -> None:
    assert violations(ROOT) == []


def test_the_rooms_on_the_lower_floors_are_all_there() -> None:
    """Else a renamed room would leave the table checking nothing."""
    for room in [room for room, level in LEVELS.items() if level <= 4]:
        assert (ROOT / room).is_dir() or (ROOT / f"{room}.py").is_file(), room


UPWARD = {
    "plain": "import labkit.lab.lab",
    "from a module": "from labkit.lab.lab import Lab",
    "from the package": "from labkit import lab",
    "the package itself": "import labkit",
    "a public name": "from labkit import Run",
    "everything": "from labkit import *",
    "relative": "from ..lab import lab",
    "relative, the package": "from .. import lab",
    "under another name": "import labkit.lab as other",
    "in a function": "def f():\n    from labkit.lab import lab",
    "in a method": "class A:\n    def f(self):\n        import labkit.lab",
    "in a try": "try:\n    import labkit.lab\nexcept ImportError:\n    pass",
    "for types only": "if TYPE_CHECKING:\n    import labkit.lab",
    "by name": "import importlib\nimportlib.import_module('labkit.lab.lab')",
    "by a name put together": "import_module(f'labkit.lab.{x}')",
    "by the builtin": "__import__('labkit.lab')",
}


@pytest.mark.parametrize("source", UPWARD.values(), ids=UPWARD.keys())
def test_an_import_that_points_up_is_found(tree: Path, source: str) -> None:
    assert_found(tree, "show/view.py", source, "show (level 4) may not import")


SIDEWAYS = [("show", "bench.worker"), ("bench", "show.panel"), ("stats", "measure.clock")]


@pytest.mark.parametrize(("room", "other"), SIDEWAYS)
def test_an_import_between_strangers_is_found(tree: Path, room: str, other: str) -> None:
    assert_found(tree, f"{room}/new.py", f"import labkit.{other}", f"{room} (level")


def test_a_file_in_no_room_is_found(tree: Path) -> None:
    assert_found(tree, "utils.py", "", "utils is no room")
    assert_found(tree, "utils.py", "import labkit.lab", "utils is no room")


def test_a_folder_that_is_no_room_is_found(tree: Path) -> None:
    assert_found(tree, "extras/thing.py", "", "extras is no room")


def test_an_import_of_a_file_in_no_room_is_found(tree: Path) -> None:
    _write(tree, "show/view.py", "from labkit import extra")
    _write(tree, "extra.py", "")
    assert any("may not import extra" in sentence for sentence in violations(tree))


@pytest.mark.parametrize("source", ["import numpy", "def f():\n    from numpy import array"])
@pytest.mark.parametrize("name", ["record/extra.py", "cause.py"])
def test_a_package_from_outside_is_found_on_the_lowest_floors(
    tree: Path, name: str, source: str
) -> None:
    assert_found(tree, name, source, "standard library only, not numpy")


AT_IMPORT = ["import tensorflow as tf", "from keras import layers", "class A:\n    import keras",
             "try:\n    import tensorflow.python\nexcept ImportError:\n    pass"]  # fmt: skip


@pytest.mark.parametrize("source", AT_IMPORT)
def test_tensorflow_outside_a_function_is_found(tree: Path, source: str) -> None:
    assert_found(tree, "bench/worker.py", source, "outside a function")


LEGAL = {
    "down": "from labkit.record import Run",
    "down, relative": "from ..record.run import Run",
    "down, from the package": "from labkit import record, cause",
    "its own room": "from labkit.show.panel import Panel",
    "its own room, relative": "from . import panel",
    "outside": "import numpy as np\nfrom anywidget import AnyWidget",
    "tensorflow in a function": "def f():\n    import tensorflow as tf\n    return tf",
    "a name that only sounds like it": "import labkits.lab\nimport tensorflow_like",
    "its own name put together": "import_module(f'labkit.show.{x}')",
    "a name nobody can know": "import_module(name)",
    "words in a text": "'''import labkit.lab'''\n# import labkit.cli",
}


@pytest.mark.parametrize("source", LEGAL.values(), ids=LEGAL.keys())
def test_a_legal_import_is_left_alone(tree: Path, source: str) -> None:
    assert_quiet(tree, "show/view.py", source)


@pytest.mark.parametrize("name", ["cli.py", "__init__.py"])
def test_the_top_floor_may_import_the_lab(tree: Path, name: str) -> None:
    assert_quiet(tree, name, "from labkit.lab.lab import Lab\nfrom labkit.show import panel")


def test_the_two_on_the_top_floor_are_strangers(tree: Path) -> None:
    assert_found(tree, "cli.py", "import labkit", "cli (level 7) may not import __init__")


def test_the_lowest_floor_may_use_the_standard_library(tree: Path) -> None:
    assert_quiet(tree, "record/extra.py", "import json\nfrom collections.abc import Mapping")
