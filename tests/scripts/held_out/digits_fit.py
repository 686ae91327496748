"""A convolutional network on synthetic seven-segment digits, with Keras fit."""

import argparse
import collections
import pathlib
import tempfile

import keras
import numpy as np

SEGMENTS = ["abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg"]
STROKES = {
    "a": (2, 3, 6, 14),
    "b": (2, 11, 13, 14),
    "c": (11, 20, 13, 14),
    "d": (19, 20, 6, 14),
    "e": (11, 20, 6, 7),
    "f": (2, 11, 6, 7),
    "g": (10, 11, 6, 14),
}


def make_digits(n, rng):
    y = rng.integers(0, 10, size=n)
    x = 0.35 * rng.normal(size=(n, 24, 24)).astype("float32")
    for image, label in zip(x, y, strict=True):
        down, right = rng.integers(-2, 3, size=2)
        for segment in SEGMENTS[label]:
            top, bottom, left, far = STROKES[segment]
            image[max(0, top + down) : bottom + down + 1, left + right : far + right + 1] += 1
    return x[..., None], y


class Diary(keras.callbacks.Callback):
    """Every batch's loss, and a mean over the latest ones."""

    def __init__(self, window=50):
        super().__init__()
        self.losses = []
        self.recent = collections.deque(maxlen=window)

    def on_train_batch_end(self, batch, logs=None):
        self.losses.append(float(logs["loss"]))
        self.recent.append(self.losses[-1])
        if len(self.losses) % 100 == 0:
            print(f"  batch {len(self.losses)}: {np.mean(self.recent):.4f}", flush=True)

    def on_epoch_end(self, epoch, logs=None):
        weights = sum(float(np.square(w).sum()) for w in self.model.get_weights())
        print(f"  epoch {epoch + 1}: weights {weights:.1f} val_loss {logs['val_loss']:.4f}")


def schedule(epoch, lr):
    return lr * 0.7 if epoch > 2 else lr


def build_model(size=24):
    inputs = keras.Input((size, size, 1))
    x = keras.layers.Conv2D(32, 3, strides=2)(inputs)
    x = keras.layers.BatchNormalization()(x)
    x = keras.layers.ReLU()(x)
    x = keras.layers.Conv2D(48, 3, strides=2, activation="relu")(x)
    x = keras.layers.Flatten()(x)
    x = keras.layers.Dropout(0.3)(x)
    return keras.Model(inputs, keras.layers.Dense(10, activation="softmax")(x))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--samples", type=int, default=6400)
    parser.add_argument("--seed", type=int, default=6)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    x, y = make_digits(args.samples, rng)
    held_out = make_digits(1_000, rng)
    model = build_model()
    model.compile("adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    diary = Diary()
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        callbacks = [
            diary,
            keras.callbacks.ModelCheckpoint(root / "epoch_{epoch:02d}.keras"),
            keras.callbacks.CSVLogger(root / "log.csv"),
            keras.callbacks.LearningRateScheduler(schedule),
        ]
        model.fit(
            x,
            y,
            batch_size=args.batch_size,
            epochs=args.epochs,
            validation_data=held_out,
            callbacks=callbacks,
            verbose=0,
        )
        saved = sorted(path.name for path in root.glob("*.keras"))
    print(f"{len(diary.losses)} batches, {len(saved)} checkpoints, last {saved[-1]}")


if __name__ == "__main__":
    main()
