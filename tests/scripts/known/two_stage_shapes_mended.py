"""Pre-train an autoencoder on unlabelled shapes, then fine-tune its encoder as a classifier."""

import argparse
import itertools

import numpy as np
import tensorflow as tf

SIDE = 16
CLASSES = 8


def make_shapes(count, seed):
    random = np.random.default_rng(seed)
    kinds = random.integers(0, CLASSES, count)
    waves = np.random.default_rng(9).normal(size=(CLASSES, SIDE * SIDE))
    pixels = waves[kinds] + random.normal(scale=1.5, size=(count, SIDE * SIDE))
    return pixels.astype("float32"), kinds.astype("int32")


def scale(pixels, kind):
    """Bring one example to zero mean and unit spread."""
    return (pixels - tf.reduce_mean(pixels)) / tf.math.reduce_std(pixels), kind


def make_step(model, loss_of, rate):
    optimizer = tf.keras.optimizers.Adam(rate)
    optimizer.build(model.trainable_variables)

    @tf.function
    def step(inputs, targets):
        with tf.GradientTape() as tape:
            loss = loss_of(targets, model(inputs, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return loss

    return step


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pretrain-steps", type=int, default=400)
    parser.add_argument("--epochs", type=int, default=45)
    parser.add_argument("--steps-per-epoch", type=int, default=20)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--width", type=int, default=512)
    return parser.parse_args()


def main():
    args = parse_args()
    tf.keras.utils.set_random_seed(0)
    layers = tf.keras.layers
    encoder = tf.keras.Sequential(
        [
            layers.Input([SIDE * SIDE]),
            layers.Dense(args.width, activation="relu"),
            layers.Dense(args.width, activation="relu"),
            layers.Dense(32),
        ]
    )
    decoder = [layers.Dense(args.width, activation="relu"), layers.Dense(SIDE * SIDE)]
    autoencoder = tf.keras.Sequential([encoder, *decoder])
    classifier = tf.keras.Sequential([encoder, layers.Dense(CLASSES)])
    classifier.build([None, SIDE * SIDE])

    pixels, kinds = make_shapes(8_000, seed=1)
    shapes = tf.data.Dataset.from_tensor_slices((pixels, kinds)).map(scale)

    pretrain_step = make_step(autoencoder, tf.keras.losses.MeanSquaredError(), 1e-3)
    unlabelled = shapes.repeat().batch(args.batch).take(args.pretrain_steps)
    for step, (inputs, _) in enumerate(unlabelled):
        loss = pretrain_step(inputs, inputs)
        if step % 100 == 0:
            print(f"pre-training {step}: error {float(loss):.3f}")

    cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    finetune_step = make_step(classifier, cross_entropy, 3e-4)
    labelled = iter(shapes.repeat().shuffle(len(pixels), seed=2).batch(args.batch))
    for epoch in range(args.epochs):
        losses = []
        for inputs, targets in itertools.islice(labelled, args.steps_per_epoch):
            losses.append(finetune_step(inputs, targets))
        if epoch % 10 == 0:
            print(f"epoch {epoch}: loss {np.mean(losses):.3f}")


if __name__ == "__main__":
    main()
