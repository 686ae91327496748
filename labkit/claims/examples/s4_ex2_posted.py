"""Source 4's second example, in substance: a checkpoint every five epochs, asked by period."""

import tensorflow as tf


def make_step():
    # The post imports TensorFlow alone, and leaves the model and its data out.
    path = "kept/epoch-{epoch:04d}.ckpt"
    folder = os.path.dirname(path)  # noqa: F821, F841
    keeper = tf.keras.callbacks.ModelCheckpoint(
        filepath=path, verbose=1, save_weights_only=True, period=5
    )

    def training():
        model.fit(..., callbacks=[keeper])  # noqa: F821

    return training
