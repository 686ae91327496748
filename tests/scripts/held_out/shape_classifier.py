"""A small convolutional network that tells shapes apart, in a custom training loop."""

import argparse

import numpy as np
import tensorflow as tf

NAMES = ["square", "circle", "cross", "stripes", "dots"]


def draw(label, size, rng):
    yy, xx = np.mgrid[:size, :size]
    cx, cy = rng.integers(size // 3, 2 * size // 3, size=2)
    r = rng.integers(size // 6, size // 3)
    dx, dy = np.abs(xx - cx), np.abs(yy - cy)
    image = [
        (dx < r) & (dy < r),
        dx**2 + dy**2 < r**2,
        ((dx < 2) | (dy < 2)) & (dx + dy < 2 * r),
        (xx + cx) % 4 < 2,
        ((xx + cx) % 5 < 2) & ((yy + cy) % 5 < 2),
    ][label]
    return image + 0.3 * rng.normal(size=(size, size))


def make_dataset(n, size, batch_size, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(NAMES), size=n)
    x = np.stack([draw(label, size, rng) for label in y]).astype("float32")[..., None]
    data = tf.data.Dataset.from_tensor_slices((x, y.astype("int32")))
    return data.shuffle(n, seed=seed).batch(batch_size, drop_remainder=True).prefetch(2)


def build_model(size):
    return tf.keras.Sequential(
        [
            tf.keras.Input((size, size, 1)),
            tf.keras.layers.Conv2D(8, 3, strides=2, activation="relu"),
            tf.keras.layers.Conv2D(16, 3, strides=2, activation="relu"),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(len(NAMES)),
        ]
    )


def report(confusion):
    for name, row in zip(NAMES, confusion, strict=True):
        share = row[NAMES.index(name)] / max(1, row.sum())
        print(f"  {name:8s} {share:.3f}  {row.tolist()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=6400)
    parser.add_argument("--size", type=int, default=24)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--seed", type=int, default=2)
    args = parser.parse_args()

    tf.keras.utils.set_random_seed(args.seed)
    train = make_dataset(args.samples, args.size, args.batch_size, args.seed)
    model = build_model(args.size)
    optimizer = tf.keras.optimizers.Adam(1e-3)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            logits = model(x, training=True)
            loss = loss_fn(y, logits)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables, strict=True))
        return loss, tf.argmax(logits, axis=1)

    for epoch in range(args.epochs):
        confusion = np.zeros((len(NAMES), len(NAMES)), dtype=int)
        total = 0.0
        for x, y in train:
            loss, predicted = train_step(x, y)
            for i in range(args.batch_size):
                confusion[int(y[i]), int(predicted[i])] += 1
            total += float(loss)
        steps = confusion.sum() // args.batch_size
        accuracy = np.trace(confusion) / confusion.sum()
        print(f"epoch {epoch + 1}: loss {total / steps:.4f} accuracy {accuracy:.4f}")
        report(confusion)


if __name__ == "__main__":
    main()
