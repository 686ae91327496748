"""Generate day-long load profiles of wind turbines with a small GAN."""

import argparse
import functools

import keras
import numpy as np
import tensorflow as tf

POINTS = 96
NOISE = 12


def real_profiles(n, rng):
    t = np.linspace(0, 1, POINTS)
    gust = np.cumsum(rng.normal(0, 0.06, (n, POINTS)), axis=1)
    daily = rng.uniform(0.1, 0.5, (n, 1)) * np.sin(2 * np.pi * (t + rng.random((n, 1))))
    wind = 0.6 + daily + gust
    return np.clip(wind, 0, 1.0).astype(np.float32) * 2 - 1


def build_generator():
    return keras.Sequential(
        [
            keras.Input((NOISE,)),
            keras.layers.Dense(96, activation="relu"),
            keras.layers.Dense(POINTS, activation="tanh"),
        ]
    )


def build_critic():
    return keras.Sequential(
        [
            keras.Input((POINTS,)),
            keras.layers.Dense(96, activation="leaky_relu"),
            keras.layers.Dense(1),
        ]
    )


def describe(step, profiles):
    """Mean load and mean step from one quarter of an hour to the next."""
    p = profiles.numpy()
    return f"round {step:4d}: mean {p.mean():+.3f}, ramp {np.abs(np.diff(p, axis=1)).mean():.3f}"


class Desk:
    """Reports are put off until the round is over, those that nobody reads are never made."""

    def __init__(self, every):
        self.every = every
        self.due = {}

    def file(self, step, profiles):
        self.due[step] = functools.partial(describe, step, profiles)

    def publish(self, step):
        if step % self.every == 0:
            print(self.due.pop(step)())


class LoadGan:
    def __init__(self, batch):
        self.batch = batch
        self.gen, self.critic = build_generator(), build_critic()
        self.gen_opt = keras.optimizers.Adam(4e-4, beta_1=0.5)
        self.critic_opt = keras.optimizers.Adam(4e-4, beta_1=0.5)
        self.xent = keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function
    def critic_step(self, real):
        fake = self.gen(tf.random.normal([self.batch, NOISE]))
        with tf.GradientTape() as tape:
            a, b = self.critic(real), self.critic(fake)
            loss = self.xent(tf.ones_like(a), a) + self.xent(tf.zeros_like(b), b)
        grads = tape.gradient(loss, self.critic.trainable_variables)
        self.critic_opt.apply_gradients(zip(grads, self.critic.trainable_variables))
        return loss

    @tf.function
    def generator_step(self):
        with tf.GradientTape() as tape:
            fake = self.gen(tf.random.normal([self.batch, NOISE]))
            score = self.critic(fake)
            loss = self.xent(tf.ones_like(score), score)
        grads = tape.gradient(loss, self.gen.trainable_variables)
        self.gen_opt.apply_gradients(zip(grads, self.gen.trainable_variables))
        return loss, fake


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1500)
    parser.add_argument("--batch", type=int, default=128)
    args = parser.parse_args()

    keras.utils.set_random_seed(11)
    profiles = real_profiles(8000, np.random.default_rng(11))
    ds = tf.data.Dataset.from_tensor_slices(profiles).shuffle(2000).repeat()
    ds = ds.batch(args.batch, drop_remainder=True).take(args.rounds).prefetch(2)
    gan, desk = LoadGan(args.batch), Desk(every=250)
    for step, real in enumerate(ds):
        critic_loss = gan.critic_step(real)
        gen_loss, fake = gan.generator_step()
        desk.file(step, fake)
        desk.publish(step)
    print(f"last losses: critic {float(critic_loss):.3f}, generator {float(gen_loss):.3f}")


if __name__ == "__main__":
    main()
