"""A variational autoencoder on synthetic blobs, with the KL term annealed in."""

import argparse

import numpy as np
import tensorflow as tf


def make_blobs(n, size, seed):
    rng = np.random.default_rng(seed)
    axis = np.linspace(-1, 1, size)
    cx, cy = rng.uniform(-0.6, 0.6, size=(2, n, 1))
    width = rng.uniform(0.15, 0.4, size=(n, 1))
    gx = np.exp(-(((axis - cx) / width) ** 2))
    gy = np.exp(-(((axis - cy) / width) ** 2))
    return (gy[:, :, None] * gx[:, None, :]).reshape(n, -1).astype("float32")


class VAE(tf.Module):
    def __init__(self, pixels, hidden, latent):
        super().__init__()
        init = tf.keras.initializers.GlorotUniform(seed=11)
        self.enc = tf.Variable(init((pixels, hidden)))
        self.head = tf.Variable(0.5 * init((hidden, 2 * latent)))
        self.dec = tf.Variable(init((latent, pixels)))

    def encode(self, x):
        return tf.split(tf.nn.relu(x @ self.enc) @ self.head, 2, axis=1)

    def decode(self, z):
        return z @ self.dec


def kl_weight(step, ramp):
    """Linear from 0 up to 1."""
    return min(1.0, step / ramp)


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.lr = lr

    @tf.function
    def train_step(self, x, beta):
        with tf.GradientTape() as tape:
            mean, logvar = self.model.encode(x)
            z = mean + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mean))
            logits = self.model.decode(z)
            bits = tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits)
            rebuilt = tf.reduce_mean(tf.reduce_sum(bits, axis=1))
            kl = -0.5 * tf.reduce_sum(1 + logvar - tf.square(mean) - tf.exp(logvar), axis=1)
            loss = rebuilt + beta * tf.reduce_mean(kl)
        grads = tape.gradient(loss, self.model.trainable_variables)
        for variable, grad in zip(self.model.trainable_variables, grads, strict=True):
            variable.assign_sub(self.lr * grad)
        return loss, rebuilt


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=360)
    parser.add_argument("--ramp", type=int, default=360)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--latent", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    tf.keras.utils.set_random_seed(args.seed)
    images = make_blobs(4096, 20, args.seed)
    data = tf.data.Dataset.from_tensor_slices(images).shuffle(4096, seed=args.seed)
    batches = iter(data.repeat().batch(args.batch_size).prefetch(2))
    trainer = Trainer(VAE(images.shape[1], 128, args.latent), lr=1e-3)

    step = 0
    while step < args.steps:
        x = next(batches)
        beta = kl_weight(step, args.ramp)
        loss, rebuilt = trainer.train_step(x, beta)
        if step % 50 == 0:
            print(f"step {step}: beta {beta:.2f} loss {loss:.2f} reconstruction {rebuilt:.2f}")
        step += 1
    print(f"done: loss {float(loss):.2f}")


if __name__ == "__main__":
    main()
