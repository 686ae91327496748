"""Tells bat species apart by their calls, with few labels and a mean teacher."""
import argparse
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf
from keras import layers

SPECIES = 5
FRAMES, BANDS = 20, 24


def calls(rng, count):
    species = rng.integers(0, SPECIES, count)
    t = np.linspace(0, 1, FRAMES)[None, :]
    top = (8 + 3 * species + rng.normal(0, 0.8, count))[:, None]
    slope = (2 + species * 1.5)[:, None]
    ridge = top - slope * t
    bands = np.arange(BANDS)[None, None, :]
    sound = np.exp(-0.5 * (bands - ridge[:, :, None]) ** 2)
    sound += rng.normal(0, 0.25, sound.shape)
    return sound[..., None].astype("float32"), species.astype("int32")


def build():
    return keras.Sequential([
        keras.Input((FRAMES, BANDS, 1)),
        layers.Conv2D(8, 3, strides=2, activation="relu"),
        layers.BatchNormalization(),
        layers.Conv2D(16, 3, strides=2, activation="relu"),
        layers.BatchNormalization(),
        layers.Flatten(),
        layers.Dense(32, activation="relu"),
        layers.Dense(SPECIES),
    ])


class Teacher:
    """A slow average of the student, which says what the unlabelled calls should be."""

    def __init__(self, student, keep=0.98):
        self.student = student
        self.keep = keep
        self.average = [np.array(w) for w in student.get_weights()]

    def follow(self):
        for mean, now in zip(self.average, self.student.get_weights()):
            mean += (1 - self.keep) * (now - mean)

    def network(self):
        twin = keras.models.clone_model(self.student)
        twin.set_weights(self.average)
        return twin

    def opinion(self, sounds):
        return tf.nn.softmax(self.network()(sounds, training=False))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=450)
    parser.add_argument("--weight", type=float, default=1.5)
    args = parser.parse_args()

    keras.utils.set_random_seed(23)
    rng = np.random.default_rng(23)
    known_x, known_y = calls(rng, 60)
    wild_x, _ = calls(rng, 3000)
    test_x, test_y = calls(rng, 600)

    student = build()
    teacher = Teacher(student)
    optimizer = keras.optimizers.Adam(1e-3)
    optimizer.build(student.trainable_variables)

    @tf.function
    def learn(x, y, wild, target):
        with tf.GradientTape() as tape:
            named = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=y, logits=student(x, training=True)))
            agreed = tf.reduce_mean(tf.square(
                tf.nn.softmax(student(wild, training=True)) - target))
            loss = named + args.weight * agreed
        grads = tape.gradient(loss, student.trainable_variables)
        optimizer.apply_gradients(zip(grads, student.trainable_variables))
        return loss

    step, loss = 0, None
    while step < args.steps:
        few = rng.choice(len(known_x), 16, replace=False)
        many = rng.choice(len(wild_x), 48, replace=False)
        wild = wild_x[many]
        target = teacher.opinion(wild)
        shaken = wild + rng.normal(0, 0.1, wild.shape).astype("float32")
        loss = learn(tf.constant(known_x[few]), tf.constant(known_y[few]),
                     tf.constant(shaken), target)
        teacher.follow()
        step += 1
        if step % 75 == 0:
            guess = student(test_x, training=False).numpy().argmax(axis=1)
            print(f"{step:4d}  loss {float(loss):.3f}  right {np.mean(guess == test_y):.3f}")


if __name__ == "__main__":
    main()
