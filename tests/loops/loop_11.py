import tensorflow as tf

tf1 = tf.compat.v1


def make_step():
    graph = tf1.Graph()
    with graph.as_default():
        layers = [
            tf1.get_variable(f"layer_{number}", [6, 6], use_resource=False) for number in range(4)
        ]
        norm = tf.add_n([tf.nn.l2_loss(layer) for layer in layers])
    session = tf1.Session(graph=graph)
    best = float("inf")

    def restart():
        with graph.as_default():
            session.run(tf1.variables_initializer(layers))

    def step():
        nonlocal best
        restart()
        best = min(best, float(session.run(norm)))
        return best

    return step
