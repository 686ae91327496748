"""A GAN that draws woven patterns, with one compiled function for each of the two players."""

import argparse

import keras
import numpy as np
import tensorflow as tf
from keras import layers

SIDE = 16
NOISE = 24


def weave(count, rng):
    rows, columns = np.mgrid[:SIDE, :SIDE]
    period = rng.integers(2, 6, size=(count, 2, 1, 1))
    shift = rng.integers(0, 6, size=(count, 2, 1, 1))
    warp = (rows[None] + shift[:, 0]) // period[:, 0] % 2
    weft = (columns[None] + shift[:, 1]) // period[:, 1] % 2
    cloth = np.where(warp == weft, 0.8, -0.8) + 0.1 * rng.normal(size=(count, SIDE, SIDE))
    return cloth.astype("float32").reshape(count, SIDE * SIDE)


def network(sizes, last):
    net = keras.Sequential([keras.Input((sizes[0],))])
    for size in sizes[1:-1]:
        net.add(layers.Dense(size))
        net.add(layers.LeakyReLU(0.2))
    net.add(layers.Dense(sizes[-1], activation=last))
    return net


class Weaver:
    def __init__(self, batch, rate):
        self.batch = batch
        self.maker = network([NOISE, 96, 192, SIDE * SIDE], "tanh")
        self.judge = network([SIDE * SIDE, 192, 96, 1], None)
        self.maker_optimizer = keras.optimizers.Adam(rate, beta_1=0.5)
        self.judge_optimizer = keras.optimizers.Adam(rate, beta_1=0.5)
        self.maker_optimizer.build(self.maker.trainable_variables)
        self.judge_optimizer.build(self.judge.trainable_variables)
        self.cross = keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function
    def judge_step(self, real):
        fake = self.maker(tf.random.normal((self.batch, NOISE)))
        with tf.GradientTape() as tape:
            on_real, on_fake = self.judge(real), self.judge(fake)
            loss = self.cross(0.9 * tf.ones_like(on_real), on_real)
            loss += self.cross(tf.zeros_like(on_fake), on_fake)
        variables = self.judge.trainable_variables
        gradients = tape.gradient(loss, variables)
        self.judge_optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return loss

    @tf.function
    def maker_step(self):
        with tf.GradientTape() as tape:
            on_fake = self.judge(self.maker(tf.random.normal((self.batch, NOISE))))
            loss = self.cross(tf.ones_like(on_fake), on_fake)
        variables = self.maker.trainable_variables
        gradients = tape.gradient(loss, variables)
        self.maker_optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return loss


class Progress:
    """The line at the bottom of the screen."""

    def __init__(self, total):
        self.total = total
        self.losses = {"judge": [], "maker": []}

    def show(self, step, **losses):
        means = []
        for name, loss in losses.items():
            self.losses[name].append(loss)
            means.append(f"{name} {loss.numpy():.3f} (mean {np.mean(self.losses[name]):.3f})")
        end = "\n" if step % 200 == 0 or step == self.total else "\r"
        print(f"{step}/{self.total}  " + "  ".join(means), end=end, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cloths", type=int, default=8000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--steps", type=int, default=2600)
    parser.add_argument("--seed", type=int, default=43)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    cloths = weave(args.cloths, np.random.default_rng(args.seed))
    dataset = tf.data.Dataset.from_tensor_slices(cloths).shuffle(4000, seed=args.seed)
    dataset = dataset.repeat().batch(args.batch).prefetch(2).take(args.steps)
    weaver, progress = Weaver(args.batch, 2e-4), Progress(args.steps)
    for step, real in enumerate(dataset, start=1):
        judge = weaver.judge_step(real)
        maker = weaver.maker_step()
        progress.show(step, judge=judge, maker=maker)

    drawn = weaver.maker(tf.random.normal((256, NOISE))).numpy()
    print(f"contrast of what was drawn {drawn.std():.3f}, of the cloths {cloths.std():.3f}")


if __name__ == "__main__":
    main()
