"""Source 3's second example, in substance: gradients of eight batches are to be added up."""

import tensorflow as tf


def make_step():
    model = tf.keras.Sequential([tf.keras.Input([20]), tf.keras.layers.Dense(1)])
    adam = tf.keras.optimizers.Adam(0.001)
    weights = model.trainable_variables
    rows = (tf.random.normal([128, 20]), tf.random.normal([128, 1]))
    batches = tf.data.Dataset.from_tensor_slices(rows).batch(16)

    def epoch():
        for inputs, targets in batches:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(inputs) - targets))
            gradients = tape.gradient(loss, weights)
            sums = [tf.zeros_like(each) for each in gradients]  # the sum so far is forgotten
            sums = [total + each for total, each in zip(sums, gradients, strict=True)]
            # The number of the batch is counted nowhere in the post.
            if (number + 1) % 8 == 0:  # noqa: F821
                means = [total / 8 for total in sums]
                adam.apply_gradients(zip(means, weights, strict=True))
                sums = [tf.zeros_like(each) for each in gradients]

    return epoch
