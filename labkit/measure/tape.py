"""Gradients: the time to compute them, and how many ops they went back through.

``GradientTape.gradient`` and ``tf.compat.v1.gradients`` both ask one registry for the gradient
function of each op on their way back; the asking is what is counted. The choke points are private
names of TensorFlow 2.19-2.21 (``python/eager/backprop.py``, ``python/ops/gradients_util.py``,
``python/framework/registry.py``). They are declared here and nowhere else; one that is missing
leaves its place unmeasured.
"""

from __future__ import annotations

import threading
from typing import Any

from labkit.measure.choke import PrivateName
from labkit.measure.counting import CountingProbe
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
from labkit.record import Column

CHOKE_POINTS = (
    PrivateName("tensorflow.python.eager.backprop", "GradientTape", "gradient",
                "gradients", "gradients"),
    PrivateName("tensorflow.python.ops.gradients_util", "", "_GradientsHelper",
                "gradients", "gradients"),
)  # fmt: skip
LOOKUP = PrivateName("tensorflow.python.framework.registry", "Registry", "lookup")
REGISTRY = PrivateName("tensorflow.python.framework.ops", "", "gradient_registry")


class TapeProbe(CountingProbe):
    """Books the time of gradients, and counts the ops that a step's gradients went back through.

    Args:
        places: The stopwatch; only the thread that made it is timed and counted.

    An op is counted once for each time its gradient is computed or, in a graph, built. An op
    without a gradient function of its own, such as one made by ``tf.custom_gradient``, is not.
    """

    columns = (Column("gradient_ops", "ops the gradients went back through", "ops", "counter"),)
    anew = ("gradient_ops",)

    def __init__(self, places: Places) -> None:
        super().__init__(places)
        self._thread = threading.get_ident()
        self._registry: Any = None
        self.points.hook(CHOKE_POINTS)
        try:
            self._registry = getattr(REGISTRY.find(), REGISTRY.attribute)
        except (ImportError, AttributeError):
            self.points.missing.append(str(REGISTRY))
        else:
            self.points.hook([LOOKUP], before=self._asked)
        if not {str(REGISTRY), str(LOOKUP)}.isdisjoint(self.missing):
            self.give_up("gradient_ops")

    def _asked(self, arguments: tuple[Any, ...]) -> None:
        # Shapes and other things have registries of the same class.
        if arguments[0] is self._registry and threading.get_ident() == self._thread:
            self.values[self.first] += 1


def probe(hooks: Hooks) -> TapeProbe:
    """Return the probe for a worker; costs less than a microsecond an op of the way back."""
    return TapeProbe(hooks.places)
