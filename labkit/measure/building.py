"""Building models: the time to make variables, to build layers and to build optimizers.

A loop that does it at every step pays for it at every step. The names are private ones of
TensorFlow 2.19-2.21 (``python/ops``) and of Keras 3, declared here and nowhere else; one that is
missing leaves its place unmeasured.
"""

from __future__ import annotations

from labkit.measure.choke import PrivateName
from labkit.measure.counting import CountingProbe
from labkit.measure.hooks import Hooks
from labkit.measure.places import Places
from labkit.record import Column

VARIABLES = ("making_variables", "making variables")
MODELS = ("model_building", "building models and optimizers")
MADE = (
    PrivateName("tensorflow.python.ops.resource_variable_ops", "ResourceVariable",
                "_init_from_args", *VARIABLES),
    PrivateName("tensorflow.python.ops.ref_variable", "RefVariable",
                "_init_from_args", *VARIABLES),
)  # fmt: skip
BUILT = (
    PrivateName("keras.src.layers.layer", "Layer", "_maybe_build", *MODELS),
    PrivateName("keras.src.layers.layer", "Layer", "add_weight", *MODELS),
    PrivateName("keras.src.ops.operation", "Operation", "symbolic_call", *MODELS),
    PrivateName("keras.src.models.sequential", "Sequential", "add", *MODELS),
    PrivateName("keras.src.models.sequential", "Sequential", "_maybe_rebuild", *MODELS),
    PrivateName("keras.src.models.model", "Model", "__new__", *MODELS),
    PrivateName("keras.src.layers.layer", "Layer", "__new__", *MODELS),
    PrivateName("keras.src.optimizers.base_optimizer", "BaseOptimizer", "build", *MODELS),
    PrivateName("keras.src.optimizers.base_optimizer", "BaseOptimizer", "add_variable", *MODELS),
    PrivateName("keras.src.optimizers.base_optimizer", "BaseOptimizer",
                "add_variable_from_reference", *MODELS),
)  # fmt: skip


class BuildingProbe(CountingProbe):
    """Counts the variables made, and books making them and building what holds them.

    Args:
        places: The stopwatch.
    """

    columns = (Column("variables_made", "variables made", "variables", "counter"),)

    def __init__(self, places: Places) -> None:
        super().__init__(places)
        self.points.hook(MADE, after=self.count)
        # What a save or a callback builds is the work of that.
        self.late.hook(BUILT, alone=True)


def probe(hooks: Hooks) -> BuildingProbe:
    """Return the probe for a worker; costs about 0.4 us a layer that is called eagerly."""
    return BuildingProbe(hooks.places)
