"""Train a fault detector for machines on batches of sensor readings as they come in."""

import argparse
import logging
import tempfile
from pathlib import Path

import keras
import numpy as np

SENSORS = 48
WINDOW = 32


def readings(batch, seed):
    """Yield windows of readings for ever, with whether the machine is about to fail."""
    random = np.random.default_rng(seed)
    while True:
        windows = random.normal(size=(batch, WINDOW, SENSORS)).astype("float32")
        failing = random.random(batch) < 0.3
        drift = np.linspace(0, 1, WINDOW)[None, :, None] * (np.arange(SENSORS) % 5 == 0)
        windows += failing[:, None, None] * drift.astype("float32")
        yield windows, failing.astype("float32")


def make_model():
    model = keras.Sequential(
        [
            keras.layers.Input([WINDOW, SENSORS]),
            keras.layers.Conv1D(48, 5, activation="relu"),
            keras.layers.Conv1D(48, 5, activation="relu"),
            keras.layers.GlobalMaxPooling1D(),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    return model


def get_logger(stream):
    """Return the logger of this training, which writes to a file."""
    logger = logging.getLogger("sensors")
    logger.setLevel(logging.INFO)
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
    logger.addHandler(handler)
    return logger


def report(logger, step, loss, accuracy):
    logger.info("step %d: loss %.4f, accuracy %.4f", step, loss, accuracy)


def train(args, log_file):
    model = make_model()
    logger = get_logger(log_file)
    batches = readings(args.batch, args.seed)
    for step in range(1, args.steps + 1):
        windows, failing = next(batches)
        loss, accuracy = model.train_on_batch(windows, failing)
        report(logger, step, loss, accuracy)
        if step % 100 == 0:
            print(f"step {step}: loss {loss:.4f}, accuracy {accuracy:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "training.log"
        with path.open("w") as log_file:
            train(args, log_file)
        print(f"the log has {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
