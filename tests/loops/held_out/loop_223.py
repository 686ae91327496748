import keras
import tensorflow as tf


def make_step():
    keras.utils.set_random_seed(23)
    model = keras.Sequential(
        [keras.Input([28]), keras.layers.Dense(64, activation="relu"), keras.layers.Dense(28)]
    )
    optimizer = keras.optimizers.Adam(1e-3)
    optimizer.build(model.trainable_variables)
    x = tf.random.stateless_normal([64, 28], [23, 2])
    history = {"loss": [], "reconstruction": []}

    @tf.function
    def train():
        with tf.GradientTape() as tape:
            decoded = model(x, training=True)
            loss = tf.reduce_mean(tf.square(decoded - x))
        optimizer.apply(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
        return loss, decoded

    def step():
        loss, decoded = train()
        history["loss"].append(loss)
        history["reconstruction"].append(decoded)

    return step
