"""labkit without TensorFlow, and labkit without widgets: all that needs neither still imports.

Tier: make test. That all imports where nothing is missing is asked in ``test_quiet_import.py``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# What may fail without the packages named. A name that imports fine without them is an error too,
# so these lists cannot hide what they once had to.
MAY_NEED_TENSORFLOW: set[str] = set()
MAY_NEED_WIDGETS = {"labkit.show.form_view", "labkit.show.live.panel"}

CHILD = """
import importlib, json, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BLOCKED:
            raise ImportError(f"{name} is blocked", name=name)

BLOCKED, modules = json.loads(sys.argv[1]), json.loads(sys.argv[2])
sys.meta_path.insert(0, Blocked())
failed = {}
for name in modules:
    try:
        importlib.import_module(name)
    except Exception as error:
        failed[name] = repr(error)
print(json.dumps(failed))
"""


def modules(root: Path) -> list[str]:
    """Return the dotted name of every file of a package, found without importing any.

    The loops of learners and sources are run by their path and never imported: they are in folders
    that are no packages.
    """
    files = sorted(
        path
        for path in root.rglob("*.py")
        if path.name != "__main__.py" and (path.parent / "__init__.py").is_file()
    )
    return [
        ".".join(path.relative_to(root.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in files
    ]


def failed_without(blocked: list[str], root: Path = ROOT / "labkit") -> dict[str, str]:
    """Return what cannot be imported in a child that lacks some packages, with the error."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, json.dumps(blocked), json.dumps(modules(root))],
        cwd=root.parent, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result: dict[str, str] = json.loads(done.stdout)
    return result


def assert_only(allowed: set[str], failed: dict[str, str]) -> None:
    assert {name: why for name, why in failed.items() if name not in allowed} == {}
    assert allowed - set(failed) == set(), "these import fine now: take them off the list"


def test_only_what_may_need_tensorflow_fails_without_it() -> None:
    assert_only(MAY_NEED_TENSORFLOW, failed_without(["tensorflow", "keras", "tf_keras"]))


def test_only_what_may_need_widgets_fails_without_them() -> None:
    assert_only(MAY_NEED_WIDGETS, failed_without(["anywidget", "ipywidgets", "IPython"]))


def test_the_record_and_the_causes_need_no_package_at_all() -> None:
    """A saved run must be readable anywhere, and a lesson's text as well."""
    outside = ["numpy", "scipy", "psutil", "matplotlib", "ipywidgets", "anywidget", "click", "tqdm"]
    failed = failed_without(["tensorflow", "keras", *outside])
    assert not [name for name in failed if name.startswith(("labkit.record", "labkit.cause"))]


def test_a_module_that_needs_what_is_blocked_is_found(tmp_path: Path) -> None:
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "__init__.py").write_text("")
    (tmp_path / "small" / "needs.py").write_text("import colorsys.deep")
    (tmp_path / "small" / "guarded.py").write_text(
        "try:\n    import colorsys\nexcept ImportError: 0"
    )
    assert set(failed_without(["colorsys"], tmp_path / "small")) == {"small.needs"}


def test_a_name_that_no_longer_belongs_on_the_list_is_found() -> None:
    with pytest.raises(AssertionError, match="take them off the list"):
        assert_only({"labkit.cause"}, {})
