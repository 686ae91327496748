"""Reads the five digits of a water meter from small pictures of its wheels."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf
from keras import layers

WHEELS = 5
BATCH = 32
STEPS = 350


def meters(seed, count):
    rng = np.random.default_rng(seed)
    shapes = np.random.default_rng(99).uniform(0, 1, (10, 14, 8)) > 0.5
    digits = rng.integers(0, 10, (count, WHEELS))
    turn = rng.integers(-1, 2, (count, WHEELS))
    pictures = np.zeros((count, 16, 8 * WHEELS), np.float32)
    for n in range(count):
        for w in range(WHEELS):
            wheel = np.roll(shapes[digits[n, w]], turn[n, w], axis=0)
            pictures[n, 1:15, 8 * w:8 * w + 8] = wheel
    pictures += rng.normal(0, 0.3, pictures.shape)
    return pictures[..., None], digits.astype(np.int32)


class Tally:
    """Which digit is taken for which, and how far the readings are off."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.table = np.zeros((10, 10), np.int64)
        self.off_by = 0
        self.readings = 0

    def count(self, digits, logits):
        for truth, scores in zip(digits, logits):
            meant, said = 0, 0
            for wheel in range(WHEELS):
                true_digit = int(truth[wheel])
                guess = int(tf.argmax(scores[wheel]))
                self.table[true_digit, guess] += 1
                meant, said = meant * 10 + true_digit, said * 10 + guess
            self.off_by += abs(meant - said)
            self.readings += 1

    def line(self):
        right = np.trace(self.table) / max(1, self.table.sum())
        return f"digits right {right:.3f}, off by {self.off_by / max(1, self.readings):.0f}"


class Reader:
    def __init__(self):
        picture = keras.Input((16, 8 * WHEELS, 1))
        x = layers.Conv2D(16, 3, padding="same", activation="relu")(picture)
        x = layers.MaxPooling2D(2)(x)
        x = layers.Conv2D(24, 3, padding="same", activation="relu")(x)
        x = layers.Permute((2, 1, 3))(x)
        x = layers.Reshape((WHEELS, 4 * 8 * 24))(x)
        self.model = keras.Model(picture, layers.Dense(10)(x))
        self.optimizer = keras.optimizers.Adam(1e-3)
        self.optimizer.build(self.model.trainable_variables)
        self.tally = Tally()

    @tf.function
    def update(self, pictures, digits):
        with tf.GradientTape() as tape:
            logits = self.model(pictures, training=True)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=digits, logits=logits))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss, logits

    def step(self, pictures, digits):
        loss, logits = self.update(pictures, digits)
        self.tally.count(digits, logits)
        return loss

    def learn(self, data):
        for number, (pictures, digits) in enumerate(data.take(STEPS), start=1):
            loss = self.step(pictures, digits)
            if number % 50 == 0:
                print(f"{number:4d}  loss {float(loss):.4f}  {self.tally.line()}")
                self.tally.clear()


def main():
    keras.utils.set_random_seed(19)
    pictures, digits = meters(1, 3200)
    data = (tf.data.Dataset.from_tensor_slices((pictures, digits))
            .shuffle(3200, seed=19).repeat().batch(BATCH).prefetch(2))
    reader = Reader()
    reader.learn(data)
    new_pictures, new_digits = meters(2, 256)
    guess = reader.model(new_pictures, training=False).numpy().argmax(axis=-1)
    print("new meters read without a mistake:", np.mean((guess == new_digits).all(axis=1)))


if __name__ == "__main__":
    main()
