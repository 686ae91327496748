"""A step is one epoch of Keras's fit; the ops of every graph that is traced are counted."""

from labkit.cause import Cause, Expectation, Loop
from labkit.record import Column

ROWS, WIDTH, BATCHES = 32, 16, 10


def make_step(toggles, *, seed=0):
    import numpy as np
    import tensorflow as tf

    tf.keras.utils.set_random_seed(seed)
    graphs = []

    class Watched(tf.keras.Sequential):
        def train_step(self, *arguments):
            graphs.append(tf.compat.v1.get_default_graph())  # Python is here only to trace
            return super().train_step(*arguments)

    numbers = np.random.default_rng(seed).normal(size=(BATCHES * ROWS, WIDTH)).astype("float32")
    data = tf.data.Dataset.from_tensor_slices((numbers, numbers)).batch(ROWS)
    layers = [tf.keras.layers.Dense(WIDTH, "tanh"), tf.keras.layers.Dense(WIDTH)]
    model = Watched([tf.keras.Input([WIDTH]), *layers])
    model.compile("adam", "mse", jit_compile=False)

    def step():
        model.fit(data, epochs=1, verbose=0)

    return Loop(step, {"traced_ops": lambda: sum(graph.version for graph in graphs)})


CAUSE = Cause(
    slug="fit_an_epoch",
    title="An epoch of fit",
    summary="Each step is one epoch of a Keras model's fit.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="flat", steps=60, growth=0.0),
    notebook="",
    counters=(Column("traced_ops", "ops in the traced graphs", "ops", "counter"),),
    probes=("tracing",),
)
