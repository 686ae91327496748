"""Leave-one-well-out validation of a porosity network, in the graph style of TensorFlow 1."""

import argparse

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
tf1.disable_v2_behavior()

CURVES = 9


def make_wells(count, depths, seed):
    rng = np.random.default_rng(seed)
    mix = rng.normal(size=(CURVES, 4))
    wells = []
    for _ in range(count):
        logs = rng.normal(size=(depths, CURVES)) + 0.3 * rng.normal(size=CURVES)
        porosity = np.tanh(logs @ mix).sum(axis=1, keepdims=True) + 0.1 * rng.normal(
            size=(depths, 1)
        )
        wells.append((logs.astype("float32"), porosity.astype("float32")))
    return wells


class PorosityNet:
    """Logs in, porosity out; with its own session, as each fold starts from nothing."""

    def __init__(self, name, width, depth, rate, seed):
        self.logs = tf1.placeholder(tf.float32, [None, CURVES])
        self.porosity = tf1.placeholder(tf.float32, [None, 1])
        with tf1.variable_scope(name, initializer=tf1.glorot_uniform_initializer(seed=seed)):
            x = self.logs
            for number in range(depth):
                x = tf.nn.relu(self.dense(x, width, f"layer{number}"))
            self.output = self.dense(x, 1, "output")
        self.loss = tf.reduce_mean(tf.square(self.output - self.porosity))
        self.train = tf1.train.AdamOptimizer(rate).minimize(self.loss)
        self.session = tf1.Session()
        self.session.run(tf1.global_variables_initializer())

    @staticmethod
    def dense(x, units, name):
        w = tf1.get_variable(f"{name}/w", [x.shape[1], units])
        b = tf1.get_variable(f"{name}/b", [units], initializer=tf1.zeros_initializer())
        return tf.matmul(x, w) + b

    def fit(self, logs, porosity, steps, batch, rng):
        for _ in range(steps):
            rows = rng.integers(0, len(logs), batch)
            feed = {self.logs: logs[rows], self.porosity: porosity[rows]}
            self.session.run(self.train, feed)

    def score(self, logs, porosity):
        feed = {self.logs: logs, self.porosity: porosity}
        error = self.session.run(self.loss, feed)
        self.session.close()
        return 1 - error / porosity.var()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wells", type=int, default=40)
    parser.add_argument("--depths", type=int, default=300)
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--width", type=int, default=48)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--seed", type=int, default=13)
    args = parser.parse_args()

    rng = np.random.default_rng(args.seed)
    wells = make_wells(args.wells, args.depths, args.seed)
    scores = []
    for left_out, (test_logs, test_porosity) in enumerate(wells):
        others = [well for number, well in enumerate(wells) if number != left_out]
        logs = np.concatenate([well[0] for well in others])
        porosity = np.concatenate([well[1] for well in others])
        net = PorosityNet(f"fold{left_out}", args.width, args.depth, 2e-3, args.seed)
        net.fit(logs, porosity, args.steps, args.batch, rng)
        scores.append(net.score(test_logs, test_porosity))
        print(f"well {left_out + 1:2d} of {args.wells}: r2 {scores[-1]:.3f}", flush=True)
    print(f"r2 over all wells {np.mean(scores):.3f} +- {np.std(scores):.3f}")


if __name__ == "__main__":
    main()
