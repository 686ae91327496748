"""Rates the danger of avalanches on slopes from a week of snow and weather."""
import argparse
import collections
import logging
import os
import pathlib
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf
from keras import layers

LEVELS = 4
log = logging.getLogger("avalanche")


def weeks(seed, count):
    rng = np.random.default_rng(seed)
    hours = rng.normal(size=(count, 56, 6)).astype(np.float32)
    hours = hours.cumsum(axis=1) / 6
    snow = np.clip(hours[:, -16:, 0], 0, None).sum(axis=1)
    wind = np.abs(hours[:, -24:, 1]).mean(axis=1)
    warm = hours[:, -8:, 2].max(axis=1)
    risk = 0.3 * snow + wind + 0.8 * warm
    cuts = np.quantile(risk, [0.35, 0.65, 0.9])
    return hours, np.digitize(risk, cuts).astype(np.int32)


def network():
    week = keras.Input((56, 6))
    x = layers.Conv1D(24, 5, padding="same", activation="relu")(week)
    x = layers.AveragePooling1D(2)(x)
    x = layers.GRU(24)(x)
    x = layers.Dense(32, activation="relu")(x)
    return keras.Model(week, layers.Dense(LEVELS)(x))


class Trainer:
    def __init__(self, out, rate):
        self.model = network()
        self.optimizer = keras.optimizers.Adam(rate)
        self.optimizer.build(self.model.trainable_variables)
        self.loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.recent = collections.deque(maxlen=50)
        self.best = (float("inf"), None)
        self.keeper = tf.train.CheckpointManager(
            tf.train.Checkpoint(model=self.model, optimizer=self.optimizer), str(out), max_to_keep=3)

    @tf.function
    def learn(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.model(x, training=True))
        grads, _ = tf.clip_by_global_norm(
            tape.gradient(loss, self.model.trainable_variables), 1.0)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    @tf.function
    def rate(self, x):
        return tf.argmax(self.model(x, training=False), axis=1)

    def validate(self, data):
        table = np.zeros((LEVELS, LEVELS), int)
        for x, y in data:
            np.add.at(table, (y.numpy(), self.rate(x).numpy()), 1)
        return np.trace(table) / table.sum()

    def epoch(self, number, data, test):
        began = time.perf_counter()
        for step, (x, y) in enumerate(data):
            self.recent.append(float(self.learn(x, y)))
            if step % 60 == 0:
                log.info("epoch %d step %d loss %.4f", number, step, np.mean(self.recent))
        right = self.validate(test)
        self.keeper.save()
        if 1 - right < self.best[0]:
            self.best = (1 - right, self.model.get_weights())
        log.info("epoch %d: %.3f right, %.1f s", number, right, time.perf_counter() - began)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("avalanche_out"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    keras.utils.set_random_seed(43)
    x, y = weeks(1, 4800)
    data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(4800, seed=1).batch(32).prefetch(2)
    test = tf.data.Dataset.from_tensor_slices(weeks(2, 640)).batch(64)
    trainer = Trainer(args.out, args.rate)
    for number in range(args.epochs):
        trainer.epoch(number, data, test)
    trainer.model.set_weights(trainer.best[1])
    log.info("best: %.3f right", trainer.validate(test))


if __name__ == "__main__":
    main()
