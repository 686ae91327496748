"""Importing labkit changes nothing in the reader's kernel. Tier: make test."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent

REPORT = """
import json, os, signal, sys, threading
print(json.dumps({
    "heavy": sorted(set(sys.modules) & {
        "tensorflow", "keras", "ipywidgets", "anywidget", "IPython", "matplotlib", "numpy", "scipy",
        "psutil", "click", "tqdm",
    }),
    "threads": threading.active_count(),
    "environment": sorted(set(os.environ.items()) ^ before),
    "signals": [str(signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM)],
    "excepthook": sys.excepthook is sys.__excepthook__,
    "backend": sys.modules["matplotlib"].rcParams["backend"] if "matplotlib" in sys.modules else "",
}))
"""
BEFORE = "import os; before = set(os.environ.items())\n"
EVERYTHING = """
import importlib, pathlib
for path in sorted(pathlib.Path("labkit").rglob("*.py")):
    if path.name != "__main__.py" and (path.parent / "__init__.py").is_file():
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        importlib.import_module(name)
"""


@cache
def report_after(source: str) -> dict[str, object]:
    """Run some lines in a fresh interpreter and return what they left changed."""
    done = subprocess.run(
        [sys.executable, "-c", BEFORE + source + REPORT],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result: dict[str, object] = json.loads(done.stdout)
    return result


def test_importing_labkit_changes_nothing() -> None:
    """The whole report equals that of an interpreter that imported nothing."""
    assert report_after("import labkit") == report_after("")


def test_asking_for_the_names_loads_nothing_either() -> None:
    assert report_after("import labkit; dir(labkit); labkit.__all__") == report_after("")


def test_every_room_can_be_imported_and_starts_no_thread_and_no_tensorflow() -> None:
    """Packages may be loaded here; threads, signals, hooks and environment stay as before."""
    chosen = "import matplotlib; matplotlib.use('svg')\n"
    nothing, everything = report_after(""), report_after(chosen + EVERYTHING)
    assert everything["backend"] == "svg"
    assert not {"tensorflow", "keras"} & set(everything["heavy"])  # type: ignore[call-overload]
    for key in ("threads", "environment", "signals", "excepthook"):
        assert everything[key] == nothing[key], key


def test_what_does_change_something_is_seen() -> None:
    """Else a report that never shows a change would keep all of the above green."""
    changed = report_after("""
import os, threading, time, sys, signal, matplotlib
threading.Thread(target=time.sleep, args=(1,)).start()
os.environ["SEEN"] = "1"
signal.signal(signal.SIGTERM, signal.SIG_IGN)
matplotlib.use("pdf")
""")
    nothing = report_after("")
    assert [key for key in nothing if nothing[key] != changed[key]] == [
        "heavy", "threads", "environment", "signals", "backend",
    ]  # fmt: skip
