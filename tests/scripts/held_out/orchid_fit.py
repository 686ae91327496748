"""Tells orchids by their petals: Keras fit with a whole shelf of callbacks."""

import argparse
import csv
import gc
import pathlib
import tempfile

import keras
import numpy as np
import tensorflow as tf
from keras import layers

SIDE = 24
SPECIES = 15


def make_orchids(count, seed):
    rng = np.random.default_rng(seed)
    angle = np.linspace(0, 2 * np.pi, SIDE)
    species = rng.integers(0, SPECIES, count)
    petals = 3 + species % 5
    tint = rng.dirichlet([2, 2, 2], size=SPECIES)[species]
    wave = 1 + np.cos(petals[:, None] * angle + rng.uniform(0, 6, size=(count, 1)))
    pictures = wave[:, :, None, None] * wave[:, None, :, None] * tint[:, None, None, :]
    pictures += 0.4 * rng.normal(size=pictures.shape)
    return pictures.astype("float32"), species.astype("int32")


class BatchDiary(keras.callbacks.Callback):
    """Writes a line for every batch, and keeps the losses for the curve at the end."""

    def __init__(self, path):
        super().__init__()
        self.file = path.open("w", newline="")
        self.writer = csv.writer(self.file)
        self.losses = []

    def on_train_batch_end(self, batch, logs=None):
        self.losses.append(float(logs["loss"]))
        self.writer.writerow([len(self.losses), f"{self.losses[-1]:.6f}"])

    def on_epoch_end(self, epoch, logs=None):
        self.file.flush()
        gc.collect()
        shown = "  ".join(f"{name} {value:.3f}" for name, value in logs.items())
        print(f"epoch {epoch + 1:2d}  {shown}", flush=True)

    def on_train_end(self, logs=None):
        self.file.close()


def build_model():
    x = flower = keras.Input((SIDE, SIDE, 3))
    for width in (16, 32):
        x = layers.Conv2D(width, 3, strides=2, use_bias=False)(x)
        x = layers.BatchNormalization()(x)
        x = layers.Activation("relu")(x)
    x = layers.Dropout(0.2)(layers.Flatten()(x))
    model = keras.Model(flower, layers.Dense(SPECIES, activation="softmax")(x))
    model.compile(
        keras.optimizers.AdamW(1e-3), loss="sparse_categorical_crossentropy", metrics=["accuracy"]
    )
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orchids", type=int, default=9000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=18)
    parser.add_argument("--seed", type=int, default=79)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    pictures, species = make_orchids(args.orchids, args.seed)
    held = args.orchids // 9
    train = tf.data.Dataset.from_tensor_slices((pictures[held:], species[held:]))
    train = train.cache().shuffle(4000, seed=args.seed).batch(args.batch).prefetch(4)
    held_out = tf.data.Dataset.from_tensor_slices((pictures[:held], species[:held])).batch(250)
    model = build_model()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        diary = BatchDiary(folder / "batches.csv")
        callbacks = [
            diary,
            keras.callbacks.ModelCheckpoint(
                folder / "best.weights.h5", save_best_only=True, save_weights_only=True
            ),
            keras.callbacks.CSVLogger(folder / "epochs.csv"),
            keras.callbacks.ReduceLROnPlateau(patience=4, factor=0.5),
            keras.callbacks.TerminateOnNaN(),
        ]
        model.fit(
            train,
            validation_data=held_out,
            epochs=args.epochs,
            callbacks=callbacks,
            verbose=0,
        )
        model.load_weights(folder / "best.weights.h5")
    loss, accuracy = model.evaluate(held_out, verbose=0)
    print(
        f"best: loss {loss:.4f}  accuracy {accuracy:.3f}; last 100 batches "
        f"{np.mean(diary.losses[-100:]):.4f}"
    )


if __name__ == "__main__":
    main()
