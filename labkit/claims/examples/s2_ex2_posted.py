"""Source 2's second example, in substance: memory growth is switched on, then the same epochs."""

import tensorflow as tf


def make_step():
    for card in tf.config.list_physical_devices("GPU"):
        try:
            tf.config.experimental.set_memory_growth(card, True)
        except RuntimeError as error:
            print(error)

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
