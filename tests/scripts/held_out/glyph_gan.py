"""A small GAN that learns to draw glyph-like strokes."""

import argparse
import pathlib
import tempfile

import numpy as np
import tensorflow as tf
from PIL import Image

layers = tf.keras.layers


def make_glyphs(n, size, seed):
    rng = np.random.default_rng(seed)
    images = np.zeros((n, size, size), dtype="float32")
    t = np.linspace(0, 1, 60)
    for image in images:
        points = rng.uniform(4, size - 4, size=(3, 2))
        curve = (1 - t)[:, None] ** 2 * points[0] + 2 * (t * (1 - t))[:, None] * points[1]
        curve += t[:, None] ** 2 * points[2]
        rows, cols = curve.astype(int).T
        image[rows, cols] = image[rows + 1, cols] = 1.0
    return images[..., None] * 2 - 1


def build_generator(latent, size):
    return tf.keras.Sequential(
        [
            tf.keras.Input((latent,)),
            layers.Dense(128, activation="relu"),
            layers.Dense(size * size, activation="tanh"),
            layers.Reshape((size, size, 1)),
        ]
    )


def build_discriminator(size):
    return tf.keras.Sequential(
        [
            tf.keras.Input((size, size, 1)),
            layers.Conv2D(8, 4, strides=4, activation="relu"),
            layers.Flatten(),
            layers.Dense(64, activation="relu"),
            layers.Dense(1),
        ]
    )


class GAN:
    def __init__(self, latent, size):
        self.latent = latent
        self.generator = build_generator(latent, size)
        self.discriminator = build_discriminator(size)
        self.g_optimizer = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)
        self.d_optimizer = tf.keras.optimizers.Adam(5e-4, beta_1=0.5)
        self.bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function
    def train_discriminator(self, real):
        noise = tf.random.normal((tf.shape(real)[0], self.latent))
        fake = self.generator(noise, training=True)
        variables = self.discriminator.trainable_variables
        with tf.GradientTape() as tape:
            on_real = self.discriminator(real, training=True)
            on_fake = self.discriminator(fake, training=True)
            loss = self.bce(tf.ones_like(on_real) * 0.9, on_real)
            loss += self.bce(tf.zeros_like(on_fake), on_fake)
        grads = tape.gradient(loss, variables)
        self.d_optimizer.apply_gradients(zip(grads, variables, strict=True))
        return loss

    @tf.function
    def train_generator(self, count):
        variables = self.generator.trainable_variables
        with tf.GradientTape() as tape:
            fake = self.generator(tf.random.normal((count, self.latent)), training=True)
            verdict = self.discriminator(fake, training=True)
            loss = self.bce(tf.ones_like(verdict), verdict)
        grads = tape.gradient(loss, variables)
        self.g_optimizer.apply_gradients(zip(grads, variables, strict=True))
        return loss, fake


def contact_sheet(images, path):
    tiles = [np.hstack(row) for row in np.split(images[:64, :, :, 0], 8)]
    Image.fromarray(((np.vstack(tiles) + 1) * 127.5).astype("uint8")).save(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--seed", type=int, default=4)
    args = parser.parse_args()

    tf.keras.utils.set_random_seed(args.seed)
    glyphs = make_glyphs(4096, 28, args.seed)
    data = tf.data.Dataset.from_tensor_slices(glyphs).shuffle(4096, seed=args.seed)
    data = data.batch(args.batch_size, drop_remainder=True).prefetch(2)
    gan = GAN(latent=32, size=28)
    history = []
    with tempfile.TemporaryDirectory() as folder:
        for epoch in range(args.epochs):
            for real in data:
                d_loss = gan.train_discriminator(real)
                g_loss, fake = gan.train_generator(args.batch_size)
                history.append({"d": d_loss, "g": g_loss, "images": fake})
            recent = history[-len(data) :]
            d_mean = np.mean([entry["d"] for entry in recent])
            g_mean = np.mean([entry["g"] for entry in recent])
            contact_sheet(history[-1]["images"].numpy(), pathlib.Path(folder) / f"{epoch}.png")
            print(f"epoch {epoch + 1}: discriminator {d_mean:.3f} generator {g_mean:.3f}")


if __name__ == "__main__":
    main()
