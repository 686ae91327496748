"""Source 4's first example, repaired: with data and a model, and one number as the loss."""

import tensorflow as tf


def make_step():
    keras = tf.keras
    classifier = keras.Sequential(
        [keras.Input([8, 8]), keras.layers.Flatten(), keras.layers.Dense(4, activation="softmax")]
    )
    adam = keras.optimizers.Adam(0.001)
    rows = {
        "pictures": tf.random.normal([128, 8, 8]),
        "labels": tf.one_hot(tf.random.uniform([128], maxval=4, dtype=tf.int32), 4),
    }
    training_batches = tf.data.Dataset.from_tensor_slices(rows).batch(32)

    @tf.function
    def train(pictures, labels, model, optimizer):
        with tf.GradientTape() as tape:
            losses = keras.losses.categorical_crossentropy(labels, model(pictures))
            loss = tf.reduce_mean(losses)
        weights = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        return loss

    def epoch():
        for batch in training_batches:
            loss = train(batch["pictures"], batch["labels"], classifier, adam)
        print(f"loss {loss.numpy():.4f}")

    return epoch
