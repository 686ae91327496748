"""Depth of mud below a dredger from sonar traces, easy traces first, then ever noisier ones."""

import argparse

import keras
import numpy as np

TICKS = 128


def template(width):
    t = np.arange(-4 * width, 4 * width + 1)
    return (np.cos(2.2 * t / width) * np.exp(-((t / width) ** 2))).astype(np.float32)


class TraceBank:
    """Traces are made when first asked for; each course level brings in some more of them."""

    def __init__(self, size, rng):
        self.rng = rng
        self.depth = rng.uniform(20, 100, size).astype(np.float32)
        self.noise = np.sort(rng.uniform(0.02, 0.5, size))
        self.made = {}

    def trace(self, i):
        if i not in self.made:
            x = self.rng.normal(0, self.noise[i], TICKS).astype(np.float32)
            x[int(self.depth[i])] += 1.0
            x[8] += 1.5
            self.made[i] = np.convolve(x, template(5), mode="same")
        return self.made[i]

    def batch(self, rows):
        x = np.stack([self.trace(i) for i in rows])
        return x, self.depth[rows] / 100.0


class Course:
    def __init__(self, size, first=0.2, per_step=0.005):
        self.size, self.first, self.per_step = size, first, per_step

    def reach(self, step):
        return int(self.size * min(1.0, self.first + self.per_step * step))


def build(width):
    model = keras.Sequential(
        [
            keras.Input((TICKS,)),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(width, activation="relu"),
            keras.layers.Dense(1),
        ]
    )
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="mae")
    return model


def warm_up(model, bank, steps, batch, rng):
    """A few steps on the cleanest traces, at a small rate."""
    model.optimizer.learning_rate = 2e-4
    for _ in range(steps):
        x, y = bank.batch(rng.integers(0, len(bank.depth) // 10, batch))
        model.train_on_batch(x, y)
    model.optimizer.learning_rate = 1e-3


def train(model, bank, course, steps, batch, rng):
    window = []
    for step in range(steps):
        rows = rng.integers(0, course.reach(step), batch)
        x, y = bank.batch(rows)
        window.append(float(model.train_on_batch(x, y)))
        if len(window) == 100:
            print(f"step {step + 1:5d}  error {np.mean(window):.4f}  traces {len(bank.made)}")
            window.clear()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1600)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--traces", type=int, default=6000)
    args = parser.parse_args()

    keras.utils.set_random_seed(12)
    rng = np.random.default_rng(12)
    bank = TraceBank(args.traces, rng)
    model = build(64)
    warm_up(model, bank, 60, args.batch, rng)
    train(model, bank, Course(args.traces), args.steps, args.batch, rng)
    x, y = bank.batch(np.arange(args.traces))
    off = np.abs(model.predict_on_batch(x)[:, 0] - y)
    print(f"mean error {100 * off.mean():.2f} ticks, on the noisiest {100 * off[-300:].mean():.2f}")


if __name__ == "__main__":
    main()
