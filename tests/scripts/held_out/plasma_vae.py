"""A variational autoencoder of plasma probe signals whose prior is phased in over the training."""

import argparse

import keras
import numpy as np
import tensorflow as tf
from keras import layers

SAMPLES = 128


def make_signals(count, rng):
    time = np.linspace(0, 1, SAMPLES)
    frequency = rng.uniform(2, 9, size=(count, 1))
    decay = rng.uniform(0.5, 4, size=(count, 1))
    phase = rng.uniform(0, 2 * np.pi, size=(count, 1))
    signals = np.exp(-decay * time) * np.sin(2 * np.pi * frequency * time + phase)
    return (signals + 0.05 * rng.normal(size=signals.shape)).astype("float32")


class SignalVAE:
    def __init__(self, latent, width, rate):
        self.encoder = keras.Sequential(
            [
                keras.Input((SAMPLES,)),
                layers.Dense(width, activation="relu"),
                layers.Dense(2 * latent),
            ]
        )
        self.decoder = keras.Sequential(
            [
                keras.Input((latent,)),
                layers.Dense(width, activation="relu"),
                layers.Dense(SAMPLES),
            ]
        )
        self.optimizer = keras.optimizers.Adam(rate)
        self.optimizer.build(self.variables)

    @property
    def variables(self):
        return self.encoder.trainable_variables + self.decoder.trainable_variables

    @tf.function
    def train_step(self, signals, beta):
        with tf.GradientTape() as tape:
            mean, log_var = tf.split(self.encoder(signals, training=True), 2, axis=1)
            z = mean + tf.exp(0.5 * log_var) * tf.random.normal(tf.shape(mean))
            error = tf.reduce_sum(tf.square(signals - self.decoder(z, training=True)), axis=1)
            kl = -0.5 * tf.reduce_sum(1 + log_var - tf.square(mean) - tf.exp(log_var), axis=1)
            loss = tf.reduce_mean(error + beta * kl)
        gradients = tape.gradient(loss, self.variables)
        self.optimizer.apply_gradients(zip(gradients, self.variables, strict=True))
        return loss, tf.reduce_mean(kl)


class PriorWeight:
    """Rises to its full value along a half cosine."""

    def __init__(self, full, steps):
        self.full = full
        self.steps = steps

    def at(self, step):
        return float(self.full * 0.5 * (1 - np.cos(np.pi * min(1.0, step / self.steps))))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--signals", type=int, default=8192)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--steps", type=int, default=160)
    parser.add_argument("--latent", type=int, default=8)
    parser.add_argument("--width", type=int, default=192)
    parser.add_argument("--seed", type=int, default=3)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    signals = make_signals(args.signals, np.random.default_rng(args.seed))
    dataset = tf.data.Dataset.from_tensor_slices(signals).shuffle(2048, seed=args.seed)
    batches = iter(dataset.repeat().batch(args.batch).prefetch(2))
    vae = SignalVAE(args.latent, args.width, rate=1e-3)
    weight = PriorWeight(0.5, args.steps)

    step = 0
    while step < args.steps:
        beta = weight.at(step)
        loss, kl = vae.train_step(next(batches), beta)
        if step % 15 == 0:
            print(f"step {step:4d}  beta {beta:.3f}  loss {float(loss):8.3f}  kl {float(kl):.3f}")
        step += 1

    z = np.random.default_rng(0).normal(size=(64, args.latent)).astype("float32")
    drawn = vae.decoder(z).numpy()
    print(f"drawn signals: spread {drawn.std():.3f}, that of the data {signals.std():.3f}")


if __name__ == "__main__":
    main()
