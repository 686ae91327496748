"""Source 2's first example, in substance: ten epochs of an ordinary step under tf.function."""

import tensorflow as tf

BATCHES = 150  # an epoch


def make_step():
    model = tf.keras.Sequential(
        [
            tf.keras.Input([100]),
            tf.keras.layers.Dense(10, activation="relu"),
            tf.keras.layers.Dense(1),
        ]
    )
    optimizer = tf.keras.optimizers.Adam(1e-3)
    mean_squared_error = tf.keras.losses.MeanSquaredError()
    inputs, targets = (tf.random.normal([32 * BATCHES, columns]) for columns in (100, 1))
    dataset = tf.data.Dataset.from_tensor_slices((inputs, targets)).batch(32)

    @tf.function
    def train_step(batch, wanted):
        with tf.GradientTape() as tape:
            loss = mean_squared_error(wanted, model(batch))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return loss

    epoch = iter(dataset)

    def step():
        nonlocal epoch
        batch = next(epoch, None)
        if batch is None:  # an epoch is over, the next begins
            epoch = iter(dataset)
            batch = next(epoch)
        return train_step(*batch)

    return step
