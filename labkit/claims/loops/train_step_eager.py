"""Source 3's first loop, in substance: a training step that runs op by op, without tf.function."""

import tensorflow as tf


def make_step():
    model = tf.keras.Sequential([tf.keras.Input([32]), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(1e-3)
    inputs, targets = tf.random.normal([64, 32]), tf.random.normal([64, 1])

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(inputs) - targets))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return loss

    return step
