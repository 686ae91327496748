"""Registries: lists that TensorFlow, Keras and others keep for as long as the process lives.

What is entered there stays, whatever the loop drops. Most are private names of TensorFlow
2.19-2.21 (``python/framework/ops.py``, ``python/framework/registry.py``), of Keras 3
(``src/backend/common/global_state.py``), of Matplotlib (``_pylab_helpers.py``) and of Python's
``logging``; they are declared in `KEPT_BY` and nowhere else, or in `labkit.measure.memory.objects`,
which counts two of them at every step. One that is missing is left out.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from typing import Any

from labkit.measure.memory.instance import container
from labkit.measure.memory.objects import COUNTED
from labkit.measure.memory.tensors import is_up
from labkit.measure.patches.group import PrivateName

KEPT_BY = {
    "gradient_registry": PrivateName(
        "tensorflow.python.framework.ops", "gradient_registry", "_registry"
    ),
    "function_names": COUNTED["runtime_functions"],
    "py_functions": COUNTED["python_functions"],
    "keras_state": PrivateName(
        "keras.src.backend.common.global_state", "", "GLOBAL_STATE_TRACKER"
    ),
    "figures": PrivateName("matplotlib._pylab_helpers", "Gcf", "figs"),
    "log_handlers": PrivateName("logging", "", "_handlerList"),
}  # fmt: skip
_FILLED_BY = {"keras_state": "keras", "figures": "matplotlib.pyplot"}


class Registries:
    """Counts the entries of every registry there is; about 0.1 ms.

    ``missing`` names the private names that these versions do not have. A package that the loop
    has not imported has an empty registry.
    """

    def __init__(self) -> None:
        self.missing: list[str] = []
        self._owners: dict[str, Any] = {}

    def entries(self) -> dict[str, float]:
        """Return the number of entries by the registry's name."""
        counts = {name: self._count(name, size) for name, size in _SIZE_OF.items()}
        return {name: float(count) for name, count in counts.items() if count is not None}

    def _count(self, name: str, size: Callable[[Any], int]) -> int | None:
        private = KEPT_BY[name]
        # Importing a package here would take seconds, and the loop has nothing in it yet.
        if _FILLED_BY.get(name, "sys") not in sys.modules:
            return 0
        if str(private) in self.missing:
            return None
        try:
            if name not in self._owners:
                self._owners[name] = private.find()
            return size(self._owners[name])
        except (ImportError, AttributeError, TypeError):
            self.missing.append(str(private))
            return None


def _function_names(module: Any) -> int:
    context = module.context()
    # Asking before the first op would set TensorFlow's runtime up, and too early.
    return len(context.list_function_names()) if is_up(context) else 0


def _keras_state(module: Any) -> int:
    state: Mapping[str, object] = vars(module.GLOBAL_STATE_TRACKER)
    kinds = [(container(type(value)), value) for value in list(state.values())]
    return sum(1 if kind is None else kind.__len__(value) for kind, value in kinds)


def _log_handlers(module: Any) -> int:
    """Return how many places of loggers with a name are taken, and how many others are alive.

    A logger that was made by its class and not by ``getLogger`` stands nowhere; its handlers do. A
    handler that ever more loggers share is one, and each of its places is counted.
    """
    loggers = [logging.root, *logging.root.manager.loggerDict.values()]
    # A logger of the reader's own class may do anything when it is asked for an attribute.
    lists = [object.__getattribute__(each, "__dict__").get("handlers", ()) for each in loggers]
    taken = [id(handler) for each in lists if type(each) is list for handler in each]
    alive = [reference() for reference in list(module._handlerList)]
    return len(taken) + len({id(each) for each in alive if each is not None}.difference(taken))


_SIZE_OF: dict[str, Callable[[Any], int]] = {
    "gradient_registry": lambda registry: len(registry._registry),
    "function_names": _function_names,
    "py_functions": lambda registry: int(registry.size()),
    "keras_state": _keras_state,
    "figures": lambda figures: len(figures.figs),
    "log_handlers": _log_handlers,
}
