"""Trains a small convolutional network to count cells: ``python -m cellcount.train``."""

import argparse
import itertools

import keras
import tensorflow as tf
from keras import layers

from . import journal, pictures


def build_model():
    return keras.Sequential(
        [
            keras.Input((pictures.SIDE, pictures.SIDE, 1)),
            layers.Conv2D(12, 3, strides=2, activation="relu"),
            layers.Conv2D(24, 3, strides=2, activation="relu"),
            layers.GlobalAveragePooling2D(),
            layers.Dense(32, activation="relu"),
            layers.Dense(1, activation="softplus"),
        ]
    )


class Trainer:
    def __init__(self, model, rate):
        self.model = model
        self.optimizer = keras.optimizers.Adam(rate)
        self.optimizer.build(model.trainable_variables)

    @tf.function
    def step(self, images, counts):
        with tf.GradientTape() as tape:
            guess = self.model(images, training=True)[:, 0]
            loss = tf.reduce_mean(guess - counts * tf.math.log(guess + 1e-6))
        variables = self.model.trainable_variables
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return loss, [tf.norm(part) for part in (*gradients, *variables)]

    def norms(self, values):
        paths = [variable.path for variable in self.model.trainable_variables]
        names = [f"{of} {path}" for of in ("gradient", "weight") for path in paths]
        return dict(zip(names, (float(value) for value in values), strict=True))


def main():
    parser = argparse.ArgumentParser(prog="cellcount", description=__doc__)
    parser.add_argument("--pictures", type=int, default=3000)
    parser.add_argument("--batch", type=int, default=48)
    parser.add_argument("--steps", type=int, default=640)
    parser.add_argument("--seed", type=int, default=2)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    images, counts = pictures.make_pictures(args.pictures, args.seed)
    test_images, test_counts = pictures.make_pictures(300, args.seed + 1)
    trainer = Trainer(build_model(), 2e-3)
    stream = pictures.batches(images, counts, args.batch, args.seed)
    for step, batch in enumerate(itertools.islice(stream, args.steps)):
        loss, values = trainer.step(*batch)
        journal.note_step(step, float(loss), trainer.norms(values))
        if step % 40 == 0:
            print(f"step {step:4d}  loss {float(loss):.4f}", flush=True)

    guess = trainer.model.predict(test_images, verbose=0)[:, 0]
    print(f"off by {abs(guess - test_counts).mean():.2f} cells; notes in {journal.FOLDER}")


if __name__ == "__main__":
    main()
