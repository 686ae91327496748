"""labkit: a teaching kit that shows why TensorFlow training loops slow down.

Importing it changes nothing and loads next to nothing: each name below is found when it is used.
PYTEST_DONT_REWRITE: a script that runs pytest finds it imported, and that is no reason to warn.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what an editor knows of the names below
    from labkit.claims.runner import trial as trial
    from labkit.course.calibration import calibration as calibration
    from labkit.course.check.selfcheck import selfcheck as selfcheck
    from labkit.course.check.setup import setup as setup
    from labkit.course.classroom.classroom import classroom as classroom
    from labkit.course.exercises.attempt import hint as hint
    from labkit.course.exercises.attempt import solution as solution
    from labkit.course.mystery.mystery import mystery as mystery
    from labkit.course.predictions.predict import predict as predict
    from labkit.course.predictions.predict import reveal as reveal
    from labkit.course.progress.progress import progress as progress
    from labkit.course.quiz import quiz as quiz
    from labkit.lab.compare import compare as compare
    from labkit.lab.kernel import runs as runs
    from labkit.lab.lab import Lab as Lab
    from labkit.lab.lab import run as run
    from labkit.lab.memory_map import memory_map as memory_map
    from labkit.lab.own_loop.callback import Watch as Watch
    from labkit.lab.own_loop.diagnose import diagnose as diagnose
    from labkit.lab.own_loop.steady import assert_steady as assert_steady
    from labkit.lab.own_loop.watch import watch as watch
    from labkit.lab.replay.replay import replay as replay
    from labkit.lab.source import source as source
    from labkit.lab.verdicts import ledger as ledger
    from labkit.lab.verdicts import verdict as verdict
    from labkit.record import load_run as load_run

__version__ = "0.1.0"

_HOMES = {
    "Lab": "labkit.lab.lab",
    "Watch": "labkit.lab.own_loop.callback",
    "assert_steady": "labkit.lab.own_loop.steady",
    "calibration": "labkit.course.calibration",
    "classroom": "labkit.course.classroom.classroom",
    "compare": "labkit.lab.compare",
    "diagnose": "labkit.lab.own_loop.diagnose",
    "hint": "labkit.course.exercises.attempt",
    "ledger": "labkit.lab.verdicts",
    "load_run": "labkit.record",
    "memory_map": "labkit.lab.memory_map",
    "mystery": "labkit.course.mystery.mystery",
    "predict": "labkit.course.predictions.predict",
    "progress": "labkit.course.progress.progress",
    "quiz": "labkit.course.quiz",
    "replay": "labkit.lab.replay.replay",
    "reveal": "labkit.course.predictions.predict",
    "run": "labkit.lab.lab",
    "runs": "labkit.lab.kernel",
    "selfcheck": "labkit.course.check.selfcheck",
    "setup": "labkit.course.check.setup",
    "solution": "labkit.course.exercises.attempt",
    "source": "labkit.lab.source",
    "trial": "labkit.claims.runner",
    "verdict": "labkit.lab.verdicts",
    "watch": "labkit.lab.own_loop.watch",
}

# What it imports once it is used.
_LIBRARIES = (
    "anywidget", "ipywidgets", "matplotlib.figure", "numpy", "psutil", "rcssmin", "rjsmin", "scipy",
    "tqdm.auto", "traitlets",
)  # fmt: skip

# Watch is not among them: it is a class of Keras's, and `from labkit import *` would load Keras.
__all__ = [name for name in _HOMES if name != "Watch"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"labkit has no {name!r}; it has: {', '.join(_HOMES)}")
    from labkit.bench.processes.interruption import uninterrupted
    from labkit.bench.processes.search_path import import_installed

    # NumPy cannot be imported a second time where an interrupt ended the first half-way: the first
    # cell was stopped, and then nothing worked until the kernel was restarted.
    with uninterrupted():
        import_installed(_LIBRARIES)
        home = import_module(_HOMES[name])
    return getattr(home, name)


def __dir__() -> list[str]:
    return [*_HOMES, "__version__"]


def load_ipython_extension(shell: Any) -> None:
    """Make ``%%diagnose`` and ``%%exercise`` known to IPython, for ``%load_ext labkit``."""
    import_module("labkit.course.check.setup").register(shell)
