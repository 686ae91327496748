import numpy as np
import tensorflow as tf


class Evaluation:
    def __init__(self):
        self.logits = None

    def add(self, logits):
        if self.logits is None:
            self.logits = logits
        else:
            self.logits = np.concatenate([self.logits, logits])


def make_step():
    head = tf.random.stateless_normal([24, 200], [2, 2])
    hidden = tf.random.stateless_normal([80, 24], [3, 3])
    evaluation = Evaluation()

    def step():
        evaluation.add(tf.matmul(hidden, head).numpy())
        return len(evaluation.logits)

    return step
