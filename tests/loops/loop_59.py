import keras
import tensorflow as tf


def make_step():
    shared = [keras.Variable(tf.ones([4, 2])), keras.Variable(tf.zeros([2]))]
    rows = tf.random.stateless_normal([10, 4], [6, 6])

    def local_round():
        optimizer = keras.optimizers.RMSprop(learning_rate=0.002)
        with tf.GradientTape() as tape:
            values = [variable.value for variable in shared]
            loss = tf.reduce_mean(tf.square(rows @ values[0] + values[1]))
        optimizer.apply(tape.gradient(loss, values), shared)
        return loss

    return local_round
