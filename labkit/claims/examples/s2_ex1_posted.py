"""Source 2's first example, in substance: a small model is trained; a step is one epoch."""

import tensorflow as tf


def make_step():
    keras = tf.keras
    model = keras.Sequential(
        [keras.Input([100]), keras.layers.Dense(10, activation="relu"), keras.layers.Dense(1)]
    )
    adam = keras.optimizers.Adam(0.001)
    squares = keras.losses.MeanSquaredError()
    rows = (tf.random.normal([320, 100]), tf.random.normal([320, 1]))
    batches = tf.data.Dataset.from_tensor_slices(rows).batch(32)

    @tf.function
    def train(inputs, targets):
        with tf.GradientTape() as tape:
            loss = squares(targets, model(inputs))
        weights = model.trainable_variables
        adam.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        return loss

    def epoch():
        for inputs, targets in batches:
            loss = train(inputs, targets)
        return loss

    return epoch
