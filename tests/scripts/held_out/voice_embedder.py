"""Speaker embeddings from made-up spectra, with Keras fit and a look at how the voices spread."""

import argparse

import keras
import numpy as np
from keras import layers, ops

BANDS = 40
FRAMES = 50


def make_voices(count, speakers, seed):
    rng = np.random.default_rng(seed)
    timbre = rng.gamma(1.5, 1.0, size=(speakers, BANDS))
    who = rng.integers(0, speakers, count)
    loudness = 1 + 0.5 * np.sin(np.arange(FRAMES) / 5 + rng.uniform(0, 6, size=(count, 1)))
    spectra = timbre[who][:, None, :] * loudness[:, :, None]
    spectra *= rng.lognormal(sigma=0.6, size=spectra.shape)
    return np.log1p(spectra).astype("float32"), who.astype("int32")


def build_models(speakers, width):
    spectra = keras.Input((FRAMES, BANDS))
    x = layers.Conv1D(48, 5, strides=2, activation="relu")(spectra)
    x = layers.Conv1D(64, 5, strides=2, activation="relu")(x)
    x = layers.Dense(width)(layers.GlobalAveragePooling1D()(x))
    voice = layers.UnitNormalization(name="voice")(x)
    logits = layers.Dense(speakers)(voice * 8.0)
    return keras.Model(spectra, logits), keras.Model(spectra, voice)


class VoiceSpread(keras.callbacks.Callback):
    """Watches how far the voices of a probe lie from each other while the training goes on."""

    def __init__(self, embedder, probe):
        super().__init__()
        self.embedder = embedder
        self.probe = probe
        self.trail = []

    def on_train_batch_end(self, batch, logs=None):
        self.trail.append(self.embedder(self.probe, training=False))

    def on_epoch_end(self, epoch, logs=None):
        voices = self.trail[-1]
        likeness = float(ops.mean(voices @ ops.transpose(voices)))
        moved = float(ops.mean(ops.abs(voices - self.trail[-10])))
        print(
            f"epoch {epoch + 1:2d}  loss {logs['loss']:.4f}  accuracy {logs['accuracy']:.3f}"
            f"  likeness {likeness:.3f}  moved {moved:.4f}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recordings", type=int, default=4096)
    parser.add_argument("--speakers", type=int, default=60)
    parser.add_argument("--probe", type=int, default=400)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--seed", type=int, default=31)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    spectra, who = make_voices(args.recordings + args.probe, args.speakers, args.seed)
    probe = keras.ops.convert_to_tensor(spectra[: args.probe])
    model, embedder = build_models(args.speakers, args.width)
    model.compile(
        keras.optimizers.Adam(1e-3),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    spread = VoiceSpread(embedder, probe)
    model.fit(
        spectra[args.probe :],
        who[args.probe :],
        batch_size=args.batch,
        epochs=args.epochs,
        callbacks=[spread],
        verbose=0,
    )
    loss, accuracy = model.evaluate(spectra[: args.probe], who[: args.probe], verbose=0)
    print(f"probe: loss {loss:.4f}  accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
