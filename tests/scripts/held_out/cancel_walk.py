"""Which subscribers will cancel next week: a walk forward through the weeks with a Keras model."""

import argparse

import keras
import numpy as np

FEATURES = 30
KINDS = 6


def make_weeks(count, rows, seed):
    """Each week has its own subscribers; what makes them cancel drifts slowly."""
    rng = np.random.default_rng(seed)
    taste = rng.normal(size=FEATURES)
    weeks = []
    for _ in range(count):
        taste = taste + 0.05 * rng.normal(size=FEATURES)
        usage = rng.normal(size=(rows, FEATURES)).astype("float32")
        plan = rng.integers(0, KINDS, size=rows).astype("int32")
        chance = 1 / (1 + np.exp(-(usage @ taste) / 2 + 0.4 * plan))
        weeks.append((usage, plan, (rng.random(rows) < chance).astype("float32")))
    return weeks


def build_model(width):
    usage = keras.Input((FEATURES,), name="usage")
    plan = keras.Input((), dtype="int32", name="plan")
    known = keras.layers.Embedding(KINDS, 4)(plan)
    x = keras.layers.Concatenate()([usage, known])
    for _ in range(2):
        x = keras.layers.Dense(width)(x)
        x = keras.layers.BatchNormalization()(x)
        x = keras.layers.Activation("relu")(x)
        x = keras.layers.Dropout(0.1)(x)
    output = keras.layers.Dense(1, activation="sigmoid")(x)
    model = keras.Model({"usage": usage, "plan": plan}, output)
    model.compile(keras.optimizers.Adam(2e-3), "binary_crossentropy", metrics=["accuracy"])
    return model


class Walk:
    """Carries what was learnt from week to week."""

    def __init__(self, width, epochs):
        self.width = width
        self.epochs = epochs
        self.weights = None

    def learn(self, usage, plan, cancelled):
        model = build_model(self.width)
        if self.weights is not None:
            model.set_weights(self.weights)
        inputs = {"usage": usage, "plan": plan}
        history = model.fit(inputs, cancelled, batch_size=128, epochs=self.epochs, verbose=0)
        self.weights = model.get_weights()
        return history.history["accuracy"][-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weeks", type=int, default=28)
    parser.add_argument("--rows", type=int, default=1024)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--seed", type=int, default=19)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    weeks = make_weeks(args.weeks + 1, args.rows, args.seed)
    walk = Walk(args.width, args.epochs)
    for number in range(args.weeks):
        accuracy = walk.learn(*weeks[number])
        if number % 4 == 0:
            print(f"week {number:3d}: accuracy {accuracy:.3f}", flush=True)

    usage, plan, cancelled = weeks[-1]
    model = build_model(args.width)
    model.set_weights(walk.weights)
    _, accuracy = model.evaluate({"usage": usage, "plan": plan}, cancelled, verbose=0)
    print(f"accuracy in the week that comes {accuracy:.3f}")


if __name__ == "__main__":
    main()
