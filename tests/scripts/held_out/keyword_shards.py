"""A keyword spotter on synthetic sound, fitted with Keras from shards on disk."""

import argparse
import pathlib
import tempfile

import keras
import numpy as np

RATE = 8000
FRAME = 256
HOP = 80


def write_shards(folder, shards, per_shard, classes, rng):
    """Half a second of sound each: three tones of the keyword, one after another, in noise."""
    time = np.arange(RATE // 6) / RATE
    tones = rng.uniform(300, 3500, size=(classes, 3, 1))
    words = np.sin(2 * np.pi * tones * time).reshape(classes, -1)
    for index in range(shards):
        y = rng.integers(0, classes, size=per_shard)
        x = 4000 * words[y] + 2500 * rng.normal(size=(per_shard, words.shape[1]))
        np.savez(folder / f"shard_{index:03d}.npz", sound=x.astype("int16"), label=y)


def spectrogram(sound):
    frames = np.lib.stride_tricks.sliding_window_view(sound / 32768.0, FRAME, axis=1)[:, ::HOP]
    power = np.abs(np.fft.rfft(frames * np.hanning(FRAME), axis=2)) ** 2
    bands = power[:, :, 1:].reshape(*power.shape[:2], 32, -1).mean(axis=3)
    return np.log(bands + 1e-6).astype("float32")


def shard_batches(files, batch_size, rng):
    """Batches for ever, shard after shard."""
    while True:
        for name in rng.permutation([str(file) for file in files]):
            with np.load(name) as shard:
                x = spectrogram(shard["sound"])
                y = shard["label"]
            order = rng.permutation(len(x))
            for start in range(0, len(x) - batch_size + 1, batch_size):
                rows = order[start : start + batch_size]
                yield x[rows, :, :, None], y[rows]


def build_model(classes, frames):
    model = keras.Sequential(
        [
            keras.Input((frames, 32, 1)),
            keras.layers.Conv2D(8, (5, 5), strides=2, activation="relu"),
            keras.layers.Conv2D(16, (3, 3), strides=2, activation="relu"),
            keras.layers.Flatten(),
            keras.layers.Dense(classes, activation="softmax"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shards", type=int, default=6)
    parser.add_argument("--per-shard", type=int, default=960)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    classes = 12
    with tempfile.TemporaryDirectory() as folder:
        write_shards(pathlib.Path(folder), args.shards, args.per_shard, classes, rng)
        files = sorted(pathlib.Path(folder).glob("shard_*.npz"))
        print(f"{len(files)} shards of {args.per_shard} clips")
        batches = shard_batches(files, args.batch_size, rng)
        model = build_model(classes, frames=next(batches)[0].shape[1])
        history = model.fit(
            batches,
            steps_per_epoch=args.shards * args.per_shard // args.batch_size,
            epochs=args.epochs,
            verbose=2,
        )
        print(f"accuracy {history.history['accuracy'][-1]:.3f}")


if __name__ == "__main__":
    main()
