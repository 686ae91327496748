"""Size of hail from radar echoes, in the graph style of TensorFlow 1, with saver and summaries."""

import argparse
import pathlib
import tempfile

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
tf1.disable_eager_execution()

GATES = 64


def make_echoes(count, rng):
    height = np.linspace(0, 12, GATES)
    top = rng.uniform(4, 11, size=(count, 1))
    strength = rng.gamma(3.0, 12.0, size=(count, 1))
    echoes = strength / (1 + np.exp(height - top)) + 3 * rng.normal(size=(count, GATES))
    sizes = 0.02 * strength * np.sqrt(top) + 0.05 * rng.normal(size=(count, 1))
    return (echoes / 40).astype("float32"), sizes.astype("float32")


class HailNet:
    def __init__(self, width):
        self.echoes = tf1.placeholder(tf.float32, [None, GATES])
        self.sizes = tf1.placeholder(tf.float32, [None, 1])
        x = self.echoes
        for number in range(3):
            x = tf.nn.relu(self.dense(x, width, f"hidden{number}"))
        self.guess = self.dense(x, 1, "guess")
        self.loss = tf.reduce_mean(tf.square(self.guess - self.sizes))

        self.rate = tf1.get_variable("rate", [], trainable=False)
        self.new_rate = tf1.placeholder(tf.float32, [])
        self.set_rate = tf1.assign(self.rate, self.new_rate)
        self.train = tf1.train.AdamOptimizer(self.rate).minimize(self.loss)
        tf1.summary.scalar("loss", self.loss)
        tf1.summary.scalar("rate", self.rate)
        self.summaries = tf1.summary.merge_all()

    @staticmethod
    def dense(x, units, name):
        with tf1.variable_scope(name):
            w = tf1.get_variable("w", [x.shape[-1], units])
            b = tf1.get_variable("b", [units], initializer=tf1.zeros_initializer())
        return tf.matmul(x, w) + b


class Watch:
    """Lowers the rate as the steps go by, and keeps summaries and checkpoints."""

    def __init__(self, net, session, folder):
        self.net = net
        self.session = session
        self.folder = folder
        self.writer = tf1.summary.FileWriter(folder, session.graph)
        self.saver = tf1.train.Saver(max_to_keep=3)

    def before(self, step, total):
        rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * step / total))
        self.session.run(self.net.set_rate, {self.net.new_rate: rate})

    def after(self, step, feed):
        if step % 20 == 0:
            self.writer.add_summary(self.session.run(self.net.summaries, feed), step)
        if step % 1000 == 999:
            self.saver.save(self.session, str(pathlib.Path(self.folder) / "hail"), step)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--echoes", type=int, default=20_000)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--seed", type=int, default=89)
    args = parser.parse_args()

    tf1.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    echoes, sizes = make_echoes(args.echoes, rng)
    net = HailNet(args.width)
    losses = []
    with tempfile.TemporaryDirectory() as folder, tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        watch = Watch(net, session, folder)
        for step in range(args.steps):
            watch.before(step, args.steps)
            rows = rng.integers(0, args.echoes, args.batch)
            feed = {net.echoes: echoes[rows], net.sizes: sizes[rows]}
            _, loss = session.run([net.train, net.loss], feed)
            losses.append(loss)
            watch.after(step, feed)
            if step % 250 == 0:
                print(f"step {step:5d}  loss {np.mean(losses[-250:]):.5f}", flush=True)

        error = session.run(net.loss, {net.echoes: echoes, net.sizes: sizes})
        print(f"off by {np.sqrt(error):.3f} cm over all echoes")
        watch.writer.close()


if __name__ == "__main__":
    main()
