"""Workload: how many elements one step's ops took in, as arguments and as what is fed.

A loop whose sequences get longer does more work at every step, and that is no fault of TensorFlow.
So it does where a function that was traced once is told by a number how often to go round.
One large table that is only looked into would hide what grows beside it, so each argument is also
compared with itself, as it was at the first look.
The patched functions are private names of TensorFlow 2.19-2.21 (``python/pywrap_tfe.py``,
``python/client/session.py``), declared here and nowhere else; one that is missing leaves its share
out. Not seen is what a compiled function asks of an iterator within itself, as a Keras fit does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from labkit.measure.memory.tensors import elements, whole_number
from labkit.measure.patches.group import PrivateName
from labkit.measure.patches.patch import Patch

QUICK = PrivateName("tensorflow.python.pywrap_tfe", "", "TFE_Py_FastPathExecute")
EXECUTE = PrivateName("tensorflow.python.pywrap_tfe", "", "TFE_Py_Execute")
OPS = (QUICK, EXECUTE)
# A traced function passes `EXECUTE` under its own name, the third argument, which begins so.
OP_NAME = 2
TRACED = ("__inference_", "__forward_", "__backward_")
FEEDS = PrivateName("tensorflow.python.client.session", "BaseSession", "_call_tf_sessionrun")
TENSOR = PrivateName("tensorflow.python.framework.ops", "", "EagerTensor")


class Workload:
    """Counts the elements of all arguments between `start` and `stop`, in the starting thread.

    ``missing`` names what this TensorFlow does not have. Adds about 1 us to an op.
    """

    def __init__(self) -> None:
        self.missing: list[str] = []
        self._elements = 0
        self._of_functions = self._whole_numbers = 0
        self._sizes: list[int] = []
        self._first: list[int] = []
        self._thread = 0
        self._hooks: list[Patch] = []
        self._tensor: type | None = TENSOR.value_or_note(self.missing)

    def start(self) -> None:
        """Count from here on."""
        self._elements = self._of_functions = self._whole_numbers = 0
        self._sizes = []
        self._thread = threading.get_ident()
        self._hooks = []
        if self._tensor is None:
            return
        for name in (*OPS, FEEDS):
            owner = name.owner_or_note(self.missing)
            if owner is None:
                continue
            original = getattr(owner, name.attribute)
            if name is FEEDS:
                made = self._fed(original)
            else:
                made = self._given(original) if name is QUICK else self._called(original)
            self._hooks.append(Patch(owner, name.attribute, made))

    def stop(self, steps: int = 1) -> dict[str, float]:
        """Stop, and return ``argument_elements``, those of one step, and ``argument_sizes``.

        Of the elements ``function_elements`` went to traced functions, and ``whole_numbers`` is the
        sum of those that these were handed one by one, such as how often to go round. The sizes are
        a sum over all arguments, each in terms of what it was at the first look: as many as there
        are arguments while nothing grows. They are left out where the step's ops are others than
        then.

        Args:
            steps: How many steps were done since `start`.
        """
        if not self._hooks:
            return {}
        for hook in reversed(self._hooks):
            hook.close()
        self._hooks = []
        found = {
            "argument_elements": self._elements / steps,
            "function_elements": self._of_functions / steps,
            "whole_numbers": self._whole_numbers / steps,
        }
        self._first = self._first or self._sizes
        if self._first and len(self._first) == len(self._sizes):
            pairs = zip(self._sizes, self._first, strict=True)
            found["argument_sizes"] = sum(now / max(1, first) for now, first in pairs) / steps
        return found

    def _given(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            self._count(arguments)
            return original(*arguments)

        return run

    def _called(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            before = self._elements
            self._count(arguments)
            name = arguments[OP_NAME] if len(arguments) > OP_NAME else None
            if type(name) is str and name.startswith(TRACED):
                self._of_functions += self._elements - before
                self._sum_whole_numbers(arguments)
            return original(*arguments)

        return run

    def _fed(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def run(session: Any, options: Any, feed: Any, *rest: Any, **keywords: Any) -> Any:
            if type(feed) is dict:
                self._count(feed.values())
            return original(session, options, feed, *rest, **keywords)

        return run

    def _count(self, values: Iterable[Any]) -> None:
        if threading.get_ident() != self._thread:
            return
        # By exact type: a class of the reader's own may do anything when it is asked.
        for value in values:
            kind = type(value)
            if kind is self._tensor:
                # Whose op failed on its way has no size; its own use will say so.
                count = elements(value)
                if count is not None:
                    self._add(count)
            elif kind is np.ndarray:
                self._add(int(value.size))
            elif kind is list or kind is tuple:
                self._count(value)

    def _sum_whole_numbers(self, values: Iterable[Any]) -> None:
        if threading.get_ident() != self._thread:
            return
        for value in values:
            if type(value) is self._tensor:
                self._whole_numbers += abs(whole_number(value) or 0)
            elif type(value) is list or type(value) is tuple:
                self._sum_whole_numbers(value)

    def _add(self, elements: int) -> None:
        self._elements += elements
        self._sizes.append(elements)
