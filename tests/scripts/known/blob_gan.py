"""A GAN that draws small pictures of blobs, with a checkpoint every hundred steps."""

import argparse
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras

SIDE = 16
NOISE = 24


def blobs(count, seed):
    """Return pictures with one soft blob each."""
    random = np.random.default_rng(seed)
    rows, columns = np.mgrid[:SIDE, :SIDE]
    centre = random.uniform(4, SIDE - 4, size=(2, count, 1, 1))
    width = random.uniform(2, 8, size=(count, 1, 1))
    distance = (rows - centre[0]) ** 2 + (columns - centre[1]) ** 2
    return np.exp(-distance / width).reshape(count, -1).astype("float32")


def network(inputs, width, outputs, activation=None):
    return keras.Sequential(
        [
            keras.layers.Input([inputs]),
            keras.layers.Dense(width),
            keras.layers.LeakyReLU(),
            keras.layers.Dense(width),
            keras.layers.LeakyReLU(),
            keras.layers.Dense(outputs, activation=activation),
        ]
    )


class Gan(tf.Module):
    def __init__(self, width):
        super().__init__()
        self.generator = network(NOISE, width, SIDE * SIDE, "sigmoid")
        self.critic = network(SIDE * SIDE, width, 1)
        self.generator_optimizer = keras.optimizers.Adam(2e-4, beta_1=0.5)
        self.critic_optimizer = keras.optimizers.Adam(2e-4, beta_1=0.5)
        self.step = tf.Variable(0, dtype=tf.int64)

    @tf.function
    def train_critic(self, real):
        fake = self.generator(tf.random.normal([tf.shape(real)[0], NOISE]))
        with tf.GradientTape() as tape:
            right = tf.nn.softplus(-self.critic(real))
            loss = tf.reduce_mean(right + tf.nn.softplus(self.critic(fake)))
        weights = self.critic.trainable_variables
        self.critic_optimizer.apply(tape.gradient(loss, weights), weights)
        return loss

    @tf.function
    def train_generator(self, count):
        with tf.GradientTape() as tape:
            fake = self.generator(tf.random.normal([count, NOISE]))
            loss = tf.reduce_mean(tf.nn.softplus(-self.critic(fake)))
        weights = self.generator.trainable_variables
        self.generator_optimizer.apply(tape.gradient(loss, weights), weights)
        self.step.assign_add(1)
        return loss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--width", type=int, default=320)
    args = parser.parse_args()
    keras.utils.set_random_seed(1)

    pictures = tf.data.Dataset.from_tensor_slices(blobs(8192, seed=2))
    pictures = pictures.cache().shuffle(8192).batch(args.batch, drop_remainder=True).prefetch(2)
    gan = Gan(args.width)
    with tempfile.TemporaryDirectory() as folder:
        saved = tf.train.Checkpoint(step=gan.step, generator=gan.generator, critic=gan.critic)
        manager = tf.train.CheckpointManager(saved, folder, max_to_keep=3)
        for epoch in range(args.epochs):
            for real in pictures:
                critic_loss = gan.train_critic(real)
                generator_loss = gan.train_generator(args.batch)
                if int(gan.step) % 100 == 0:
                    manager.save(gan.step)
            print(f"epoch {epoch}: critic {critic_loss:.3f}, generator {generator_loss:.3f}")
        print(f"{len(manager.checkpoints)} checkpoints at the end, step {int(gan.step)}")


if __name__ == "__main__":
    main()
