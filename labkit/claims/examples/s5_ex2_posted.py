"""Source 5's second example, in substance: one session, and a loop of which the body is missing."""


def make_step():
    # As text, for a file with these lines in it could not even be read.
    script = """
import tensorflow as tf

with tf.compat.v1.Session() as session:
    weights = tf.compat.v1.Variable(tf.random.normal([32, 32]))
    session.run(tf.compat.v1.global_variables_initializer())
    for turn in range(10):
        # here the variable is used
"""

    def step():
        exec(compile(script, "example.py", "exec"))  # noqa: S102

    return step
