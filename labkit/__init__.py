"""labkit: a teaching kit that shows why TensorFlow training loops slow down.

Importing it changes nothing and loads next to nothing: each name below is found when it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labkit.lab.calibration import calibration
    from labkit.lab.callback import Watch as Watch
    from labkit.lab.classroom import classroom
    from labkit.lab.compare import compare
    from labkit.lab.diagnose import diagnose
    from labkit.lab.examples import examples
    from labkit.lab.exercise import attempt, hint, solution
    from labkit.lab.judging import judge, ledger
    from labkit.lab.kernel import runs
    from labkit.lab.lab import Lab, run
    from labkit.lab.memory_map import memory_map
    from labkit.lab.mystery import mystery
    from labkit.lab.predict import predict, reveal
    from labkit.lab.quiz import quiz
    from labkit.lab.replay import replay
    from labkit.lab.selfcheck import selfcheck
    from labkit.lab.setup import setup
    from labkit.lab.source import source
    from labkit.lab.steady import assert_steady
    from labkit.lab.telling import tell
    from labkit.lab.trial import trial
    from labkit.lab.watch import watch
    from labkit.record import LabkitError, Run, load_run, save_run

__version__ = "0.1.0"

# Watch is not among them: it is a class of Keras's, and `from labkit import *` would load Keras.
__all__ = [
    "Lab",
    "LabkitError",
    "Run",
    "assert_steady",
    "attempt",
    "calibration",
    "classroom",
    "compare",
    "diagnose",
    "examples",
    "hint",
    "judge",
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
    "save_run",
    "selfcheck",
    "setup",
    "solution",
    "source",
    "tell",
    "trial",
    "watch",
]

_HOMES = {
    "Lab": "labkit.lab.lab",
    "LabkitError": "labkit.record",
    "Run": "labkit.record",
    "Watch": "labkit.lab.callback",
    "assert_steady": "labkit.lab.steady",
    "attempt": "labkit.lab.exercise",
    "calibration": "labkit.lab.calibration",
    "classroom": "labkit.lab.classroom",
    "compare": "labkit.lab.compare",
    "diagnose": "labkit.lab.diagnose",
    "examples": "labkit.lab.examples",
    "hint": "labkit.lab.exercise",
    "judge": "labkit.lab.judging",
    "ledger": "labkit.lab.judging",
    "load_run": "labkit.record",
    "memory_map": "labkit.lab.memory_map",
    "mystery": "labkit.lab.mystery",
    "predict": "labkit.lab.predict",
    "quiz": "labkit.lab.quiz",
    "replay": "labkit.lab.replay",
    "reveal": "labkit.lab.predict",
    "run": "labkit.lab.lab",
    "runs": "labkit.lab.kernel",
    "save_run": "labkit.record",
    "selfcheck": "labkit.lab.selfcheck",
    "setup": "labkit.lab.setup",
    "solution": "labkit.lab.exercise",
    "source": "labkit.lab.source",
    "tell": "labkit.lab.telling",
    "trial": "labkit.lab.trial",
    "watch": "labkit.lab.watch",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"labkit has no {name!r}; it has: {', '.join(_HOMES)}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*_HOMES, "__version__"]


def load_ipython_extension(shell: Any) -> None:
    """Make ``%%diagnose`` and ``%%exercise`` known to IPython, for ``%load_ext labkit``."""
    import_module("labkit.lab.magic").register(shell)
