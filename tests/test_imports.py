"""Importing labkit changes nothing in the reader's kernel, and needs no more than it must.

Tier: make test, in turn.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.in_turn

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
    chosen = "import importlib, matplotlib; matplotlib.use('svg')\n"
    everywhere = f"for name in {modules()!r}: importlib.import_module(name)\n"
    nothing, everything = report_after(""), report_after(chosen + everywhere)
    assert everything["backend"] == "svg"
    assert not {"tensorflow", "keras"} & set(everything["heavy"])  # type: ignore[call-overload]
    for key in ("threads", "environment", "signals", "excepthook"):
        assert everything[key] == nothing[key], key


def test_a_command_does_not_wait_for_what_judging_needs() -> None:
    """A script that is diagnosed whole is begun a second earlier, and judged when it ends."""
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from labkit.cli.commands import diagnosing; "
         "from labkit.cli import program; print(*sys.modules)"],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    modules = set(done.stdout.split())
    assert "labkit.bench.bench" in modules
    assert not {"numpy", "scipy", "labkit.stats", "labkit.diagnosis", "labkit.show"} & modules


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
        "click", "tqdm", "rcssmin", "rjsmin",
    )  # fmt: skip
    assert not [name for name in failed if name.startswith(("labkit.record", "labkit.cause"))]


@pytest.mark.parametrize("delay_seconds", [0.02, 0.1, 0.2])
def test_an_interrupt_while_a_name_is_looked_up_leaves_all_names_usable(
    delay_seconds: float,
) -> None:
    """Recorded: NumPy cannot be imported again where an interrupt ended its import half-way."""
    program = (
        "import os, signal, threading, labkit as lk\n"
        f"threading.Timer({delay_seconds}, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    lk.compare; threading.Event().wait(20)\n"
        "except KeyboardInterrupt:\n    pass\n"
        "print(lk.compare.__name__, lk.run.__name__)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "compare run\n", done.stderr
