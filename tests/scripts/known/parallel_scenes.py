"""Count the objects in drawn scenes; other processes draw them while the network trains."""

import argparse
import multiprocessing
from collections import deque

import numpy as np
import tensorflow as tf

SIDE = 32
MOST = 6
BATCH = 64


def draw_batch(seed):
    """Return scenes of squares on noise, and how many squares each has."""
    random = np.random.default_rng(seed)
    scenes = random.normal(scale=0.2, size=(BATCH, SIDE, SIDE, 1))
    counts = random.integers(0, MOST + 1, BATCH)
    for scene, count in zip(scenes, counts, strict=True):
        for row, column in random.integers(0, SIDE - 4, size=(count, 2)):
            scene[row : row + 4, column : column + 4] += 1.0
    return scenes.astype("float32"), counts.astype("int32")


def drawn_ahead(pool, steps, ahead=4):
    """Yield batches in order; a few more are being drawn meanwhile."""
    waiting = deque(pool.apply_async(draw_batch, [seed]) for seed in range(ahead))
    for seed in range(ahead, steps + ahead):
        yield waiting.popleft().get()
        if seed < steps:
            waiting.append(pool.apply_async(draw_batch, [seed]))


def make_model(filters):
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Input([SIDE, SIDE, 1]),
            layers.Conv2D(filters, 5, strides=2, activation="relu"),
            layers.Conv2D(filters, 3, activation="relu"),
            layers.GlobalAveragePooling2D(),
            layers.Dense(MOST + 1),
        ]
    )


def train(pool, args):
    tf.keras.utils.set_random_seed(0)
    model = make_model(args.filters)
    optimizer = tf.keras.optimizers.Adam(2e-3)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    mean_loss = tf.keras.metrics.Mean()

    @tf.function
    def train_step(scenes, counts):
        with tf.GradientTape() as tape:
            loss = loss_of(counts, model(scenes, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        mean_loss.update_state(loss)

    for step, (scenes, counts) in enumerate(drawn_ahead(pool, args.steps), start=1):
        train_step(scenes, counts)
        if step % 100 == 0:
            print(f"step {step}: loss {float(mean_loss.result()):.4f}")
            mean_loss.reset_state()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--filters", type=int, default=24)
    parser.add_argument("--processes", type=int, default=1)
    args = parser.parse_args()
    with multiprocessing.Pool(args.processes) as pool:
        train(pool, args)


if __name__ == "__main__":
    main()
