"""Source 5's third example, in substance and mended: variables made once, a function called."""

from labkit.cause import Cause, Expectation

SIZE = 100


def make_step(toggles, *, seed=0):
    import tensorflow as tf

    weights = tf.Variable(tf.random.stateless_normal([SIZE, SIZE], [seed, 0]))
    bias = tf.Variable(tf.zeros([SIZE]))

    @tf.function
    def operation(weights, bias):
        return tf.reduce_mean(tf.matmul(tf.ones([1, SIZE]), weights) + bias)

    def step():
        return operation(weights, bias)

    return step


CAUSE = Cause(
    slug="call_compiled",
    title="A compiled function on variables made once",
    summary="Each step calls one tf.function with the same two variables.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="flat", steps=1_000, growth=0.0),
    notebook="",
    probes=("tracing",),
)
