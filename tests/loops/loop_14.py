import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1


class Model:
    def __init__(self, session):
        self.session = session
        self.inputs = tf1.placeholder(tf.float32, [None, 10])
        self.loss = tf.reduce_sum(tf.sigmoid(self.inputs), name="loss")

    def run_epoch(self, batch, train_op=None):
        if train_op is None:
            train_op = tf.no_op()
        loss, _ = self.session.run([self.loss, train_op], {self.inputs: batch})
        return loss


def make_step():
    graph = tf1.Graph()
    with graph.as_default():
        model = Model(tf1.Session(graph=graph))
    validation = np.linspace(-1, 1, 160, dtype="float32").reshape(16, 10)

    def step():
        with graph.as_default():
            return model.run_epoch(validation)

    return step
