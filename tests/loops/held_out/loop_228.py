import tensorflow as tf


class Trainer:
    def __init__(self):
        self.kernel = tf.Variable(tf.random.stateless_normal([16, 16], [28, 1]) * 0.1)
        self.rate = 0.1

    @tf.function
    def update(self, batch, rate):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.sigmoid(batch @ self.kernel) - 0.5))
        self.kernel.assign_sub(rate * tape.gradient(loss, self.kernel))
        return loss

    def step(self):
        self.rate *= 0.998
        return self.update(self.batch, self.rate)


def make_step():
    trainer = Trainer()
    trainer.batch = tf.random.stateless_normal([24, 16], [28, 2])
    return trainer.step
