"""A training loop of one's own in float16, as posted: it knows nothing of loss scaling.

It counts the gradients that are zero in every number, as they are and if the loss were scaled.
"""

from labkit.cause import Cause, Expectation, Loop
from labkit.record import Column

SCALE = 2.0**15  # what Keras begins with


def make_step(toggles, *, seed=0):
    import keras
    import tensorflow as tf

    keras.utils.set_random_seed(seed)
    keras.mixed_precision.set_global_policy("mixed_float16")
    model = keras.Sequential([keras.Input([32]), *(keras.layers.Dense(32) for _ in range(3))])
    weights = model.trainable_variables
    optimizer = keras.optimizers.Adam(1e-3)
    inputs = tf.random.normal([256, 32])
    # The model is nearly right, as late in training, so its gradients are small.
    targets = tf.cast(model(inputs), tf.float32) + tf.random.normal([256, 32], stddev=1e-5)
    zero = zero_if_scaled = 0

    @tf.function
    def gradients_of(scale):
        with tf.GradientTape() as tape:
            errors = tf.cast(model(inputs), tf.float32) - targets
            loss = scale * tf.reduce_mean(tf.square(errors))
        return tape.gradient(loss, weights)

    def all_zero(gradients):
        return sum(not each.numpy().any() for each in gradients)

    def step():
        nonlocal zero, zero_if_scaled
        zero_if_scaled = all_zero(gradients_of(tf.constant(SCALE)))
        gradients = gradients_of(tf.constant(1.0))
        zero = all_zero(gradients)
        optimizer.apply_gradients(zip(gradients, weights, strict=True))

    return Loop(
        step,
        {
            "gradients": lambda: len(weights),
            "zero_gradients": lambda: zero,
            "zero_if_scaled": lambda: zero_if_scaled,
        },
    )


CAUSE = Cause(
    slug="float16_own_loop",
    title="A float16 loop of one's own",
    summary="Small gradients become zero in float16, and nobody says so.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="flat", steps=20, growth=0),
    notebook="",
    counters=(
        Column("gradients", "gradients of a step", "gradients", "counter"),
        Column("zero_gradients", "gradients that are all zero", "gradients", "counter"),
        Column("zero_if_scaled", "those of a scaled loss", "gradients", "counter"),
    ),
)
