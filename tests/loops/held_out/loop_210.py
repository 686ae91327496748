import keras
import numpy as np


def make_step():
    keras.utils.set_random_seed(9)
    model = keras.Sequential(
        [keras.Input([40]), keras.layers.Dense(64, activation="relu"), keras.layers.Dense(3)]
    )
    model.compile(
        optimizer="sgd", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    )
    random = np.random.default_rng(9)
    x = random.normal(size=(96, 40)).astype("float32")
    y = random.integers(0, 3, 96)
    held_x = random.normal(size=(800, 40)).astype("float32")
    held_y = random.integers(0, 3, 800)
    done = 0
    best = float("inf")

    def step():
        nonlocal done, best
        model.train_on_batch(x, y)
        done += 1
        if done % 20 == 0:
            losses = [
                model.test_on_batch(held_x[start : start + 100], held_y[start : start + 100])
                for start in range(0, 800, 100)
            ]
            best = min(best, float(np.mean(losses)))
        return best

    return step
