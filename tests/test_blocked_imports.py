"""labkit without TensorFlow, and labkit without widgets: all that needs neither still imports.

Tier: make test. That all imports where nothing is missing is asked in ``test_quiet_import.py``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

# A name that imports fine without widgets is an error too: so this cannot hide what it once had to.
NEEDS_WIDGETS = {"labkit.show.form_view", "labkit.show.live.panel"}

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


def modules() -> list[str]:
    """Return the dotted name of every file of labkit, found without importing any.

    The loops of learners and sources are run by their path and never imported: they are in folders
    that are no packages.
    """
    files = sorted(
        path
        for path in (ROOT / "labkit").rglob("*.py")
        if path.name != "__main__.py" and (path.parent / "__init__.py").is_file()
    )
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in files
    ]


def failed_without(*blocked: str) -> dict[str, str]:
    """Return what cannot be imported in a child that lacks some packages, with the error."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, json.dumps(blocked), json.dumps(modules())],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result: dict[str, str] = json.loads(done.stdout)
    return result


def test_nothing_fails_without_tensorflow() -> None:
    assert failed_without("tensorflow", "keras", "tf_keras") == {}


def test_only_what_shows_widgets_fails_without_them() -> None:
    failed = failed_without("anywidget", "ipywidgets", "IPython")
    assert set(failed) == NEEDS_WIDGETS, failed


def test_the_record_and_the_causes_need_no_package_at_all() -> None:
    """A saved run must be readable anywhere, and a lesson's text as well."""
    failed = failed_without(
        "tensorflow", "keras", "numpy", "scipy", "psutil", "matplotlib", "ipywidgets", "anywidget",
        "click", "tqdm",
    )  # fmt: skip
    assert not [name for name in failed if name.startswith(("labkit.record", "labkit.cause"))]
