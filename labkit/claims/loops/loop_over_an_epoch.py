"""A step is one epoch of a loop over batches, each given to one tf.function."""

from labkit.cause import Cause, Expectation, Loop
from labkit.record import Column

ROWS, WIDTH, BATCHES = 32, 16, 10


def make_step(toggles, *, seed=0):
    import tensorflow as tf

    graphs = []
    numbers = tf.random.stateless_normal([BATCHES * ROWS, WIDTH], [seed, 0])
    data = tf.data.Dataset.from_tensor_slices(numbers).batch(ROWS)
    weights = tf.Variable(tf.random.stateless_normal([WIDTH, WIDTH], [seed, 1]))

    @tf.function
    def train(batch):
        graphs.append(tf.compat.v1.get_default_graph())  # Python is here only to trace
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.tanh(batch @ weights) - batch))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss

    def step():
        for batch in data:
            train(batch)

    return Loop(step, {"traced_ops": lambda: sum(graph.version for graph in graphs)})


CAUSE = Cause(
    slug="loop_over_an_epoch",
    title="An epoch of one's own loop",
    summary="Each step is one epoch, batch by batch through one tf.function.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="flat", steps=60, growth=0.0),
    notebook="",
    counters=(Column("traced_ops", "ops in the traced graphs", "ops", "counter"),),
    probes=("tracing",),
)
