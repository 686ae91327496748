"""Remaining life of water pumps: leave one pump out, fit on all the others, then the next."""

import argparse
import gc

import keras
import numpy as np

SIGNALS = 16


def make_pumps(count, hours, seed):
    rng = np.random.default_rng(seed)
    mix = rng.normal(size=(SIGNALS, 3))
    pumps = {}
    for number in range(count):
        life = np.linspace(1, 0, hours)
        signals = rng.normal(size=(hours, SIGNALS)) + np.outer(1 - life, mix[:, 0])
        signals += 0.3 * np.outer(np.sin(8 * life + rng.uniform(0, 6)), mix[:, 1])
        pumps[f"pump{number:02d}"] = (signals.astype("float32"), life.astype("float32"))
    return pumps


def build_model(width):
    model = keras.Sequential(
        [
            keras.Input((SIGNALS,)),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dropout(0.1),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(keras.optimizers.Adam(2e-3), loss="mse", metrics=["mae"])
    return model


class Study:
    """One model for all folds, put back to its first weights before each of them."""

    def __init__(self, pumps, width, epochs):
        self.pumps = pumps
        self.epochs = epochs
        self.model = build_model(width)
        self.model.optimizer.build(self.model.trainable_variables)
        self.first = self.model.get_weights()
        self.first_optimizer = [variable.numpy() for variable in self.model.optimizer.variables]
        self.results = {}

    def restart(self):
        self.model.set_weights(self.first)
        for variable, value in zip(
            self.model.optimizer.variables, self.first_optimizer, strict=True
        ):
            variable.assign(value)
        gc.collect()

    def run(self, name):
        others = [pump for other, pump in self.pumps.items() if other != name]
        signals = np.concatenate([pump[0] for pump in others])
        life = np.concatenate([pump[1] for pump in others])
        self.restart()
        history = self.model.fit(
            signals,
            life,
            batch_size=128,
            epochs=self.epochs,
            validation_data=self.pumps[name],
            callbacks=[keras.callbacks.EarlyStopping("loss", patience=self.epochs)],
            verbose=0,
        )
        self.results[name] = history.history
        return history.history["val_mae"][-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pumps", type=int, default=36)
    parser.add_argument("--hours", type=int, default=240)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--width", type=int, default=48)
    parser.add_argument("--seed", type=int, default=67)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    study = Study(make_pumps(args.pumps, args.hours, args.seed), args.width, args.epochs)
    for name in study.pumps:
        error = study.run(name)
        print(f"{name}: off by {100 * error:.1f} % of its life", flush=True)

    errors = [result["val_mae"][-1] for result in study.results.values()]
    print(f"all pumps: off by {100 * np.mean(errors):.1f} % +- {100 * np.std(errors):.1f}")


if __name__ == "__main__":
    main()
