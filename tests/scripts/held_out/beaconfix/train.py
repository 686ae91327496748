"""Pretrains on clean walks, then trains on noisy ones: ``python -m beaconfix.train``."""

import argparse
import itertools

import keras
import numpy as np
import tensorflow as tf

from . import data, report

watch = report.Stopwatch()


class Locator:
    def __init__(self, width):
        self.model = keras.Sequential(
            [
                keras.Input((data.BEACONS,)),
                keras.layers.Dense(width, activation="relu"),
                keras.layers.LayerNormalization(),
                keras.layers.Dense(width, activation="relu"),
                keras.layers.Dense(2),
            ]
        )
        self.optimizer = keras.optimizers.Adam(1e-3)
        self.optimizer.build(self.model.trainable_variables)

    @watch.timed
    def learn(self, heard, places):
        return float(self.step(heard, places))

    @tf.function
    def step(self, heard, places):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(heard, training=True) - places))
        variables = self.model.trainable_variables
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return loss


@watch.timed
def snapshot(locator, kept, most=5):
    kept.append(locator.model.get_weights())
    del kept[:-most]


def main():
    parser = argparse.ArgumentParser(prog="beaconfix", description=__doc__)
    parser.add_argument("--pretraining", type=int, default=500)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--seed", type=int, default=11)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    hall, locator, kept, losses = data.Hall(args.seed), Locator(args.width), [], []
    clean = hall.walks(args.batch)
    for heard, places in itertools.islice(clean, args.pretraining):
        loss = locator.learn(heard, places)
    report.get_logger().info("pretrained: loss %.5f", loss)

    stream = data.deaf(data.noisy(hall.walks(args.batch // 4), 0.05, rng), 0.2, rng)
    for step, (heard, places) in enumerate(data.joined(stream, 4), start=1):
        losses.append(locator.learn(heard, places))
        snapshot(locator, kept)
        if step % 300 == 0:
            report.note(step, losses, watch)
        if step == args.steps:
            break

    locator.model.set_weights([np.mean(parts, axis=0) for parts in zip(*kept, strict=True)])
    heard, places = next(data.noisy(hall.walks(2000), 0.05, rng))
    error = np.linalg.norm(locator.model.predict(heard, verbose=0) - places, axis=1)
    print(
        f"off by {np.median(error):.4f} of the hall, 95th percentile {np.quantile(error, 0.95):.4f}"
    )


if __name__ == "__main__":
    main()
