"""The same training in float16, but compile() prepares it.

It counts the weights that a step moved, and tells whether the optimizer scales the loss.
"""

from labkit.cause import Cause, Expectation, Loop
from labkit.record import Column


def make_step(toggles, *, seed=0):
    import keras
    import tensorflow as tf

    keras.utils.set_random_seed(seed)
    keras.mixed_precision.set_global_policy("mixed_float16")
    model = keras.Sequential([keras.Input([32]), *(keras.layers.Dense(32) for _ in range(3))])
    inputs = tf.random.normal([256, 32])
    # The model is nearly right, as late in training, so its gradients are small.
    targets = tf.cast(model(inputs), tf.float32) + tf.random.normal([256, 32], stddev=1e-5)
    model.compile("adam", "mse", jit_compile=False)
    moved = 0

    def step():
        nonlocal moved
        before = model.get_weights()
        model.train_on_batch(inputs, targets)
        pairs = zip(before, model.get_weights(), strict=True)
        moved = sum(bool((old != new).any()) for old, new in pairs)

    def scales_loss():
        return isinstance(model.optimizer, keras.optimizers.LossScaleOptimizer)

    return Loop(
        step,
        {
            "weights": lambda: len(model.weights),
            "weights_moved": lambda: moved,
            "scales_loss": scales_loss,
        },
    )


CAUSE = Cause(
    slug="float16_compiled",
    title="float16 by compile()",
    summary="Keras scales the loss by itself where compile() prepares the training.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="flat", steps=20, growth=0),
    notebook="",
    counters=(
        Column("weights", "weights of the model", "weights", "counter"),
        Column("weights_moved", "weights that the step moved", "weights", "counter"),
        Column("scales_loss", "whether the loss is scaled", "", "counter"),
    ),
)
