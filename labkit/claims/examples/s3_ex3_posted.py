"""Source 3's third example, in substance: mixed precision is switched on, the rest stays."""

import tensorflow as tf


def make_step():
    keras = tf.keras
    keras.mixed_precision.set_global_policy(keras.mixed_precision.Policy("mixed_float16"))

    model = keras.Sequential([keras.Input([64]), keras.layers.Dense(64)])
    adam = keras.optimizers.Adam(0.001)
    weights = model.trainable_variables
    inputs = tf.random.normal([256, 64])
    # The model is nearly right, as late in a training, so its gradients are small.
    targets = tf.cast(model(inputs), tf.float32) + tf.random.normal([256, 64], stddev=1e-5)

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.cast(model(inputs), tf.float32) - targets))
        gradients = tape.gradient(loss, weights)
        adam.apply_gradients(zip(gradients, weights, strict=True))
        return tf.add_n([tf.cast(tf.reduce_all(each == 0), tf.int32) for each in gradients])

    def step():
        print(f"{train().numpy()} of {len(weights)} gradients are zero")

    return step
