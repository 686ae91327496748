"""Imitates short seismograms with a Wasserstein GAN, written for graphs and sessions."""
import argparse
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

LENGTH = 96
LATENT = 12


def seismograms(rng, count):
    t = np.arange(LENGTH, dtype=np.float32)
    onset = rng.uniform(10, 45, (count, 1))
    rate = rng.uniform(0.03, 0.12, (count, 1))
    pitch = rng.uniform(0.3, 0.9, (count, 1))
    after = np.clip(t - onset, 0, None)
    wave = np.sin(pitch * after) * after * rate * np.exp(-rate * after)
    return (wave + rng.normal(0, 0.02, wave.shape)).astype(np.float32)


class Net:
    def __init__(self, name, sizes):
        self.layers = []
        with tf.variable_scope(name):
            for i, (fan_in, fan_out) in enumerate(zip(sizes, sizes[1:])):
                w = tf.get_variable(f"w{i}", [fan_in, fan_out],
                                    initializer=tf.random_normal_initializer(0, fan_in ** -0.5, seed=i))
                b = tf.get_variable(f"b{i}", [fan_out], initializer=tf.zeros_initializer())
                self.layers.append((w, b))

    @property
    def variables(self):
        return [v for pair in self.layers for v in pair]

    def __call__(self, x):
        for w, b in self.layers[:-1]:
            x = tf.nn.leaky_relu(tf.matmul(x, w) + b, 0.2)
        w, b = self.layers[-1]
        return tf.matmul(x, w) + b


class Critic(Net):
    def __init__(self, sizes, bound):
        super().__init__("critic", sizes)
        self.bound = bound

    def keep_lipschitz(self, sess):
        sess.run([tf.assign(v, tf.clip_by_value(v, -self.bound, self.bound))
                  for v, _ in self.layers])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=260)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--critic-turns", type=int, default=1)
    args = parser.parse_args()

    rng = np.random.default_rng(41)
    tf.set_random_seed(41)
    records = seismograms(rng, 4000)

    real = tf.placeholder(tf.float32, [None, LENGTH])
    noise = tf.placeholder(tf.float32, [None, LATENT])
    forger = Net("forger", [LATENT, 64, 96, LENGTH])
    critic = Critic([LENGTH, 96, 48, 1], bound=0.1)

    fake = forger(noise)
    gap = tf.reduce_mean(critic(real)) - tf.reduce_mean(critic(fake))
    forger_loss = -tf.reduce_mean(critic(fake))
    train_critic = tf.train.RMSPropOptimizer(5e-4).minimize(-gap, var_list=critic.variables)
    train_forger = tf.train.RMSPropOptimizer(5e-4).minimize(forger_loss, var_list=forger.variables)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(args.steps):
            for _ in range(args.critic_turns):
                feed = {real: records[rng.integers(0, len(records), args.batch)],
                        noise: rng.normal(size=(args.batch, LATENT))}
                distance, _ = sess.run([gap, train_critic], feed)
                critic.keep_lipschitz(sess)
            loss, _ = sess.run([forger_loss, train_forger],
                               {noise: rng.normal(size=(args.batch, LATENT))})
            if step % 40 == 0:
                print(f"step {step:4d}  distance {distance:+.4f}  forger {loss:+.4f}")
        sample = sess.run(fake, {noise: rng.normal(size=(4, LATENT))})
    print("spread of four forgeries:", np.round(sample.std(axis=1), 3))


if __name__ == "__main__":
    main()
