"""Grades the wear of coins on pictures that become finer in stages."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf
from keras import layers

GRADES = 4
STAGES = {16: 108, 24: 48, 36: 22, 48: 12}
STEPS_A_STAGE = 250


class Mint:
    """Draws coins of any size; worn ones have a flatter relief."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def coins(self, side, count):
        y, x = (np.mgrid[0:side, 0:side] + 0.5) / side - 0.5
        radius, angle = np.hypot(x, y), np.arctan2(y, x)
        grade = self.rng.integers(0, GRADES, count)
        spokes = self.rng.integers(3, 8, (count, 1, 1))
        turn = self.rng.uniform(0, 6.28, (count, 1, 1))
        relief = np.sin(spokes * angle[None] + turn) * np.cos(18 * radius[None])
        depth = (1.0 - 0.28 * grade)[:, None, None]
        picture = 0.5 + 0.4 * depth * relief
        picture = np.where(radius[None] < 0.48, picture, 0.0)
        picture += self.rng.normal(0, 0.08, picture.shape)
        return picture[..., None].astype(np.float32), grade.astype(np.int32)


def build():
    coin = keras.Input((None, None, 1))
    x = layers.Conv2D(16, 3, padding="same", activation="relu")(coin)
    x = layers.Conv2D(16, 3, padding="same", activation="relu")(x)
    spread = layers.Lambda(lambda t: tf.math.sqrt(tf.math.reduce_variance(t, axis=[1, 2]) + 1e-4),
                           output_shape=(16,))(x)
    x = layers.Concatenate()([layers.GlobalAveragePooling2D()(x), spread])
    x = layers.BatchNormalization(momentum=0.9)(x)
    x = layers.Dense(48, activation="relu")(x)
    return keras.Model(coin, layers.Dense(GRADES)(x))


keras.utils.set_random_seed(53)
model = build()
optimizer = keras.optimizers.Adam(2e-3)
optimizer.build(model.trainable_variables)
traced = []


@tf.function
def grade_step(coins, grades, side):
    traced.append(side)
    fine = tf.cast(side, tf.float32) / 48.0
    with tf.GradientTape() as tape:
        logits = model(coins, training=True)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=grades, logits=logits)) * (0.5 + 0.5 * fine)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    right = tf.reduce_mean(tf.cast(tf.argmax(logits, 1, tf.int32) == grades, tf.float32))
    return loss, right


def stage_of(step):
    sides = list(STAGES)
    return sides[min(step // STEPS_A_STAGE, len(sides) - 1)]


def main():
    mint = Mint(53)
    rights, step = [], 0
    while step < STEPS_A_STAGE * len(STAGES):
        side = stage_of(step)
        coins, grades = mint.coins(side, STAGES[side])
        loss, right = grade_step(tf.constant(coins), tf.constant(grades), side)
        rights.append(right.numpy())
        step += 1
        if step % 125 == 0:
            print(f"{step:5d}  side {side}  loss {loss.numpy():.4f}"
                  f"  right {np.mean(rights[-125:]):.3f}  traced for {traced}")
    coins, grades = mint.coins(48, 200)
    print("right at the end:", np.mean(model(coins).numpy().argmax(axis=1) == grades))


if __name__ == "__main__":
    main()
