"""Forecasts the temperature of a kiln, with two graphs: one learns, the other one is asked."""
import argparse
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
PAST, AHEAD = 24, 6


def firing(rng, minutes):
    """Gas, damper and temperature of one long firing."""
    gas = np.clip(0.5 + rng.normal(0, 0.04, minutes).cumsum() * 0.3, 0, 1)
    damper = 0.5 + 0.4 * np.sin(np.arange(minutes) / 70)
    heat = np.zeros(minutes)
    for t in range(1, minutes):
        heat[t] = heat[t - 1] + 0.05 * gas[t] - 0.03 * damper[t] * heat[t - 1]
    return np.stack([gas, damper, heat + rng.normal(0, 0.005, minutes)], axis=1).astype(np.float32)


class Network:
    """A graph with its own session."""

    def __init__(self, learns):
        self.graph = tf.Graph()
        with self.graph.as_default():
            v1.set_random_seed(61)
            self.x = v1.placeholder(tf.float32, [None, PAST * 3])
            self.y = v1.placeholder(tf.float32, [None, AHEAD])
            self.rate = v1.placeholder_with_default(1e-3, [])
            h, size = self.x, PAST * 3
            for i, width in enumerate((128, 96)):
                h = tf.tanh(self.dense(f"h{i}", h, size, width))
                size = width
            self.out = self.dense("out", h, size, AHEAD)
            self.loss = tf.reduce_mean(tf.square(self.out - self.y))
            self.weights = v1.trainable_variables()
            self.slots = [v1.placeholder(w.dtype.base_dtype, w.shape) for w in self.weights]
            self.load = tf.group(*[v1.assign(w, s) for w, s in zip(self.weights, self.slots)])
            self.train = v1.train.AdamOptimizer(self.rate).minimize(self.loss) if learns else None
            self.saver = v1.train.Saver(max_to_keep=2)
            init = v1.global_variables_initializer()
        self.sess = v1.Session(graph=self.graph)
        self.sess.run(init)

    @staticmethod
    def dense(name, x, fan_in, fan_out):
        w = v1.get_variable(name + "_w", [fan_in, fan_out],
                            initializer=v1.glorot_uniform_initializer(seed=fan_out))
        b = v1.get_variable(name + "_b", [fan_out], initializer=v1.zeros_initializer())
        return tf.matmul(x, w) + b

    def take_over(self, other):
        values = other.sess.run(other.weights)
        self.sess.run(self.load, dict(zip(self.slots, values)))

    def forecast(self, x):
        return self.sess.run(self.out, {self.x: x})

    def save(self, folder, step):
        with self.graph.as_default():
            self.saver.save(self.sess, os.path.join(folder, "kiln"), global_step=step)


def windows(series, at):
    past = np.stack([series[t - PAST:t].ravel() for t in at])
    ahead = np.stack([series[t:t + AHEAD, 2] for t in at])
    return past, ahead


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--out", default="kiln_out")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    rng = np.random.default_rng(61)
    series = firing(rng, 12000)
    learner, asked = Network(True), Network(False)
    off = []
    for step in range(args.steps):
        past, ahead = windows(series, rng.integers(PAST, 10000, 64))
        rate = 2e-3 * 0.5 ** (step // 1500)
        loss, _ = learner.sess.run([learner.loss, learner.train],
                                   {learner.x: past, learner.y: ahead, learner.rate: rate})
        asked.take_over(learner)
        past, ahead = windows(series, rng.integers(10000, len(series) - AHEAD, 8))
        off.append(float(np.abs(asked.forecast(past) - ahead).mean()))
        if (step + 1) % 500 == 0:
            learner.save(args.out, step)
            print(f"{step + 1:5d}  loss {loss:.6f}  off by {np.mean(off[-500:]):.4f}")


if __name__ == "__main__":
    main()
