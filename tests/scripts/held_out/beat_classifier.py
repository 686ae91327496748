"""A 1-D convolutional classifier of synthetic heart beats, with a resumable training loop."""

import argparse
import tempfile

import numpy as np
import tensorflow as tf

CLASSES = ["normal", "early", "wide", "inverted"]


def make_beats(n, length, rng):
    """A P wave, a QRS complex and a T wave, each a bump whose shape depends on the class."""
    y = rng.integers(0, len(CLASSES), size=n)
    t = np.linspace(0, 1, length)

    def bump(centre, width, height):
        return height[:, None] * np.exp(-(((t - centre[:, None]) / width[:, None]) ** 2))

    shift = 0.03 * rng.normal(size=n)
    centre = np.where(y == 1, 0.35, 0.45) + shift
    width = np.where(y == 2, 0.06, 0.02) * rng.uniform(0.8, 1.2, size=n)
    height = np.where(y == 3, -1.0, 1.0) * rng.uniform(0.7, 1.3, size=n)
    x = bump(centre, width, height)
    x += bump(0.2 + shift, np.full(n, 0.04), np.where(y == 1, 0.02, 0.15))
    x += bump(0.75 + shift, np.full(n, 0.07), np.full(n, 0.3))
    x += 0.25 * rng.normal(size=x.shape)
    return x.astype("float32")[..., None], y.astype("int32")


def augment(x, y):
    """A drifting base line and another gain, as from another electrode."""
    phase = tf.random.uniform([], 0.0, 6.28)
    drift = 0.2 * tf.sin(tf.linspace(0.0, 6.28, x.shape[0]) + phase)
    return x * tf.random.uniform([], 0.8, 1.2) + drift[:, None], y


class BeatFeed:
    """Batches by the number of the step, so that a run that was cut off goes on where it was."""

    def __init__(self, x, y, batch_size, seed):
        data = tf.data.Dataset.from_tensor_slices((x, y))
        data = data.shuffle(512, seed=seed, reshuffle_each_iteration=False).repeat()
        self.data = data.map(augment).batch(batch_size)

    def batch(self, step):
        return next(iter(self.data.skip(step).take(1)))


def build_model(length):
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            tf.keras.Input((length, 1)),
            layers.Conv1D(16, 7, strides=2, activation="relu"),
            layers.Conv1D(32, 5, strides=2, activation="relu"),
            layers.GlobalAveragePooling1D(),
            layers.Dense(len(CLASSES)),
        ]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--length", type=int, default=160)
    parser.add_argument("--folder", default=None)
    parser.add_argument("--seed", type=int, default=22)
    args = parser.parse_args()

    tf.keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    feed = BeatFeed(*make_beats(4000, args.length, rng), args.batch_size, args.seed)
    x_test, y_test = make_beats(800, args.length, rng)
    model = build_model(args.length)
    optimizer = tf.keras.optimizers.Adam(2e-3)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    done = tf.Variable(0, dtype=tf.int64)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables, strict=True))
        return loss

    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, done=done)
    folder = args.folder or tempfile.mkdtemp(prefix="beats_")
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    checkpoint.restore(manager.latest_checkpoint)
    mean_loss = tf.keras.metrics.Mean()
    for step in range(int(done), args.steps):
        x, y = feed.batch(step)
        mean_loss.update_state(train_step(x, y))
        if (step + 1) % 60 == 0:
            done.assign(step + 1)
            manager.save()
            accuracy = np.mean(model(x_test).numpy().argmax(axis=1) == y_test)
            print(f"step {step + 1}: loss {mean_loss.result():.4f} test accuracy {accuracy:.4f}")
            mean_loss.reset_state()
    print(f"checkpoints: {len(manager.checkpoints)} in {folder}")


if __name__ == "__main__":
    main()
