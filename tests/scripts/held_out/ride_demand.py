"""Demand for shared bicycles by hour, with embeddings, Keras fit and a page that shows progress."""

import argparse
import json
import pathlib
import tempfile
import time

import keras
import numpy as np

FIELDS = {"hour": 24, "weekday": 7, "station": 40}


def make_rides(n, rng):
    rows = {name: rng.integers(0, size, size=n) for name, size in FIELDS.items()}
    weather = rng.normal(size=(n, 3)).astype("float32")
    popular = rng.gamma(2.0, 1.0, size=FIELDS["station"])[rows["station"]]
    rush = np.exp(-((rows["hour"] - 8) ** 2) / 6) + np.exp(-((rows["hour"] - 17) ** 2) / 8)
    rate = popular * (0.3 + rush * (rows["weekday"] < 5) + 0.4 * (rows["weekday"] >= 5))
    rides = rng.poisson(3 * rate * np.exp(0.3 * weather[:, 0]))
    return {**rows, "weather": weather}, rides.astype("float32")


def build_model(width):
    inputs = {name: keras.Input((), dtype="int32", name=name) for name in FIELDS}
    parts = [keras.layers.Embedding(size, 8)(inputs[name]) for name, size in FIELDS.items()]
    inputs["weather"] = keras.Input((3,), name="weather")
    x = keras.layers.Concatenate()([*parts, inputs["weather"]])
    for _ in range(2):
        x = keras.layers.Dense(width, activation="relu")(x)
    rate = keras.layers.Dense(1, activation="softplus")(x)
    return keras.Model(inputs, rate)


class ProgressPage(keras.callbacks.Callback):
    """Keeps the file up to date that the page in the browser reads its curves from."""

    def __init__(self, path):
        super().__init__()
        self.path = path
        self.points = []
        self.began = time.time()

    def on_train_batch_end(self, batch, logs=None):
        point = {name: round(float(value), 5) for name, value in logs.items()}
        point["seconds"] = round(time.time() - self.began, 2)
        self.points.append(point)
        with self.path.open("w") as file:
            json.dump({"state": "training", "points": self.points}, file, indent=1)

    def on_epoch_end(self, epoch, logs=None):
        print(f"epoch {epoch + 1}: " + " ".join(f"{k} {v:.4f}" for k, v in logs.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=int, default=40_000)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--seed", type=int, default=23)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    rows, rides = make_rides(args.hours + 2_000, rng)
    test = {name: part[args.hours :] for name, part in rows.items()}, rides[args.hours :]
    rows = {name: part[: args.hours] for name, part in rows.items()}
    model = build_model(args.width)
    model.compile(keras.optimizers.Adam(2e-3), loss="poisson", metrics=["mae"])
    with tempfile.TemporaryDirectory() as folder:
        page = ProgressPage(pathlib.Path(folder) / "progress.json")
        model.fit(
            rows,
            rides[: args.hours],
            batch_size=args.batch_size,
            epochs=args.epochs,
            validation_data=test,
            callbacks=[page, keras.callbacks.EarlyStopping(patience=8)],
            verbose=0,
        )
        size = page.path.stat().st_size
    loss, mae = model.evaluate(*test, batch_size=500, verbose=0)
    print(f"test loss {loss:.4f} mae {mae:.3f}; {len(page.points)} points, {size} bytes")


if __name__ == "__main__":
    main()
