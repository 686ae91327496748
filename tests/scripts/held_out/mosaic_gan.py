"""A GAN for Roman floor mosaics whose judge also sees pictures that were drawn a while ago."""

import argparse
import collections

import keras
import numpy as np
import tensorflow as tf
from keras import layers

SIDE = 16
NOISE = 32


def make_mosaics(count, rng):
    rows, columns = np.mgrid[: SIDE // 2, : SIDE // 2]
    scale = rng.uniform(0.5, 1.5, size=(count, 1, 1))
    shift = rng.uniform(0, 6, size=(count, 1, 1))
    ring = np.sin(scale * np.hypot(rows, columns) + shift)
    half = np.concatenate([ring[:, :, ::-1], ring], axis=2)
    whole = np.concatenate([half[:, ::-1], half], axis=1)
    return whole[..., None].astype("float32")


def build_maker():
    return keras.Sequential(
        [
            keras.Input((NOISE,)),
            layers.Dense(4 * 4 * 32, activation="relu"),
            layers.Reshape((4, 4, 32)),
            layers.UpSampling2D(),
            layers.Conv2D(16, 3, padding="same", activation="relu"),
            layers.UpSampling2D(),
            layers.Conv2D(1, 3, padding="same", activation="tanh"),
        ]
    )


def build_judge():
    return keras.Sequential(
        [
            keras.Input((SIDE, SIDE, 1)),
            layers.Conv2D(16, 4, strides=2, padding="same", activation="leaky_relu"),
            layers.Conv2D(32, 4, strides=2, padding="same", activation="leaky_relu"),
            layers.Flatten(),
            layers.Dense(1),
        ]
    )


class PicturePool:
    """Gives back some of the pictures drawn before, in place of new ones."""

    def __init__(self, size, rng):
        self.size, self.rng = size, rng
        self.pictures = []

    def exchange(self, drawn):
        out = []
        for picture in drawn:
            if len(self.pictures) < self.size:
                self.pictures.append(picture.copy())
            elif self.rng.random() < 0.5:
                at = self.rng.integers(self.size)
                picture, self.pictures[at] = self.pictures[at], picture.copy()
            out.append(picture)
        return np.stack(out)


class Players:
    def __init__(self, rate):
        self.maker, self.judge = build_maker(), build_judge()
        self.optimizers = [keras.optimizers.Adam(rate, beta_1=0.5) for _ in range(2)]
        self.optimizers[0].build(self.maker.trainable_variables)
        self.optimizers[1].build(self.judge.trainable_variables)

    @tf.function
    def maker_step(self, noise):
        with tf.GradientTape() as tape:
            drawn = self.maker(noise, training=True)
            loss = tf.reduce_mean(tf.square(self.judge(drawn, training=True) - 1))
        self.improve(0, tape, loss, self.maker.trainable_variables)
        return drawn, loss

    @tf.function
    def judge_step(self, real, drawn):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.judge(real, training=True) - 1))
            loss += tf.reduce_mean(tf.square(self.judge(drawn, training=True)))
        self.improve(1, tape, loss, self.judge.trainable_variables)
        return loss

    def improve(self, player, tape, loss, variables):
        pairs = zip(tape.gradient(loss, variables), variables, strict=True)
        self.optimizers[player].apply_gradients(pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mosaics", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--steps", type=int, default=2200)
    parser.add_argument("--seed", type=int, default=97)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    dataset = tf.data.Dataset.from_tensor_slices(make_mosaics(args.mosaics, rng))
    dataset = dataset.shuffle(2000, seed=args.seed).repeat().batch(args.batch).prefetch(2)
    players, pool = Players(3e-4), PicturePool(400, rng)
    album, recent = collections.deque(maxlen=8), collections.deque(maxlen=200)
    probe = tf.random.normal((16, NOISE))
    for step, real in enumerate(dataset.take(args.steps)):
        noise = rng.normal(size=(args.batch, NOISE)).astype("float32")
        drawn, maker_loss = players.maker_step(noise)
        judge_loss = players.judge_step(real, pool.exchange(drawn.numpy()))
        recent.append((float(maker_loss), float(judge_loss)))
        if step % 100 == 0:
            album.append(players.maker(probe).numpy())
            maker, judge = np.mean(recent, axis=0)
            print(f"step {step:4d}  maker {maker:.3f}  judge {judge:.3f}", flush=True)

    print(f"the probe moved by {np.abs(album[-1] - album[0]).mean():.3f}")


if __name__ == "__main__":
    main()
