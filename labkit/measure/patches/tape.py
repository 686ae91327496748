"""Tapes: the time of gradients, how many ops they went back through, and which tapes stay open.

``GradientTape.gradient`` and ``tf.compat.v1.gradients`` both ask one registry for the gradient
function of each op on their way back; the asking is what is counted. The patched functions are
private names of TensorFlow 2.19-2.21 (``python/eager/backprop.py``,
``python/ops/gradients_util.py``, ``python/framework/registry.py``). They are declared here and
nowhere else; one that is missing leaves its place unmeasured.
"""

from __future__ import annotations

import threading
from typing import Any

from labkit.measure.patches.counting_probe import CountingProbe, ProbeContext
from labkit.measure.patches.group import Group, PrivateName
from labkit.record import Column

BACKPROP = "tensorflow.python.eager.backprop:GradientTape"
GRADIENTS = Group(("gradients", "gradients"), {
    BACKPROP: ("gradient",),
    "tensorflow.python.ops.gradients_util": ("_GradientsHelper",),
})  # fmt: skip
LOOKUP = Group(None, {"tensorflow.python.framework.registry:Registry": ("lookup",)})
OPENING, CLOSING = Group(None, {BACKPROP: ("_push_tape",)}), Group(None, {BACKPROP: ("_pop_tape",)})
REGISTRY = PrivateName("tensorflow.python.framework.ops", "", "gradient_registry")


class TapeProbe(CountingProbe):
    """Records the time of gradients, the ops that a step's went back through, and the open tapes.

    An op is counted once for each time its gradient is computed or, in a graph, built. An op
    without a gradient function of its own, such as one made by ``tf.custom_gradient``, is not.
    A tape that is still open when a step ends goes on to record, and to keep what it has recorded.
    """

    counters = (
        Column("gradient_ops", "ops the gradients went back through", "ops", "counter"),
        Column("open_tapes", "tapes that record as the step ends", "tapes", "counter"),
    )
    anew = ("gradient_ops",)

    def __init__(self, context: ProbeContext) -> None:
        super().__init__(context)
        self._thread = threading.get_ident()
        self.patches.patch(GRADIENTS)
        registries = self.patches.find(REGISTRY)
        self._registry = getattr(registries, REGISTRY.attribute, None)
        if registries is None or not self.patches.patch(LOOKUP, before=self._asked):
            self.give_up("gradient_ops")
        counted = [self.patches.patch(OPENING, after=self._opened),
                   self.patches.patch(CLOSING, after=self._closed)]  # fmt: skip
        if not all(counted):
            self.give_up("open_tapes")

    def _asked(self, arguments: tuple[Any, ...]) -> None:
        # Shapes and other things have registries of the same class.
        if arguments[0] is self._registry and threading.get_ident() == self._thread:
            self.values[self.first] += 1

    def _opened(self, *_: object) -> None:
        if threading.get_ident() == self._thread:
            self.values[self.first + 1] += 1

    def _closed(self, *_: object) -> None:
        # One that was opened before labkit looked is closed in the midst of the run.
        if threading.get_ident() == self._thread and self.values[self.first + 1] > 0:
            self.values[self.first + 1] -= 1
