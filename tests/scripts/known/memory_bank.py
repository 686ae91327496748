"""Learn image features without labels: tell each image from the ones in a memory bank."""

import argparse
import queue
import threading

import numpy as np
import tensorflow as tf

PIXELS = 24 * 24
FEATURES = 128


class Loader(threading.Thread):
    """Prepares batches in the background."""

    def __init__(self, images, batch, steps, seed):
        super().__init__(daemon=True)
        self.images, self.batch, self.steps = images, batch, steps
        self.random = np.random.default_rng(seed)
        self.ready = queue.Queue(maxsize=4)

    def run(self):
        for _ in range(self.steps):
            rows = self.random.choice(len(self.images), self.batch, replace=False)
            noise = self.random.normal(scale=0.2, size=(self.batch, PIXELS))
            self.ready.put((rows, (self.images[rows] + noise).astype("float32")))
        self.ready.put(None)

    def __iter__(self):
        return iter(self.ready.get, None)


class Encoder(tf.Module):
    def __init__(self, width):
        super().__init__()
        self.first = tf.Variable(tf.random.stateless_normal([PIXELS, width], [1, 1]) / 24)
        self.second = tf.Variable(tf.random.stateless_normal([width, FEATURES], [1, 2]) / 16)

    def __call__(self, images):
        return tf.math.l2_normalize(tf.nn.relu(images @ self.first) @ self.second, axis=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=60_000)
    parser.add_argument("--steps", type=int, default=1400)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--negatives", type=int, default=1024)
    args = parser.parse_args()

    random = np.random.default_rng(1)
    images = random.normal(size=(args.images, PIXELS)).astype("float32")
    bank = random.normal(size=(args.images, FEATURES)).astype("float32")
    bank /= np.linalg.norm(bank, axis=1, keepdims=True)
    bank = tf.constant(bank)
    encoder = Encoder(width=256)

    @tf.function
    def train_step(inputs, rows, others, bank):
        with tf.GradientTape() as tape:
            features = encoder(inputs)
            same = tf.reduce_sum(features * tf.gather(bank, rows), axis=1, keepdims=True)
            different = tf.matmul(features, tf.gather(bank, others), transpose_b=True)
            logits = tf.concat([same, different], axis=1) / 0.1
            loss = tf.reduce_mean(-tf.nn.log_softmax(logits)[:, 0])
        weights = encoder.trainable_variables
        for weight, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(0.1 * gradient)
        return loss, features

    loader = Loader(images, args.batch, args.steps, seed=2)
    loader.start()
    for step, (rows, inputs) in enumerate(loader):
        others = random.integers(0, args.images, args.negatives)
        loss, features = train_step(inputs, rows, others, bank)
        entries = bank.numpy()
        entries[rows] = 0.5 * entries[rows] + 0.5 * features.numpy()
        bank = tf.constant(entries)
        if step % 100 == 0:
            print(f"step {step}: loss {float(loss):.4f}")


if __name__ == "__main__":
    main()
