"""A training step of many small ops, run eagerly or compiled, in one pool that counts."""

from labkit.cause import Cause, Expectation, Loop, Toggle
from labkit.record import Column

LAYERS, WIDTH, ROWS = 24, 64, 128


def make_step(toggles, *, seed=0):
    import tensorflow as tf

    batch = tf.random.stateless_normal([ROWS, WIDTH], [seed, 0])
    weights = [
        tf.Variable(tf.random.stateless_normal([WIDTH, WIDTH], [seed, layer]) / WIDTH**0.5)
        for layer in range(1, LAYERS + 1)
    ]
    device = "GPU:0" if tf.config.list_logical_devices("GPU") else "CPU:0"
    peak_bytes = 0

    def train():
        with tf.GradientTape() as tape:
            hidden = batch
            for each in weights:
                hidden = tf.nn.tanh(hidden @ each)
            loss = tf.reduce_mean(tf.square(hidden - batch))
        for each, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
            each.assign_sub(0.1 * gradient)
        return loss

    if toggles.compiled:
        train = tf.function(train)

    def step():
        nonlocal peak_bytes
        tf.config.experimental.reset_memory_stats(device)
        train()
        peak_bytes = tf.config.experimental.get_memory_info(device)["peak"]

    return Loop(step, {"peak_bytes": lambda: peak_bytes})


CAUSE = Cause(
    slug="train_deep",
    title="A deep training step",
    summary="Forward and backward pass of 24 layers, op by op or in one tf.function.",
    make_step=make_step,
    toggles=(
        Toggle("compiled", "in one tf.function", kind="launch"),
        Toggle(
            "pool",
            "where tensors come from",
            default="one pool",
            choices=("one pool",),
            kind="launch",
            # The default pool of a CPU counts large tensors only.
            environment={"one pool": {"TF_CPU_ALLOCATOR_USE_BFC": "1"}},
        ),
    ),
    sizes=(),
    expectation=Expectation(shape="flat", steps=150, growth=0.0),
    notebook="",
    counters=(Column("peak_bytes", "most memory in use within the step", "bytes", "counter"),),
    probes=("allocator",),
)
