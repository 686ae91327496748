"""Forecast how many loaves a bakery will sell, by shop, weekday, weather and what sold before."""

import argparse

import keras
import numpy as np

from bakery_watch import Progress, SpikeWatch

SHOPS = 40
LAGS = 14


def simulate(days, rng):
    """Daily sales of each shop: a level of its own, a weekly rhythm, rain, holidays."""
    level = rng.uniform(0.5, 1.6, SHOPS)
    week = 1.0 + 0.3 * np.sin(2 * np.pi * np.arange(7) / 7)
    rain = rng.random(days) < 0.35
    holiday = rng.random(days) < 0.03
    sales = level[:, None] * week[np.arange(days) % 7]
    sales = sales * np.where(rain, 0.85, 1.0) * np.where(holiday, 0.4, 1.0)
    sales *= rng.lognormal(0, 0.12, sales.shape)
    return sales.astype(np.float32), rain, holiday


def to_rows(sales, rain, holiday):
    xs, shops, ys = [], [], []
    for day in range(LAGS, sales.shape[1]):
        known = np.zeros((SHOPS, LAGS + 9), np.float32)
        known[:, :LAGS] = sales[:, day - LAGS : day]
        known[:, LAGS + day % 7] = 1.0
        known[:, -2] = rain[day]
        known[:, -1] = holiday[day]
        xs.append(known)
        shops.append(np.arange(SHOPS))
        ys.append(sales[:, day])
    return np.concatenate(xs), np.concatenate(shops).astype(np.int32), np.concatenate(ys)


def build(n_known, width):
    known = keras.Input((n_known,), name="known")
    shop = keras.Input((), dtype="int32", name="shop")
    place = keras.layers.Embedding(SHOPS, 6)(shop)
    h = keras.layers.Concatenate()([known, place])
    h = keras.layers.Dense(width, activation="relu")(h)
    h = keras.layers.Dense(width, activation="relu")(h)
    out = keras.layers.Dense(1)(h)
    model = keras.Model([known, shop], out)
    model.compile(keras.optimizers.Adam(1e-3), loss="huber")
    return model


def split(x, shop, y, share=0.85):
    cut = int(len(y) * share)
    return (x[:cut], shop[:cut], y[:cut]), (x[cut:], shop[cut:], y[cut:])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=390)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--width", type=int, default=48)
    args = parser.parse_args()

    keras.utils.set_random_seed(19)
    rng = np.random.default_rng(19)
    train, test = split(*to_rows(*simulate(args.days, rng)))
    model = build(train[0].shape[1], args.width)
    watch = SpikeWatch()
    print(f"{len(train[2])} rows for training, {len(test[2])} for the test")
    model.fit(
        [train[0], train[1]],
        train[2],
        batch_size=args.batch,
        epochs=args.epochs,
        callbacks=[watch, Progress(watch), keras.callbacks.TerminateOnNaN()],
        verbose=0,
    )
    guess = model.predict([test[0], test[1]], batch_size=512, verbose=0)[:, 0]
    naive = np.abs(test[0][:, LAGS - 7] - test[2]).mean()
    print(f"mean error {np.abs(guess - test[2]).mean():.3f}, of last week's sales {naive:.3f}")


if __name__ == "__main__":
    main()
