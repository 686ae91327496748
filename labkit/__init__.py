"""labkit: a teaching kit that shows why TensorFlow training loops slow down.

Importing it changes nothing and loads next to nothing: each name below is found when it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labkit.lab.callback import Watch as Watch
    from labkit.lab.compare import compare
    from labkit.lab.diagnose import diagnose
    from labkit.lab.judging import judge, ledger
    from labkit.lab.kernel import runs
    from labkit.lab.lab import Lab, run
    from labkit.lab.memory_map import memory_map
    from labkit.lab.setup import setup
    from labkit.lab.source import source
    from labkit.lab.steady import assert_steady
    from labkit.lab.telling import tell
    from labkit.lab.watch import watch
    from labkit.record import LabkitError, Run, load_run, save_run

__version__ = "0.1.0"

# Watch is not among them: it is a class of Keras's, and `from labkit import *` would load Keras.
__all__ = [
    "Lab",
    "LabkitError",
    "Run",
    "assert_steady",
    "compare",
    "diagnose",
    "judge",
    "ledger",
    "load_run",
    "memory_map",
    "run",
    "runs",
    "save_run",
    "setup",
    "source",
    "tell",
    "watch",
]

_HOMES = {
    "Lab": "labkit.lab.lab",
    "LabkitError": "labkit.record",
    "Run": "labkit.record",
    "Watch": "labkit.lab.callback",
    "assert_steady": "labkit.lab.steady",
    "compare": "labkit.lab.compare",
    "diagnose": "labkit.lab.diagnose",
    "judge": "labkit.lab.judging",
    "ledger": "labkit.lab.judging",
    "load_run": "labkit.record",
    "memory_map": "labkit.lab.memory_map",
    "run": "labkit.lab.lab",
    "runs": "labkit.lab.kernel",
    "save_run": "labkit.record",
    "setup": "labkit.lab.setup",
    "source": "labkit.lab.source",
    "tell": "labkit.lab.telling",
    "watch": "labkit.lab.watch",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"labkit has no {name!r}; it has: {', '.join(_HOMES)}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*_HOMES, "__version__"]


def load_ipython_extension(shell: Any) -> None:
    """Make ``%%diagnose`` known to IPython, for ``%load_ext labkit``."""
    import_module("labkit.lab.magic").register(shell)
