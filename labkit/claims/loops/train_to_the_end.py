"""A compiled training step that converges, until its updates are the smallest numbers there are."""

from labkit.cause import Cause, Expectation, Loop
from labkit.record import Column

SIZE = 192
RATE = 0.035


def make_step(toggles, *, seed=0):
    import numpy as np
    import tensorflow as tf

    random = np.random.default_rng(seed)
    # With an orthogonal batch each step takes this share off every weight, down to where a float32
    # has few digits left (below 1e-38) and at last is zero.
    batch = tf.constant(np.linalg.qr(random.normal(size=(SIZE, SIZE)))[0], tf.float32)
    weights = tf.Variable(random.normal(size=(SIZE, SIZE)), dtype=tf.float32)

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            loss = 0.5 * tf.reduce_sum(tf.square(batch @ weights))
        update = RATE * tape.gradient(loss, weights)
        weights.assign_sub(update)
        return loss, tf.reduce_max(tf.abs(update))

    loss = update = tf.constant(0.0)

    def step():
        nonlocal loss, update
        loss, update = train()

    return Loop(step, {"loss": lambda: float(loss), "update": lambda: float(update)})


CAUSE = Cause(
    slug="train_to_the_end",
    title="Training until nothing changes",
    summary="Each step takes the same share off every weight.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="flat", steps=3_000, growth=0.0),
    notebook="",
    counters=(
        Column("loss", "loss", "", "counter"),
        Column("update", "largest update of a weight", "", "counter"),
    ),
)
