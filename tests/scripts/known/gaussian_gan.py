"""The smallest GAN: a line and a parabola learn where a Gaussian lies."""

import argparse

import numpy as np
import tensorflow as tf


def measurements(count, seed):
    """Return numbers whose mean the generator has to find."""
    return np.random.default_rng(seed).normal(3.0, 0.5, size=(count, 1)).astype("float32")


class Generator:
    """Draws numbers: noise, stretched and shifted."""

    def __init__(self):
        self.variables = [tf.Variable([[1.0]]), tf.Variable([0.0])]

    def __call__(self, noise):
        stretch, shift = self.variables
        return noise @ stretch + shift


class Critic:
    """Says by a parabola how much a number looks like a measured one."""

    def __init__(self):
        self.variables = [tf.Variable([[0.1], [-0.1]]), tf.Variable([0.0])]

    def __call__(self, numbers):
        weights, level = self.variables
        return tf.concat([numbers, numbers**2], axis=1) @ weights + level


class Gan:
    def __init__(self, rate):
        self.generator, self.critic = Generator(), Critic()
        self.rate = rate

    def descend(self, variables, gradients):
        for variable, gradient in zip(variables, gradients, strict=True):
            variable.assign_sub(self.rate * gradient)

    @tf.function
    def train_critic(self, real, noise, shaken, blur):
        """Tell measured numbers from drawn ones, both blurred a little."""
        fake = self.generator(noise) + blur * shaken
        with tf.GradientTape() as tape:
            right, wrong = self.critic(real + blur * shaken), self.critic(fake)
            loss = tf.reduce_mean(tf.nn.softplus(wrong) + tf.nn.softplus(-right))
        self.descend(self.critic.variables, tape.gradient(loss, self.critic.variables))
        return loss

    @tf.function
    def train_generator(self, noise):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.softplus(-self.critic(self.generator(noise))))
        self.descend(self.generator.variables, tape.gradient(loss, self.generator.variables))
        return loss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--batch", type=int, default=16_000)
    parser.add_argument("--blur", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    tf.random.set_seed(args.seed)

    data = tf.data.Dataset.from_tensor_slices(measurements(200_000, args.seed))
    data = data.repeat().batch(args.batch, drop_remainder=True).take(args.steps)
    random = np.random.default_rng(args.seed)
    gan = Gan(rate=0.05)

    for step, real in enumerate(data):
        noise, shaken = tf.constant(random.normal(size=(2, args.batch, 1)), tf.float32)
        blur = args.blur * (1 - step / args.steps)
        critic_loss = gan.train_critic(real, noise, shaken, blur)
        generator_loss = gan.train_generator(noise)
        if step % 100 == 0:
            print(f"step {step}: critic {critic_loss:.3f}, generator {generator_loss:.3f}")

    shift = float(gan.generator.variables[1][0])
    print(f"found a mean of {shift:.2f}")


if __name__ == "__main__":
    main()
