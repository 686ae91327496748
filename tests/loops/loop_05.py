import os
import tempfile

import tensorflow as tf

tf1 = tf.compat.v1


def make_step():
    policy = tf1.Graph()
    with policy.as_default():
        observation = tf.zeros([1, 12])
        layer = observation
        for number, width in enumerate((16, 16, 8, 4)):
            inputs = int(layer.shape[-1])
            kernel = tf1.get_variable(f"kernel_{number}", [inputs, width], use_resource=False)
            bias = tf1.get_variable(f"bias_{number}", [width], use_resource=False)
            layer = tf.tanh(layer @ kernel + bias)
        start = tf1.global_variables_initializer()
    session = tf1.Session(graph=policy)
    session.run(start)
    target = os.path.join(tempfile.mkdtemp(), "policy.ckpt")

    def step():
        actions = session.run(layer)
        with policy.as_default():
            saver = tf1.train.Saver(max_to_keep=2)
            saver.save(session, target)
        return actions

    return step
