import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


def make_step():
    net = tf1.Graph()
    with net.as_default():
        kernels = [
            tf1.get_variable(name, [80, 80], use_resource=False) for name in ("query", "key", "out")
        ]
        scale = tf1.get_variable("scale", [80], use_resource=False)
        initial = tf1.global_variables_initializer()
    session = tf1.Session(graph=net)
    session.run(initial)
    online = [np.full(variable.shape.as_list(), 0.5, "float32") for variable in [*kernels, scale]]

    def step():
        for values in online:
            values *= 0.999
        with net.as_default():
            update = [
                tf1.assign(variable, values)
                for variable, values in zip([*kernels, scale], online, strict=True)
            ]
            session.run(update)

    return step
