"""Source 5's first example, in substance: a session, new variables and an initialiser each turn."""

from labkit.cause import Cause, Expectation

SIZE = 100


def make_step(toggles, *, seed=0):
    import tensorflow as tf

    tf1 = tf.compat.v1
    graph = tf.Graph()

    def step():
        with graph.as_default(), tf1.Session() as session:
            weights = tf1.Variable(tf.random.normal([SIZE, SIZE], seed=seed))
            bias = tf1.Variable(tf.zeros([SIZE]))
            session.run(tf1.global_variables_initializer())
            return session.run(tf.reduce_mean(tf.matmul(tf.ones([1, SIZE]), weights) + bias))

    return step


CAUSE = Cause(
    slug="remake_variables",
    title="Variables made again each turn",
    summary="One graph takes in new variables at every turn; waits for a disk are counted.",
    make_step=make_step,
    toggles=(),
    sizes=(),
    expectation=Expectation(shape="ramp", steps=80, growth=0.5),
    notebook="",
    probes=("paging",),
)
