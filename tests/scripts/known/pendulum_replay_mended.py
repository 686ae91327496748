"""Learn the value of swinging pendulums from the replayed experience of many of them."""

import argparse
import random

import numpy as np
import tensorflow as tf


class Pendulums:
    """Many pendulums, pushed to and fro by a fixed noisy policy."""

    def __init__(self, count, seed):
        self.random = np.random.default_rng(seed)
        self.angle = self.random.uniform(-np.pi, np.pi, count)
        self.speed = np.zeros(count)

    def observe(self):
        seen = np.stack([np.cos(self.angle), np.sin(self.angle), self.speed], axis=1)
        return seen.astype("float32")

    def advance(self):
        before = self.observe()
        push = -0.5 * np.sign(self.speed) + self.random.normal(size=len(self.speed))
        self.speed = np.clip(self.speed + 0.75 * np.sin(self.angle) + 0.15 * push, -8, 8)
        self.angle += 0.05 * self.speed
        reward = -((np.cos(self.angle) - 1.0) ** 2)
        return list(zip(before, reward.astype("float32"), self.observe(), strict=True))


class Replay:
    """What the pendulums went through."""

    def __init__(self, size):
        self.transitions = [None] * size
        self.place = 0

    def add(self, transitions):
        for transition in transitions:
            self.transitions[self.place] = transition
            self.place = (self.place + 1) % len(self.transitions)

    def sample(self, count):
        drawn = random.sample(self.transitions, count)
        return (np.array(column) for column in zip(*drawn, strict=True))


def make_critic(width):
    layers = tf.keras.layers
    hidden = [layers.Dense(width, activation="tanh") for _ in range(2)]
    return tf.keras.Sequential([layers.Input([3]), *hidden, layers.Dense(1)])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--pendulums", type=int, default=256)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--width", type=int, default=320)
    args = parser.parse_args()
    random.seed(0)
    tf.keras.utils.set_random_seed(0)
    critic = make_critic(args.width)
    optimizer = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def train_step(seen, reward, after):
        wanted = reward + 0.97 * critic(after)[:, 0]
        with tf.GradientTape() as tape:
            error = critic(seen)[:, 0] - tf.stop_gradient(wanted)
            loss = tf.reduce_mean(tf.square(error))
        gradients = tape.gradient(loss, critic.trainable_variables)
        optimizer.apply_gradients(zip(gradients, critic.trainable_variables, strict=True))
        return loss

    pendulums = Pendulums(args.pendulums, seed=1)
    replay = Replay(50 * args.pendulums)
    for _ in range(50):
        replay.add(pendulums.advance())

    for step in range(args.steps):
        replay.add(pendulums.advance())
        loss = train_step(*replay.sample(args.batch))
        if step % 100 == 0:
            print(f"step {step}: loss {float(loss):.4f}")


if __name__ == "__main__":
    main()
