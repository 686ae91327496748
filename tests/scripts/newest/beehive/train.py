"""Tell from the hum of a beehive whether it has a queen or is about to swarm."""

import argparse

import keras
import numpy as np

from . import data


def build(n_bins, width):
    model = keras.Sequential(
        [
            keras.Input((n_bins,)),
            keras.layers.LayerNormalization(),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dropout(0.2),
            keras.layers.Dense(len(data.STATES)),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    return model


def confusion(model, dataset, n_batches):
    table = np.zeros((len(data.STATES),) * 2, dtype=int)
    for x, y in dataset.take(n_batches):
        guess = np.argmax(model.predict_on_batch(x), axis=1)
        np.add.at(table, (y.numpy(), guess), 1)
    return table


def train(model, feed, steps):
    smooth = None
    for step in range(1, steps + 1):
        x, y = feed.draw()
        loss = float(model.train_on_batch(x, y))
        smooth = loss if smooth is None else 0.9 * smooth + 0.1 * loss
        if step % 50 == 0:
            print(f"step {step:4d}  loss {smooth:.3f}")
    return smooth


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--start", type=int, default=0, help="number of the first batch")
    args = parser.parse_args()

    keras.utils.set_random_seed(3)
    sound, state = data.record(3200, seed=1)
    dataset = data.windows(sound, state, args.batch)
    model = build(data.RATE // 2 + 1, args.width)
    train(model, data.Feed(dataset, args.start), args.steps)

    held_sound, held_state = data.record(512, seed=2)
    held = data.windows(held_sound, held_state, 128)
    table = confusion(model, held, 4)
    for name, row in zip(data.STATES, table):
        print(f"{name:12s}", *(f"{n:4d}" for n in row))


if __name__ == "__main__":
    main()
