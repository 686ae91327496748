import threading

import tensorflow as tf


def make_step():
    weights = tf.Variable(tf.random.stateless_normal([640, 640], [43, 1]) / 640)

    @tf.function
    def train():
        for _ in range(2):
            weights.assign_sub(0.001 * tf.matmul(weights, weights))
        return tf.norm(weights)

    def watch(stop, loss):
        stop.wait()
        return loss

    def step():
        loss = train()
        stop = threading.Event()
        threading.Thread(target=watch, args=(stop, loss), daemon=True).start()
        return loss

    return step
