"""python -m icefloe.train: learns the drift of the ice from maps of wind and current."""
import argparse
import logging
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import tensorflow as tf
from keras import layers

from .curves import cosine, ramp, scheduled
from .fields import SIDE, maps

log = logging.getLogger("icefloe")

net = keras.Sequential([
    keras.Input((SIDE, SIDE, 4)),
    layers.Conv2D(16, 3, padding="same", activation="gelu"),
    layers.Conv2D(16, 3, padding="same", activation="gelu"),
    layers.Conv2D(2, 1),
])
optimizer = keras.optimizers.SGD(0.05, momentum=0.9)


@tf.function
def validate(field, drift):
    return tf.reduce_mean(tf.abs(net(field, training=False) - drift))


@scheduled(jitter=cosine(0.15, 0.01, 400), stiffness=ramp(0.02, 250))
@tf.function
def train_step(field, drift, jitter, stiffness):
    noisy = field + jitter * tf.random.normal(tf.shape(field))
    with tf.GradientTape() as tape:
        guess = net(noisy, training=True)
        error = tf.reduce_mean(tf.square(guess - drift))
        bend = tf.reduce_mean(tf.image.total_variation(guess)) / SIDE ** 2
        loss = error + stiffness * bend
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    return loss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch", type=int, default=24)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    keras.utils.set_random_seed(7)

    field, drift = maps(1, 768)
    optimizer.build(net.trainable_variables)
    data = (tf.data.Dataset.from_tensor_slices((field, drift))
            .shuffle(768, seed=3).batch(args.batch, drop_remainder=True).prefetch(1))
    test = maps(2, 96)

    for epoch in range(args.epochs):
        total = 0.0
        for step, (x, y) in enumerate(data):
            loss = train_step(x, y)
            total += float(loss)
        log.info("epoch %d: loss %.4f, error on new maps %.4f",
                 epoch, total / (step + 1), float(validate(*test)))


if __name__ == "__main__":
    main()
