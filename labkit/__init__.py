"""labkit: a teaching kit that shows why TensorFlow training loops slow down.

Importing it changes nothing and loads next to nothing: each name below is found when it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labkit.claims.table import trial
    from labkit.course.calibration import calibration
    from labkit.course.check.selfcheck import selfcheck
    from labkit.course.check.setup import setup
    from labkit.course.classroom.classroom import classroom
    from labkit.course.exercises.attempt import hint, solution
    from labkit.course.mystery.mystery import mystery
    from labkit.course.predictions.predict import predict, reveal
    from labkit.course.quiz import quiz
    from labkit.lab.compare import compare
    from labkit.lab.kernel import runs
    from labkit.lab.lab import Lab, run, source
    from labkit.lab.memory_map import memory_map
    from labkit.lab.own_loop.callback import Watch as Watch
    from labkit.lab.own_loop.diagnose import diagnose
    from labkit.lab.own_loop.steady import assert_steady
    from labkit.lab.own_loop.watch import watch
    from labkit.lab.replay.replay import replay
    from labkit.lab.verdicts import ledger, verdict
    from labkit.record import load_run

__version__ = "0.1.0"

# Watch is not among them: it is a class of Keras's, and `from labkit import *` would load Keras.
__all__ = [
    "Lab",
    "assert_steady",
    "calibration",
    "classroom",
    "compare",
    "diagnose",
    "hint",
    "ledger",
    "load_run",
    "memory_map",
    "mystery",
    "predict",
    "quiz",
    "replay",
    "reveal",
    "run",
    "runs",
    "selfcheck",
    "setup",
    "solution",
    "source",
    "trial",
    "verdict",
    "watch",
]

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
    "quiz": "labkit.course.quiz",
    "replay": "labkit.lab.replay.replay",
    "reveal": "labkit.course.predictions.predict",
    "run": "labkit.lab.lab",
    "runs": "labkit.lab.kernel",
    "selfcheck": "labkit.course.check.selfcheck",
    "setup": "labkit.course.check.setup",
    "solution": "labkit.course.exercises.attempt",
    "source": "labkit.lab.lab",
    "trial": "labkit.claims.table",
    "verdict": "labkit.lab.verdicts",
    "watch": "labkit.lab.own_loop.watch",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"labkit has no {name!r}; it has: {', '.join(_HOMES)}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*_HOMES, "__version__"]


def load_ipython_extension(shell: Any) -> None:
    """Make ``%%diagnose`` and ``%%exercise`` known to IPython, for ``%load_ext labkit``."""
    import_module("labkit.course.cells.magic").register(shell)
