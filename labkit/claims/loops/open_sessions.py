"""A step opens a session on a graph that was built before, initialises, runs it and closes it."""

from labkit.cause import Cause, Expectation

SIZE = 100


def make_step(toggles, *, seed=0):
    import tensorflow as tf

    tf1 = tf.compat.v1
    graph = tf.Graph()
    with graph.as_default():
        weights = tf1.Variable(tf.random.normal([SIZE, SIZE], seed=seed))
        bias = tf1.Variable(tf.zeros([SIZE]))
        result = tf.reduce_mean(tf.matmul(tf.ones([1, SIZE]), weights) + bias)
        initialiser = tf1.global_variables_initializer()

    def step():
        with tf1.Session(graph=graph) as session:
            session.run(initialiser)
            return session.run(result)

    return step


CAUSE = Cause(
    slug="open_sessions",
    title="A session each turn",
    summary="Each step opens and closes a session; the graph stays as it is.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="flat", steps=150, growth=0.0),
    notebook="",
    probes=("sessions",),
)
